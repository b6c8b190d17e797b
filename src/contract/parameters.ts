import { Type } from "typebox";
import { readCursor } from "./cursor.ts";
import { dayOfIso } from "../text/dates.ts";
import { allOf, oneOf } from "../text/lists.ts";
import { COLUMN_SETS } from "./explorer/column-sets.ts";
import { ALL_PARTS, DETAIL_PARTS } from "./detail-parts.ts";
import {
  DEFAULT_RADIUS_MILES,
  MAX_RADIUS_MILES,
  MAX_TEXT_CHARACTERS,
  SORTS,
} from "./filters.ts";
import {
  ALL_COLUMNS,
  EXPORT_COLUMNS,
  NEARBY_COLUMNS,
  type DetailColumn,
  type ExportColumn,
} from "./export-columns.ts";
import { RegistryParameters } from "./npi-registry/parameters.ts";
import { MAX_BATCH_NPIS } from "./verdicts.ts";
import { EXPORT_FORMATS, ROW_FORMATS, titlesOf } from "./row-formats.ts";
import {
  filterParameters,
  degrees,
  taxonomyCode,
  text,
  zipCode,
} from "./parameters/filter-schemas.ts";
import { strict } from "./schemas.ts";

/**
 * The query parameters. These schemas validate requests (`query-string.ts`), type the handlers, and describe the
 * parameters in the OpenAPI document. `x-rule` completes the error message "<name> must be …".
 */

export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 25;

const limit = Type.Integer({
  minimum: 1,
  maximum: MAX_LIMIT,
  default: DEFAULT_LIMIT,
  description: "Results per page. A value out of range is an error.",
  examples: [50],
  "x-rule": `a whole number from 1 to ${MAX_LIMIT}`,
});
const page = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 1,
  description: "Page number, starting at 1. A page past the end is empty.",
  examples: [2],
  "x-rule": `a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
});

/** Describes the order of an operation's results. */
function order<const Order extends string>(
  orders: readonly [Order, ...Order[]],
  meaning: string,
) {
  return Type.Enum([...orders], {
    type: "string",
    description: `The order of results. ${meaning} \`name\`: by the name shown, individuals by last name and organizations by their name, then by first name, then by NPI. Those without such a name come last. Case-insensitive.`,
    examples: ["name"],
    "x-rule": orders.join(" or "),
  });
}

const searchOrder = order(
  SORTS.search,
  "`relevance`, the default: the best matches of names first, then by state, city, ZIP code, and NPI.",
);

const INCLUDED = [...DETAIL_PARTS, ALL_PARTS] as const;

const include = Type.Array(Type.Enum([...INCLUDED], { type: "string" }), {
  minItems: 1,
  uniqueItems: true,
  description:
    "Fields to add to the record, as a comma-separated list: `taxonomies` (every taxonomy, with its license), `other_names` (former and other names), `locations` (secondary practice locations), `identity` (other facts that the registry publishes), `mailing_address`, `identifiers` (numbers that payers and states gave the provider), `endpoints` (electronic addresses). `all` is all that this installation stores. The operator chooses which of them an installation stores. Case-insensitive.",
  examples: [["taxonomies", "locations"]],
  "x-rule": `a comma-separated list of ${allOf(INCLUDED)}, each at most once`,
});

const SNAPSHOT_PATTERN = "^[0-9]{8}T[0-9]{9}Z$";
const snapshot = Type.String({
  pattern: SNAPSHOT_PATTERN,
  description:
    "Read only from this snapshot: an ID from the `Snapshot` header of an earlier response. When you page through results, send it with each page, so that an update in between can't make you miss or repeat providers. The snapshot served before the current one stays available for a while; after that the response is 412 `snapshot_gone`.",
  examples: ["20261116T031500000Z"],
  "x-rule": "the ID in the Snapshot header of an earlier response, unchanged",
});

export const LookupParameters = strict({
  include: Type.Optional(include),
  snapshot: Type.Optional(snapshot),
});

export const BatchParameters = strict({
  npi: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: MAX_BATCH_NPIS,
      description: `Required. The NPIs to look up, as a comma-separated list of up to ${MAX_BATCH_NPIS}. Spaces around a number are ignored. Anything between two commas has an entry in the response, whether it is an NPI or not. The same NPI may be listed more than once; each time counts.`,
      examples: [["1976056766", "1544821568"]],
      "x-rule": `a comma-separated list of 1 to ${MAX_BATCH_NPIS} NPIs`,
    }),
  ),
  include: Type.Optional(include),
  snapshot: Type.Optional(snapshot),
});

