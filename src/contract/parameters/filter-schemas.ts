import { Type, type Static, type TOptional, type TSchema } from "typebox";
import { dayOfIso } from "../../text/dates.ts";
import {
  filtersOf,
  type FilterName,
  type FilterOf,
  type FilteredOperation,
  MAX_TEXT_CHARACTERS,
} from "../filters.ts";
import { STATE_CODES } from "../states.ts";
import { hasText } from "../../text/fold.ts";

/** Schemas of values that several parameters take. */

const TEXT_RULE = `at most ${MAX_TEXT_CHARACTERS} characters, with at least one letter or digit`;

/** Describes how far filters reach. There is no default, so a query without it keeps its entity tag. */
function scope(description: string) {
  return Type.Enum(["primary", "any"], {
    type: "string",
    description: `${description} An installation that does not store this data refuses \`any\` with \`details_not_held\`. Case-insensitive.`,
    examples: ["any"],
    "x-rule": "primary or any",
  });
}

/** Describes a text filter. Folding must leave something to compare, so it needs a letter or digit. */
export function text(description: string, example: string) {
  return Type.Refine(
    Type.String({
      maxLength: MAX_TEXT_CHARACTERS,
      description,
      examples: [example],
      "x-rule": TEXT_RULE,
    }),
    hasText,
  );
}

export function taxonomyCode(description: string) {
  return Type.String({
    pattern: "^[A-Za-z0-9]{10}$",
    description: `${description}: 10 letters and digits. Case-insensitive.`,
    examples: ["207Q00000X"],
    "x-rule": "a taxonomy code of 10 letters and digits",
  });
}

export function zipCode(description: string) {
  return Type.String({
    pattern: "^[0-9]{5}$",
    description,
    examples: ["60611"],
    "x-rule": "5 digits",
  });
}

export function degrees(
  limitDegrees: number,
  description: string,
  example: number,
) {
  return Type.Number({
    minimum: -limitDegrees,
    maximum: limitDegrees,
    description,
    examples: [example],
    "x-rule": `a decimal number of degrees from -${limitDegrees} to ${limitDegrees}`,
  });
}

/** The filters' schemas (`filters.ts`), in the order of the OpenAPI document. */
const FILTER_SCHEMAS = {
  name: text(
    "Each word must occur in the first name, last name or organization name, at the start of a word or inside it: `john smi` finds JOHN SMITH.",
    "john smi",
  ),
  first_name: text(
    "Start of the first name (individuals only). A trailing `*` is ignored.",
    "John",
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
    "Smith",
  ),
  organization: text(
    "Each word must occur in the organization name.",
    "lakeside hospital",
  ),
  name_scope: scope(
    "Which names `name`, `first_name`, `last_name` and `organization` match. `primary`, the default: only the name in the record. `any`: also other names, such as former and professional names, and the names that an organization does business as. In a search, the best match decides the order.",
  ),
  location_scope: scope(
    "Which practice locations are searched. `primary`, the default: only the primary one. `any`: also secondary ones. Each provider is listed once, at its nearest location, shown in `matched_location`. If several are equally near, the primary one counts, then the first in the registry's order.",
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
        "Only providers whose `last_updated` is on or after this date. Providers without that date never match. Just after the service starts, the response can be 503 `data_not_loaded`.",
      examples: ["2026-11-01"],
      "x-rule": "a date such as 2026-11-01",
    }),
    (value) => dayOfIso(value) > 0,
  ),
  city: text(
    "The practice city, in full. Spaces make no difference: `O'Fallon` is `O FALLON`. The words ST, STE, MT and FT match SAINT, SAINTE, MOUNT and FORT.",
    "Chicago",
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
  country: Type.String({
    pattern: "^[A-Za-z]{2}$",
    description:
      "Two-letter country code (ISO 3166) of the practice address, as published; addresses in territories have `US` or the territory's code. Providers without a country never match. Just after the service starts, the response can be 503 `data_not_loaded`. Case-insensitive.",
    examples: ["CA"],
    "x-rule": "the two letters of a country",
  }),
  taxonomy: taxonomyCode("NUCC code of the primary taxonomy"),
  specialty: text(
    "Each word must occur in the display name of the primary taxonomy. `&` is the word AND. For everyday words, such as `cardiologist`, add `specialty_scope=common`.",
    "family medicine",
  ),
  specialty_scope: Type.Enum(["display", "common"], {
    type: "string",
    description:
      "Which words `specialty` takes. `display`, the default: those of display names. `common`: also everyday words such as `cardiologist`, `obgyn` or `eye doctor`. If a table has the whole value, providers with one of its taxonomies match, or with a display name that has the value as whole words; otherwise display names are compared. Case-insensitive.",
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

type FilterParameters<Operation extends FilteredOperation> = {
  [Name in FilterOf<Operation>]: TOptional<(typeof FILTER_SCHEMAS)[Name]>;
};

/** Describes the filters of an operation as optional parameters. */
export function filterParameters<Operation extends FilteredOperation>(
  operation: Operation,
): FilterParameters<Operation>;
export function filterParameters(operation: FilteredOperation): object {
  const names: readonly string[] = filtersOf(operation);
  return Object.fromEntries(
    Object.entries(FILTER_SCHEMAS)
      .filter(([name]) => names.includes(name))
      .map(([name, schema]) => [name, Type.Optional(schema)]),
  );
}
