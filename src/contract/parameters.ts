import { Type, type Static, type TOptional, type TSchema } from "typebox";
import { readCursor } from "./cursor.ts";
import { dayOfIso } from "../text/dates.ts";
import { DETAIL_PARTS } from "./detail-parts.ts";
import {
  filtersOf,
  type FilterName,
  type FilterOf,
  type FilteredOperation,
} from "./filters.ts";
import { STATE_CODES } from "./states.ts";
import { fold } from "../text/fold.ts";

/**
 * The query parameters of the operations. These schemas are the validation (`query-string.ts`), the handlers'
 * types, and the parameters of the OpenAPI document. `x-rule` finishes the sentence "<name> must be …" of a refusal.
 */

export const MAX_TEXT_CHARACTERS = 100;
export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 25;
export const MAX_RADIUS_MILES = 500;
export const DEFAULT_RADIUS_MILES = 25;

const TEXT_RULE = `at most ${MAX_TEXT_CHARACTERS} characters, with at least one letter or digit`;

/** The values of the filters (`filters.ts`), in the order in which the OpenAPI document lists them. */
const FILTER_SCHEMAS = {
  name: text(
    "Each word of the value must occur in the first name, the last name or the organization name: `john smi` finds JOHN SMITH.",
    "john smi",
  ),
  first_name: text(
    "The first name starts with this (individuals only). A trailing `*` is accepted and changes nothing.",
    "Maria",
  ),
  last_name: text(
    "The last name starts with this (individuals only). A trailing `*` is accepted and changes nothing.",
    "O'Brien",
  ),
  organization: text(
    "Each word of the value must occur in the organization name.",
    "lakeside clinic",
  ),
  name_scope: scope(
    "`any`: `name`, `first_name`, `last_name` and `organization` match other names too: an organization's former names and those it does business as, a person's former and professional names. The best of the names ranks. Without it, or with `primary`, the name in the record alone.",
  ),
  location_scope: scope(
    "`any`: providers are found at secondary practice locations too, each once, at the nearest of its locations, and entries say which in `matched_location`. Without it, or with `primary`, at the primary one alone.",
  ),
  entity_type: Type.Enum(["individual", "organization"], {
    type: "string",
    description: "Individuals or organizations only. Any case.",
    examples: ["individual"],
    "x-rule": "individual or organization",
  }),
  status: Type.Enum(["active", "deactivated"], {
    type: "string",
    description:
      "Active or deactivated providers only; without it, both. Any case.",
    examples: ["active"],
    "x-rule": "active or deactivated",
  }),
  last_updated_since: Type.Refine(
    Type.String({
      format: "date",
      description:
        "Only providers whose `last_updated` is this day or later; never one without such a date.",
      examples: ["2026-11-01"],
      "x-rule": "a date such as 2026-11-01",
    }),
    (value) => dayOfIso(value) > 0,
  ),
  city: text(
    "The practice city, whole. The words ST, MT and FT count as SAINT, MOUNT and FORT.",
    "St. Louis",
  ),
  state: Type.String({
    enum: [...STATE_CODES],
    description:
      "The state of a U.S. practice address, as two letters in any case: the 50 states, DC, PR, GU, VI, AS, MP, and the military AA, AE and AP.",
    examples: ["IL"],
    "x-rule":
      "the two letters of a U.S. state, DC, a territory (PR, GU, VI, AS, MP) or the military (AA, AE, AP)",
  }),
  zip: zipCode(
    "Five digits; compared with the first five characters of the postal code of a U.S. practice address.",
  ),
  taxonomy: Type.String({
    pattern: "^[A-Za-z0-9]{10}$",
    description: "The NUCC code of the primary taxonomy, exactly. Any case.",
    examples: ["207Q00000X"],
    "x-rule": "a taxonomy code of 10 letters and digits",
  }),
  specialty: text(
    "Each word of the value must occur in the display name of the primary taxonomy.",
    "family medicine",
  ),
  taxonomy_scope: scope(
    "`any`: `taxonomy` and `specialty` match any of up to 15 taxonomies of a provider. Without it, or with `primary`, the primary one alone, which is the one that entries show in any case.",
  ),
} satisfies Record<FilterName, TSchema>;

