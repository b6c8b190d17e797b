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
    number: parameter(
      "An NPI of ten digits. If it is deactivated, was never issued, or has a wrong check digit, the response is empty.",
      "1976056766",
    ),
    enumeration_type: parameter(
      "`NPI-1` for individuals, `NPI-2` for organizations. Send it with another parameter.",
      "NPI-1",
    ),
    taxonomy_description: parameter(
      `A classification or a specialization of the NUCC table, or a \`desc\` as responses show it, such as \`Internal Medicine, Cardiovascular Disease\`. If no taxonomy has the text, four or more letters match a word that starts with them, because the registry abbreviates: \`Nurse Practitioner, Psych/Mental Health\`. Any of a provider's taxonomies matches. ${TEXT}`,
      "Optometrist",
    ),
    name_purpose: parameter(
      "Whose name: `PROVIDER`, the default, or `AO` for the authorized officials of organizations.",
      "AO",
    ),
    first_name: parameter(
      `The first name, or another first name of the provider. If \`last_name\` is sent, too, both must match the same name. ${TEXT}`,
      "John",
    ),
    use_first_name_alias: parameter(
      "`True`, the default: `Bob` also finds `Robert`. Ignored if `first_name` ends with `*`.",
      "False",
    ),
    last_name: parameter(
      `The last name, or another last name of the provider. ${TEXT}`,
      "Smith",
    ),
    organization_name: parameter(
      `The legal name of an organization, or another name of it. ${TEXT}`,
      "Lakeside*",
    ),
    address_purpose: parameter(
      "Which addresses `city`, `state`, `postal_code` and `country_code` search: `MAILING`, `PRIMARY` or `SECONDARY` (practice locations), or `LOCATION` (any practice location). Default: all of them.",
      "PRIMARY",
    ),
    city: parameter(
      `The city. Spaces make no difference: \`O'Fallon\` is \`O FALLON\`. ${TEXT}`,
      "Chicago",
    ),
    state: parameter(
      "Two letters. Also finds foreign addresses with this state as entered, unless `country_code=US`. Send it with another parameter.",
      "IL",
    ),
    postal_code: parameter(
      `At least two letters, digits, spaces, and hyphens. Five digits also find codes of nine digits that start with them. ${TEXT}`,
      "60611",
    ),
    country_code: parameter("Two letters. `US` not by itself.", "US"),
    limit: parameter(
      `Providers in the response: ${DEFAULT_REGISTRY_LIMIT} by default and for 0, ${MAX_REGISTRY_LIMIT} for anything above ${MAX_REGISTRY_LIMIT}.`,
      "50",
    ),
    skip: parameter(
      "How many matches to skip: up to 1,000, or up to `NPI_REGISTRY_MAX_SKIP`.",
      "50",
    ),
    pretty: parameter(
      "Indents the response, unless it is `false`, `off`, `no` or `0`.",
      "true",
    ),
  },
  { additionalProperties: true },
);
export type RegistryParameter = keyof typeof RegistryParameters.properties;

/** Describes a parameter; blank ones are absent. */
function parameter(description: string, example: string) {
  return Type.Optional(Type.String({ description, examples: [example] }));
}
