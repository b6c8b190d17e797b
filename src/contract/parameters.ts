import { Type, type Static, type TOptional, type TSchema } from "typebox";
import { readCursor } from "./cursor.ts";
import { dayOfIso } from "../text/dates.ts";
import { ALL_PARTS, DETAIL_PARTS } from "./detail-parts.ts";
import {
  DEFAULT_RADIUS_MILES,
  filtersOf,
  MAX_RADIUS_MILES,
  MAX_TEXT_CHARACTERS,
  SORTS,
  type FilterName,
  type FilterOf,
  type FilteredOperation,
} from "./filters.ts";
import { RegistryParameters } from "./npi-registry/parameters.ts";
import { STATE_CODES } from "./states.ts";
import {
  degrees,
  scope,
  taxonomyCode,
  text,
  zipCode,
} from "./parameter-schemas.ts";

/**
 * The query parameters. These schemas validate requests (`query-string.ts`), type the handlers, and describe the
 * parameters in the OpenAPI document. `x-rule` completes the error message "<name> must be …".
 */

export const MAX_LIMIT = 100;
export const MAX_BATCH_NPIS = 500;
export const DEFAULT_LIMIT = 25;

/** The filters' schemas (`filters.ts`), in the order of the OpenAPI document. */
const FILTER_SCHEMAS = {
  name: text(
    "Each word must occur in the first name, last name or organization name: `john smi` finds JOHN SMITH.",
    "john smi",
  ),
  first_name: text(
    "Start of the first name (individuals only). A trailing `*` is ignored.",
    "Maria",
  ),
  name_aliases: Type.Enum(["true", "false"], {
    type: "string",
    description:
      "`true`: `first_name` also finds its nicknames and full forms, as whole names: `bob` finds ROBERT. A search ranks them like names that start with the value. `false`: the default. Case-insensitive.",
    examples: ["true"],
    "x-rule": "true or false",
  }),
  middle_initial: Type.String({
    pattern: "^[A-Za-z]$",
    description:
      "First letter of the middle name (individuals only), after accents and punctuation are removed. Individuals registered without a middle name never match. Case-insensitive.",
    examples: ["Q"],
    "x-rule": "one letter from A to Z",
  }),
  last_name: text(
    "Start of the last name (individuals only). A trailing `*` is ignored.",
    "O'Brien",
  ),
  organization: text(
    "Each word must occur in the organization name.",
    "lakeside clinic",
  ),
  name_scope: scope(
    "Which names `name`, `first_name`, `last_name` and `organization` match. `primary`, the default: only the name in the record. `any`: also other names, such as former and professional names, and the names that an organization does business as. In a search, the best match decides the order.",
  ),
  location_scope: scope(
    "Which practice locations are searched. `primary`, the default: only the primary one. `any`: also secondary ones. Each provider is listed once, at its nearest location, shown in `matched_location`.",
  ),
  entity_type: Type.Enum(["individual", "organization"], {
    type: "string",
    description: "Only individuals, or only organizations. Case-insensitive.",
    examples: ["individual"],
    "x-rule": "individual or organization",
  }),
  status: Type.Enum(["active", "deactivated"], {
    type: "string",
    description:
      "Only active, or only deactivated providers. Default: both. Case-insensitive.",
    examples: ["active"],
    "x-rule": "active or deactivated",
  }),
  last_updated_since: Type.Refine(
    Type.String({
      format: "date",
      description:
        "Only providers whose `last_updated` is on or after this date. Providers without that date never match.",
      examples: ["2026-11-01"],
      "x-rule": "a date such as 2026-11-01",
    }),
    (value) => dayOfIso(value) > 0,
  ),
  city: text(
    "The practice city, in full. The words ST, MT and FT match SAINT, MOUNT and FORT.",
    "St. Louis",
  ),
  state: Type.String({
    enum: [...STATE_CODES],
    description:
      "State of a U.S. practice address, as two letters: the 50 states, DC, PR, GU, VI, AS, MP, and the military AA, AE and AP. Case-insensitive.",
    examples: ["IL"],
    "x-rule":
      "the two letters of a U.S. state, DC, a territory (PR, GU, VI, AS, MP) or the military (AA, AE, AP)",
  }),
  zip: zipCode(
    "5-digit ZIP code of a U.S. practice address; compared with the first five characters of the postal code.",
  ),
  taxonomy: taxonomyCode("NUCC code of the primary taxonomy"),
  specialty: text(
    "Each word must occur in the display name of the primary taxonomy.",
    "family medicine",
  ),
  specialty_scope: Type.Enum(["display", "common"], {
    type: "string",
    description:
      "Which words `specialty` takes. `display`, the default: those of display names. `common`: also everyday words such as `cardiologist`, `obgyn` or `eye doctor`. If a table has the whole value, providers with one of its taxonomies match; otherwise display names are compared. Case-insensitive.",
    examples: ["common"],
    "x-rule": "display or common",
  }),
  taxonomy_scope: scope(
    "Which taxonomies `taxonomy` and `specialty` match. `primary`, the default: only the primary one. `any`: any of a provider's up to 15 taxonomies. Results show the primary one either way.",
  ),
} satisfies Record<FilterName, TSchema>;

