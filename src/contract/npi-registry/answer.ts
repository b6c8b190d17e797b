import { Type, type Static } from "typebox";
import { nullableText, text, trueOrFalse, whole } from "../schemas.ts";
import type { RegistryParameter } from "./parameters.ts";

/** The registry's errors, by number, with the texts that it sends. `{field}` is the parameter's name. */
const REGISTRY_ERRORS = {
  "03": "Wildcards require at least two leading characters",
  "04": "No valid search criteria provided",
  "05": "Field contains special character(s) or wrong number of characters",
  "06": "NPI must be 10 digits",
  "07": "Field {field} requires additional search criteria",
  "09": "Enumeration_type requires additional search criteria",
  "14": "No taxonomy codes found with entered description",
  "17": "Unsupported Version",
} as const;
export type RegistryErrorNumber = keyof typeof REGISTRY_ERRORS;

/** The field of an error that is about no parameter. */
export const GENERIC_FIELD = "generic";

/** An error as the registry writes it, members in alphabetical order. */
export const RegistryError = Type.Object(
  {
    description: text("The registry's text."),
    field: text("The parameter, or `generic` if it is about none."),
    number: text("Two digits."),
  },
  {
    title: "RegistryError",
    description: "An error of the registry's own API.",
  },
);
export type RegistryError = Static<typeof RegistryError>;

/** Makes an error of the registry about a parameter. */
export function registryError(
  number: RegistryErrorNumber,
  field: RegistryParameter | typeof GENERIC_FIELD,
): RegistryError {
  const description = REGISTRY_ERRORS[number].replace("{field}", field);
  return { description, field, number };
}

/** The answers of the registry's own API, members in alphabetical order. */

const ADDRESS = {
  address_1: optional(),
  address_2: optional(),
  address_type: optional("`DOM`, `FGN` or `MIL`."),
  city: optional(),
  country_code: optional("Two letters."),
  country_name: optional(),
  postal_code: optional("Without a hyphen in the U.S."),
  state: optional(),
};

const RegistryAddress = Type.Object(
  {
    ...ADDRESS,
    address_purpose: optional("`LOCATION` or `MAILING`."),
    fax_number: optional(),
    telephone_number: optional("With hyphens."),
  },
  {
    title: "RegistryAddress",
    description: "An address as the registry's own API shows it.",
  },
);

/** A provider as the registry shows it. Members without a value are absent. */
const RegistryProvider = Type.Object(
  {
    addresses: Type.Array(RegistryAddress, {
      description: "The primary practice location, and the mailing address.",
    }),
    basic: Type.Object({
      authorized_official_credential: optional(),
      authorized_official_first_name: optional(),
      authorized_official_last_name: optional(),
      authorized_official_middle_name: optional(),
      authorized_official_name_prefix: optional(),
      authorized_official_name_suffix: optional(),
      authorized_official_telephone_number: optional("As published."),
      authorized_official_title_or_position: optional(),
      certification_date: optional("ISO 8601."),
      credential: optional(),
      enumeration_date: optional("ISO 8601."),
      first_name: optional(),
      last_name: optional(),
      last_updated: optional("ISO 8601."),
      middle_name: optional(),
      name_prefix: optional(),
      name_suffix: optional(),
      organization_name: optional(),
      organizational_subpart: optional("`YES` or `NO`."),
      parent_organization_legal_business_name: optional(),
      sex: optional(
        "`F`, `M`, or another code of the registry; empty for none.",
      ),
      sole_proprietor: optional("`YES`, `NO`, or `X` for not answered."),
      status: text("Always `A`, active."),
    }),
    created_epoch: optional(
      "Midnight UTC of the enumeration date, in milliseconds since 1970.",
    ),
    endpoints: Type.Optional(
      Type.Array(
        Type.Object({
          ...ADDRESS,
          affiliation: optional("`Y` or `N`."),
          affiliationName: optional(),
          contentOtherDescription: optional(),
          contentType: optional(),
          contentTypeDescription: optional("Empty for none."),
          endpoint: optional("An email address or a URL."),
          endpointDescription: optional(),
          endpointType: optional(),
          endpointTypeDescription: optional(),
          use: optional(),
          useDescription: optional("Empty for none."),
          useOtherDescription: optional(),
        }),
      ),
    ),
    enumeration_type: Type.Enum(["NPI-1", "NPI-2"], {
      type: "string",
      description: "`NPI-1` for individuals, `NPI-2` for organizations.",
    }),
    identifiers: Type.Optional(
      Type.Array(
        Type.Object({
          code: nullableText("The type."),
          desc: nullableText("What it means."),
          identifier: nullableText("The number."),
          issuer: nullableText("For type 01."),
          state: nullableText("Of the issuer."),
        }),
      ),
    ),
    last_updated_epoch: optional(
      "Midnight UTC of the last update, in milliseconds since 1970.",
    ),
    number: text("The NPI."),
    other_names: Type.Optional(
      Type.Array(
        Type.Object({
          code: optional("1 to 5."),
          credential: optional(),
          first_name: optional(),
          last_name: optional(),
          middle_name: optional(),
          organization_name: optional(),
          prefix: optional(),
          suffix: optional(),
          type: optional("What the code means."),
        }),
      ),
    ),
    practiceLocations: Type.Optional(
      Type.Array(RegistryAddress, {
        description: "Secondary practice locations.",
      }),
    ),
    taxonomies: Type.Array(
      Type.Object({
        code: text("NUCC taxonomy code."),
        desc: nullableText("Classification and specialization."),
        license: Type.Optional(nullableText("Number of the license.")),
        primary: trueOrFalse("Whether it is the primary one."),
        state: Type.Optional(nullableText("Of the license.")),
        taxonomy_group: optional('Code and name, or `""`.'),
      }),
    ),
  },
  {
    title: "RegistryProvider",
    description:
      "A provider as the registry's own API shows it. Members without a value are absent.",
  },
);

/** An answer of the registry's API: results, or errors. */
export const RegistryAnswer = Type.Object(
  {
    Errors: Type.Optional(
      Type.Array(RegistryError, {
        description: "What is wrong with the request.",
      }),
    ),
    result_count: Type.Optional(whole("How many providers the response has.")),
    results: Type.Optional(Type.Array(RegistryProvider)),
  },
  { title: "RegistryResponse" },
);

export const REGISTRY_COMPONENTS = [
  RegistryAnswer,
  RegistryProvider,
  RegistryAddress,
  RegistryError,
];

function optional(description?: string) {
  return Type.Optional(
    description === undefined ? Type.String() : text(description),
  );
}