/** For paths without parameters. */
export const NoParameters = strict({});

export const SearchParameters = strict({
  ...filterParameters("search"),
  sort: Type.Optional(searchOrder),
  limit,
  page,
  snapshot: Type.Optional(snapshot),
});

/** Writes what each column has: those of the record, then those that need a part of the details. */
function meaningsOf(all: readonly (ExportColumn | DetailColumn)[]): string {
  const parts = Map.groupBy(all, (column) =>
    "part" in column ? `\`${column.part}\`` : "the record",
  );
  return [...parts]
    .map(([part, columns]) => {
      const listed = columns.map(({ description, name, path }) =>
        path === name || description.endsWith(`.${name}\``)
          ? `\`${name}\``
          : `\`${name}\` (${description})`,
      );
      return `Of ${part}: ${listed.join(", ")}.`;
    })
    .join(" ");
}

function columnsOf(all: readonly (ExportColumn | DetailColumn)[]) {
  const names = all.map(({ name }) => name);
  return Type.Array(Type.Enum(names, { type: "string" }), {
    minItems: 1,
    uniqueItems: true,
    description: `The columns of ${allOf(titlesOf(true))}, as a comma-separated list, in the order wanted. ${meaningsOf(all)} Default: \`${EXPORT_COLUMNS[0].name}\` to \`${EXPORT_COLUMNS.at(-1)?.name}\`. A column of a part that the installation does not store is 400 \`details_not_held\`. Case-insensitive.`,
    examples: [["npi", "last_name", "phone"]],
    "x-rule": `a comma-separated list of columns, each at most once: ${names.join(", ")}`,
  });
}