/** The values of a query's filters, all optional. */
export type FilterValues = {
  [Name in FilterName]?: Static<(typeof FILTER_SCHEMAS)[Name]>;
};

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

/** The order of an operation's results. */
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
  "x-rule": `a comma-separated list of ${INCLUDED.slice(0, -1).join(", ")} and ${INCLUDED.at(-1)}, each at most once`,
});

const snapshot = Type.String({
  pattern: "^[0-9]{8}T[0-9]{9}Z$",
  description:
    "Answer only from this snapshot: an ID from the `Snapshot` header of an earlier answer. Send it with each page, so that an update in between can't make you miss or repeat providers. The snapshot served before the current one stays available for a while; after that the answer is 412 `snapshot_gone`.",
  examples: ["20261116T031500000Z"],
  "x-rule": "the ID in the Snapshot header of an earlier answer, unchanged",
});

export const LookupParameters = Type.Object(
  { include: Type.Optional(include), snapshot: Type.Optional(snapshot) },
  { additionalProperties: false },
);

export const BatchParameters = Type.Object(
  {
    npi: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: MAX_BATCH_NPIS,
        description: `Required. The NPIs to look up, as a comma-separated list of up to ${MAX_BATCH_NPIS}. Anything between two commas has an entry in the answer, whether it is an NPI or not. The same NPI may be listed more than once; each time counts.`,
        examples: [["2000000002", "2000000010"]],
        "x-rule": `a comma-separated list of 1 to ${MAX_BATCH_NPIS} NPIs`,
      }),
    ),
    include: Type.Optional(include),
    snapshot: Type.Optional(snapshot),
  },
  { additionalProperties: false },
);

/** For paths without parameters. */
export const NoParameters = Type.Object({}, { additionalProperties: false });

export const SearchParameters = Type.Object(
  {
    ...filterParameters("search"),
    sort: Type.Optional(searchOrder),
    limit,
    page,
    snapshot: Type.Optional(snapshot),
  },
  { additionalProperties: false },
);

/** The formats of exports, the default first. */
export const EXPORT_FORMATS = ["ndjson", "csv"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const ExportParameters = Type.Object(
  {
    ...filterParameters("search"),
    sort: Type.Optional(searchOrder),
    format: Type.Enum([...EXPORT_FORMATS], {
      type: "string",
      default: EXPORT_FORMATS[0],
      description:
        "`ndjson`: a record per line, as JSON. `csv`: a table with a column per field, without details. Case-insensitive.",
      examples: ["csv"],
      "x-rule": EXPORT_FORMATS.join(" or "),
    }),
    include: Type.Optional(include),
    snapshot: Type.Optional(snapshot),
  },
  { additionalProperties: false },
);

export const NearbyParameters = Type.Object(
  {
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
      order(
        SORTS.nearby,
        "`distance`, the default: nearest first, then by NPI.",
      ),
    ),
    limit,
    page,
    snapshot: Type.Optional(snapshot),
  },
  { additionalProperties: false },
);

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
export const MapSearchParameters = Type.Object(
  { ...SearchParameters.properties, bounds: Type.Optional(bounds) },
  { additionalProperties: false },
);

