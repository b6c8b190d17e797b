import { Type } from "typebox";

/** The parameters of the registry's own API, NPI Registry API v2.1 (docs/npi-registry-api.md). */

export const NPI_REGISTRY_VERSION = "2.1";

export const DEFAULT_REGISTRY_LIMIT = 10;
export const MAX_REGISTRY_LIMIT = 200;
/** The longest value of a parameter. */
export const MAX_REGISTRY_TEXT_CHARACTERS = 100;
/** Letters or digits that come before a trailing `*`. */
export const MIN_WILDCARD_CHARACTERS = 2;

const TEXT = `Up to ${MAX_REGISTRY_TEXT_CHARACTERS} characters. A trailing \`*\` after at least ${MIN_WILDCARD_CHARACTERS} characters finds texts that start with them.`;

/**
 * The parameters, in the order of the registry's documentation. Their values are checked by the registry's rules
 * (`http/registry-api`), not by these schemas.
 */
export const RegistryParameters = Type.Object(
  {
    version: parameter(
      `Required: \`${NPI_REGISTRY_VERSION}\`.`,
      NPI_REGISTRY_VERSION,
    ),
    number: parameter("An NPI of ten digits.", "1976056766"),
    enumeration_type: parameter(
      "`NPI-1` for individuals, `NPI-2` for organizations. Send it with another parameter.",
      "NPI-1",
    ),
    taxonomy_description: parameter(
      `A classification or a specialization of the NUCC table, or a \`desc\` as responses show it. ${TEXT}`,
      "Optometrist",
    ),
    name_purpose: parameter(
      "Whose name: `PROVIDER`, the default, or `AO` for the authorized officials of organizations.",
      "AO",
    ),
    first_name: parameter(`The first name. ${TEXT}`, "John"),
    use_first_name_alias: parameter(
      "`True`, the default: `Bob` also finds `Robert`. Ignored if `first_name` ends with `*`.",
      "False",
    ),
    last_name: parameter(`The last name. ${TEXT}`, "Smith"),
    organization_name: parameter(
      `The legal name of an organization, or another name of it. ${TEXT}`,
      "Lakeside*",
    ),
    address_purpose: parameter(
      "Which addresses are searched: `LOCATION`, `MAILING`, `PRIMARY` or `SECONDARY`. Default: the mailing address and all practice locations.",
      "PRIMARY",
    ),
    city: parameter(`The city. ${TEXT}`, "Chicago"),
    state: parameter("Two letters. Send it with another parameter.", "IL"),
    postal_code: parameter(
      `The postal code. Five digits also find codes of nine digits. ${TEXT}`,
      "60611",
    ),
    country_code: parameter("Two letters. `US` not by itself.", "US"),
    limit: parameter(
      `Providers in the response: ${DEFAULT_REGISTRY_LIMIT} by default and for 0, ${MAX_REGISTRY_LIMIT} for anything above ${MAX_REGISTRY_LIMIT}.`,
      "50",
    ),
    skip: parameter(
      "Matches to leave out, up to 1000, or as many as the operator allows.",
      "50",
    ),
    pretty: parameter("Indents the response, unless it is `false`.", "true"),
  },
  { additionalProperties: true },
);
export type RegistryParameter = keyof typeof RegistryParameters.properties;

/** A parameter; blank ones are absent. */
function parameter(description: string, example: string) {
  return Type.Optional(Type.String({ description, examples: [example] }));
}