export const ExportParameters = strict({
  ...filterParameters("search"),
  sort: Type.Optional(searchOrder),
  format: Type.Enum(EXPORT_FORMATS, {
    type: "string",
    default: EXPORT_FORMATS[0],
    description: `${ROW_FORMATS.map(({ description, name }) => `\`${name}\`: ${description}. `).join("")}Case-insensitive.`,
    examples: ["csv"],
    "x-rule": oneOf(EXPORT_FORMATS),
  }),
  include: Type.Optional(include),
  columns: Type.Optional(columnsOf(ALL_COLUMNS)),
  snapshot: Type.Optional(snapshot),
});

export const NearbyParameters = strict({
  zip: Type.Optional(
    zipCode(
      "ZIP code to search around. Required unless you send both `lat` and `lng`, which take precedence.",
    ),
  ),
  lat: Type.Optional(
    degrees(
      90,
      "Latitude of the center in decimal degrees. Requires `lng`.",
      41.88,
    ),
  ),
  lng: Type.Optional(
    degrees(
      180,
      "Longitude of the center in decimal degrees. Requires `lat`.",
      -87.63,
    ),
  ),
  radius: Type.Number({
    exclusiveMinimum: 0,
    maximum: MAX_RADIUS_MILES,
    default: DEFAULT_RADIUS_MILES,
    description: "Search radius in miles.",
    examples: [10],
    "x-rule": `a decimal number of miles greater than 0 and at most ${MAX_RADIUS_MILES}`,
  }),
  ...filterParameters("nearby"),
  sort: Type.Optional(
    order(SORTS.nearby, "`distance`, the default: nearest first, then by NPI."),
  ),
  limit,
  page,
  snapshot: Type.Optional(snapshot),
});

const bounds = Type.Refine(
  Type.Array(Type.Number({ minimum: -180, maximum: 180 }), {
    minItems: 4,
    maxItems: 4,
    description:
      "Only ZIPs in this part of the map: its west, south, east, and north end in decimal degrees. If west is greater than east, it crosses the 180th meridian.",
    examples: [[-88.5, 41.2, -87, 42.3]],
    "x-rule":
      "four decimal numbers of degrees, west,south,east,north: longitudes from -180 to 180, latitudes from -90 to 90, the south not above the north",
  }),
  ([, south = 0, , north = 0]) => south >= -90 && south <= north && north <= 90,
);

/** The parameters of the explorer's map (`explorer/map.ts`). */
export const MapSearchParameters = strict({
  ...SearchParameters.properties,
  bounds: Type.Optional(bounds),
});

export const MapNearbyParameters = strict({
  ...NearbyParameters.properties,
  bounds: Type.Optional(bounds),
});

const SET_NAMES = COLUMN_SETS.map(({ name }) => name);
const columnSet = Type.Enum(SET_NAMES, {
  type: "string",
  "x-rule": oneOf(SET_NAMES),
});

/** The parameters of the explorer's downloads. */
export const SearchDownloadParameters = strict({
  ...SearchParameters.properties,
  columns: Type.Optional(columnsOf(ALL_COLUMNS)),
  column_set: Type.Optional(columnSet),
});

export const NearbyDownloadParameters = strict({
  ...NearbyParameters.properties,
  columns: Type.Optional(columnsOf(NEARBY_COLUMNS)),
  column_set: Type.Optional(columnSet),
});

const MAX_CHANGES_LIMIT = 1000;

export const ChangesParameters = strict({
  since: Type.Optional(
    Type.Refine(
      Type.String({
        format: "date",
        description:
          "Only changes that this service imported on or after this date (UTC). Without `since` and `cursor`, the list starts at the oldest change kept.",
        examples: ["2026-11-15"],
        "x-rule": "a date such as 2026-11-15",
      }),
      (value) => dayOfIso(value) > 0,
    ),
  ),
  cursor: Type.Optional(
    Type.Refine(
      Type.String({
        maxLength: MAX_TEXT_CHARACTERS,
        description:
          "The `meta.next_cursor` of an earlier response; the list continues after it. Cannot be combined with `since`.",
        examples: ["MjAyNjExMTZUMDMxNTAwMDAwWi5hbGw"],
        "x-rule": "the next_cursor of an earlier response, unchanged",
      }),
      (value) => readCursor(value) !== null,
    ),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: MAX_CHANGES_LIMIT,
    default: 100,
    description: "Changes per response. A value out of range is an error.",
    examples: [500],
    "x-rule": `a whole number from 1 to ${MAX_CHANGES_LIMIT}`,
  }),
  include: Type.Optional(
    Type.Array(Type.Enum(["details"], { type: "string" }), {
      minItems: 1,
      uniqueItems: true,
      description:
        "`details` also lists changes that affect only details, and adds `details` to each change whose details changed. Cursors work with and without it. Case-insensitive.",
      examples: [["details"]],
      "x-rule": "details",
    }),
  ),
});

/** The path parameter of a taxonomy. */
export const TaxonomyCodeParameter = taxonomyCode("NUCC taxonomy code");

export const FilesParameters = strict({ snapshot: Type.Optional(snapshot) });
export const TaxonomyParameters = strict({ snapshot: Type.Optional(snapshot) });

export const TaxonomiesParameters = strict({
  q: Type.Optional(
    text(
      "Each word must be the start of a word in the display name, or of the code: `fam med` finds Family Medicine Physician.",
      "fam med",
    ),
  ),
  limit,
  page,
  snapshot: Type.Optional(snapshot),
});

export const MAX_INTERPRETED_CHARACTERS = 200;

export const InterpretParameters = strict({
  q: Type.Optional(
    Type.String({
      maxLength: MAX_INTERPRETED_CHARACTERS,
      description:
        "What a user typed: names, specialties, places, or an NPI, in any order. Words after the first 40 are dropped. If it is blank or has no word that can be searched, nothing is understood.",
      examples: ["cardiologist in chicago"],
      "x-rule": `at most ${MAX_INTERPRETED_CHARACTERS} characters`,
    }),
  ),
  snapshot: Type.Optional(snapshot),
});

/** The path parameter of a lookup. `registry/npi.ts` checks the check digit. */
export const NpiParameter = Type.String({
  pattern: "^[0-9]{10}$",
  description:
    "National provider identifier: 10 digits, the last of which is a check digit (Luhn over `80840` followed by the NPI).",
  examples: ["1976056766"],
});

/** The path parameter of a file's snapshot. */
export const FileSnapshot = Type.String({
  pattern: SNAPSHOT_PATTERN,
  description: "The snapshot of the file: `meta.snapshot` of the list.",
  examples: ["20261116T031500000Z"],
});

export const FileName = Type.String({
  pattern: "^[a-z_-]+[.][a-z.]+$",
  description: "The name of a file in the list.",
  examples: ["providers.parquet"],
});

/** Every parameter name; the log never shows any other. */
export const PARAMETER_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(LookupParameters.properties),
  ...Object.keys(BatchParameters.properties),
  ...Object.keys(SearchParameters.properties),
  ...Object.keys(ExportParameters.properties),
  ...Object.keys(MapNearbyParameters.properties),
  ...Object.keys(SearchDownloadParameters.properties),
  ...Object.keys(ChangesParameters.properties),
  ...Object.keys(TaxonomiesParameters.properties),
  ...Object.keys(InterpretParameters.properties),
  ...Object.keys(RegistryParameters.properties),
]);