/** The filters of a query; none of them must be given. */
export type FilterValues = {
  [Name in FilterName]?: Static<(typeof FILTER_SCHEMAS)[Name]>;
};

const limit = Type.Integer({
  minimum: 1,
  maximum: MAX_LIMIT,
  default: DEFAULT_LIMIT,
  description:
    "Results per page. A value outside the range is refused, never adjusted.",
  examples: [50],
  "x-rule": `a whole number from 1 to ${MAX_LIMIT}`,
});
const page = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 1,
  description: "The page, counted from 1. A page past the end is empty.",
  examples: [2],
  "x-rule": `a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
});

const include = Type.Array(Type.Enum([...DETAIL_PARTS], { type: "string" }), {
  minItems: 1,
  uniqueItems: true,
  description:
    "What the answer shows besides the record: a list with commas. Each becomes a member of `data`: `taxonomies` every taxonomy with its license, `other_names` former and other names, `locations` further practice locations, `identity` what else the registry says of the provider. Which of them an installation holds is its operator's choice. Any case.",
  examples: [["taxonomies", "locations"]],
  "x-rule": `a comma-separated list of ${DETAIL_PARTS.slice(0, -1).join(", ")} and ${DETAIL_PARTS.at(-1)}, each at most once`,
});

export const LookupParameters = Type.Object(
  { include: Type.Optional(include) },
  { additionalProperties: false },
);

/** Nor does the status. */
export const NoParameters = Type.Object({}, { additionalProperties: false });

export const SearchParameters = Type.Object(
  { ...filterParameters("search"), limit, page },
  { additionalProperties: false },
);

export const NearbyParameters = Type.Object(
  {
    zip: Type.Optional(
      zipCode(
        "The ZIP code to search around. Required unless both `lat` and `lng` are given, which take precedence.",
      ),
    ),
    lat: Type.Optional(
      degrees(
        90,
        "Latitude of the centre in decimal degrees, together with `lng`.",
        41.88,
      ),
    ),
    lng: Type.Optional(
      degrees(
        180,
        "Longitude of the centre in decimal degrees, together with `lat`.",
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
    limit,
    page,
  },
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
            "Only what this service took up on this day (UTC) or later. Without it and `cursor`, from the oldest change kept.",
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
            "`meta.next_cursor` of an earlier answer: the list goes on behind it. Not together with `since`.",
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
      description:
        "Changes per answer. A value outside the range is refused, never adjusted.",
      examples: [500],
      "x-rule": `a whole number from 1 to ${MAX_CHANGES_LIMIT}`,
    }),
  },
  { additionalProperties: false },
);

/** The path parameter of a look-up. Its check digit is checked by `registry/npi.ts`. */
export const NpiParameter = Type.String({
  pattern: "^[0-9]{10}$",
  description:
    "A national provider identifier: 10 digits, the last of them a check digit (Luhn over `80840` and the number).",
  examples: ["2000000002"],
});

/** Every parameter name there is: what a log line may mention. */
export const PARAMETER_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(LookupParameters.properties),
  ...Object.keys(SearchParameters.properties),
  ...Object.keys(NearbyParameters.properties),
  ...Object.keys(ChangesParameters.properties),
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

/** How far filters reach. It has no default, so that questions without it are what they were before there was one. */
function scope(description: string) {
  return Type.Enum(["primary", "any"], {
    type: "string",
    description: `${description} An installation that does not hold these data answers \`any\` with \`details_not_held\`. Any case.`,
    examples: ["any"],
    "x-rule": "primary or any",
  });
}

/** A text that is compared folded, so one without a letter or digit would say nothing. */
function text(description: string, example: string) {
  return Type.Refine(
    Type.String({
      maxLength: MAX_TEXT_CHARACTERS,
      description,
      examples: [example],
      "x-rule": TEXT_RULE,
    }),
    (value) => fold(value) !== "",
  );
}

function zipCode(description: string) {
  return Type.String({
    pattern: "^[0-9]{5}$",
    description,
    examples: ["62701"],
    "x-rule": "5 digits",
  });
}

function degrees(limitDegrees: number, description: string, example: number) {
  return Type.Number({
    minimum: -limitDegrees,
    maximum: limitDegrees,
    description,
    examples: [example],
    "x-rule": `a decimal number of degrees from -${limitDegrees} to ${limitDegrees}`,
  });
}