export const MapNearbyParameters = Type.Object(
  { ...NearbyParameters.properties, bounds: Type.Optional(bounds) },
  { additionalProperties: false },
);

const MAX_CHANGES_LIMIT = 1000;

export const ChangesParameters = Type.Object(
  {
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
            "The `meta.next_cursor` of an earlier answer; the list continues after it. Cannot be combined with `since`.",
          examples: ["MjAyNjExMTZUMDMxNTAwMDAwWi5hbGw"],
          "x-rule": "the next_cursor of an earlier answer, unchanged",
        }),
        (value) => readCursor(value) !== null,
      ),
    ),
    limit: Type.Integer({
      minimum: 1,
      maximum: MAX_CHANGES_LIMIT,
      default: 100,
      description: "Changes per answer. A value out of range is an error.",
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
  },
  { additionalProperties: false },
);

/** The path parameter of a taxonomy. */
export const TaxonomyCodeParameter = taxonomyCode("NUCC taxonomy code");

export const TaxonomyParameters = Type.Object(
  { snapshot: Type.Optional(snapshot) },
  { additionalProperties: false },
);

export const TaxonomiesParameters = Type.Object(
  {
    q: Type.Optional(
      text(
        "Each word must be the start of a word in the display name, or of the code.",
        "fam med",
      ),
    ),
    limit,
    page,
    snapshot: Type.Optional(snapshot),
  },
  { additionalProperties: false },
);

export const MAX_INTERPRETED_CHARACTERS = 200;

export const InterpretParameters = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        maxLength: MAX_INTERPRETED_CHARACTERS,
        description:
          "What a user typed: names, specialties, places, or an NPI, in any order. Words after the first 40 are dropped.",
        examples: ["cardiologist in chicago"],
        "x-rule": `at most ${MAX_INTERPRETED_CHARACTERS} characters`,
      }),
    ),
    snapshot: Type.Optional(snapshot),
  },
  { additionalProperties: false },
);

/** The path parameter of a lookup. `registry/npi.ts` checks the check digit. */
export const NpiParameter = Type.String({
  pattern: "^[0-9]{10}$",
  description:
    "National provider identifier: 10 digits, the last of which is a check digit (Luhn over `80840` followed by the NPI).",
  examples: ["2000000002"],
});

/** Every parameter name; the log never shows any other. */
export const PARAMETER_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(LookupParameters.properties),
  ...Object.keys(BatchParameters.properties),
  ...Object.keys(SearchParameters.properties),
  ...Object.keys(ExportParameters.properties),
  ...Object.keys(MapNearbyParameters.properties),
  ...Object.keys(ChangesParameters.properties),
  ...Object.keys(TaxonomiesParameters.properties),
  ...Object.keys(InterpretParameters.properties),
  ...Object.keys(RegistryParameters.properties),
]);

type FilterParameters<Operation extends FilteredOperation> = {
  [Name in FilterOf<Operation>]: TOptional<(typeof FILTER_SCHEMAS)[Name]>;
};

/** The filters of an operation as optional parameters. */
function filterParameters<Operation extends FilteredOperation>(
  operation: Operation,
): FilterParameters<Operation>;
function filterParameters(operation: FilteredOperation): object {
  const names: readonly string[] = filtersOf(operation);
  return Object.fromEntries(
    Object.entries(FILTER_SCHEMAS)
      .filter(([name]) => names.includes(name))
      .map(([name, schema]) => [name, Type.Optional(schema)]),
  );
}
