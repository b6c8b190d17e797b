import { Type } from "typebox";
import { nullableText } from "../nullable.ts";
import { RegistryError } from "./errors.ts";

/** The answers of the registry's own API, members in alphabetical order. */

const ADDRESS = {
  address_1: text(),
  address_2: text(),
  address_type: text("`DOM`, `FGN` or `MIL`."),
  city: text(),
  country_code: text("Two letters."),
  country_name: text(),
  postal_code: text("Without a hyphen in the U.S."),
  state: text(),
};

const RegistryAddress = Type.Object(
  {
    ...ADDRESS,
    address_purpose: text("`LOCATION` or `MAILING`."),
    fax_number: text(),
    telephone_number: text("With hyphens."),
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
      authorized_official_credential: text(),
      authorized_official_first_name: text(),
      authorized_official_last_name: text(),
      authorized_official_middle_name: text(),
      authorized_official_name_prefix: text(),
      authorized_official_name_suffix: text(),
      authorized_official_telephone_number: text("As published."),
      authorized_official_title_or_position: text(),
      certification_date: text("ISO 8601."),
      credential: text(),
      enumeration_date: text("ISO 8601."),
      first_name: text(),
      last_name: text(),
      last_updated: text("ISO 8601."),
      middle_name: text(),
      name_prefix: text(),
      name_suffix: text(),
      organization_name: text(),
      organizational_subpart: text("`YES` or `NO`."),
      parent_organization_legal_business_name: text(),
      sex: text("`F`, `M`, or another code of the registry; empty for none."),
      sole_proprietor: text("`YES`, `NO`, or `X` for not answered."),
      status: Type.String({ description: "Always `A`, active." }),
    }),
    created_epoch: text(
      "Midnight UTC of the enumeration date, in milliseconds since 1970.",
    ),
    endpoints: Type.Optional(
      Type.Array(
        Type.Object({
          ...ADDRESS,
          affiliation: text("`Y` or `N`."),
          affiliationName: text(),
          contentOtherDescription: text(),
          contentType: text(),
          contentTypeDescription: text("Empty for none."),
          endpoint: text("An email address or a URL."),
          endpointDescription: text(),
          endpointType: text(),
          endpointTypeDescription: text(),
          use: text(),
          useDescription: text("Empty for none."),
          useOtherDescription: text(),
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
    last_updated_epoch: text(
      "Midnight UTC of the last update, in milliseconds since 1970.",
    ),
    number: Type.String({ description: "The NPI." }),
    other_names: Type.Optional(
      Type.Array(
        Type.Object({
          code: text("1 to 5."),
          credential: text(),
          first_name: text(),
          last_name: text(),
          middle_name: text(),
          organization_name: text(),
          prefix: text(),
          suffix: text(),
          type: text("What the code means."),
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
        code: Type.String({ description: "NUCC taxonomy code." }),
        desc: nullableText("Classification and specialization."),
        license: Type.Optional(nullableText("Number of the license.")),
        primary: Type.Boolean({
          description: "Whether it is the primary one.",
        }),
        state: Type.Optional(nullableText("Of the license.")),
        taxonomy_group: text('Code and name, or `""`.'),
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
    result_count: Type.Optional(
      Type.Integer({ description: "How many providers the response has." }),
    ),
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

function text(description?: string) {
  return Type.Optional(
    Type.String(description === undefined ? {} : { description }),
  );
}
