import { Type } from "typebox";
import type { Static } from "typebox";
import {
  Identity,
  OtherName,
  PracticeLocation,
  TaxonomySlot,
} from "./details.ts";
import { nullable, nullableText } from "./nullable.ts";

/**
 * A provider as the service shows it, in the specification's member order: schemas and types. Null is the registry's silence:
 * blank or masked there, or withheld for a deactivated NPI whose details this installation never held. Titles are the
 * names of the OpenAPI document's components.
 */

export const NPI = Type.String({ description: "10-digit NPI." });
const STATUS = Type.Enum(["active", "deactivated"], {
  type: "string",
  description:
    "`active`: the NPI is in force. `deactivated`: it was deactivated, and `deactivation_date` is set.",
});
const ENTITY_TYPE = Type.Unsafe<"individual" | "organization" | null>({
  type: ["string", "null"],
  enum: ["individual", "organization", null],
  description: "Null for a deactivated NPI whose details are withheld.",
});

export const PersonName = Type.Object(
  {
    first: nullableText("Null when the registry shows none."),
    middle: nullableText("Null when there is none."),
    last: nullableText("Null when the registry shows none."),
    credential: nullableText(
      "As published, such as `MD` or `M.D.`; null when there is none.",
    ),
  },
  { title: "PersonName", description: "An individual's name, as published." },
);

export const Taxonomy = Type.Object(
  {
    code: Type.String({
      description: "NUCC taxonomy code: 10 letters and digits.",
    }),
    description: nullableText(
      "NUCC's display name; null for a code that the loaded NUCC table lacks.",
    ),
  },
  { title: "Taxonomy", description: "A specialty." },
);

export const Address = Type.Object(
  {
    address_1: nullableText("Null when the registry shows none."),
    address_2: nullableText("Null when there is none."),
    city: nullableText("As published."),
    state: nullableText(
      "Two letters on a U.S. address; elsewhere whatever the registry holds, or null.",
    ),
    postal_code: nullableText(
      "As published, without reformatting: `627011234`, `62701-1234`, `62701`.",
    ),
    country: nullableText("Two-letter country code."),
  },
  { title: "Address", description: "A practice location." },
);

const RECORD = {
  npi: NPI,
  entity_type: ENTITY_TYPE,
  name: nullable(PersonName, "Null for organizations."),
  organization_name: nullableText("Null for individuals."),
  status: STATUS,
  enumeration_date: nullableText(
    "ISO 8601 date on which the NPI was assigned.",
  ),
  last_updated: nullableText(
    "ISO 8601 date of the registry's own last update of the record.",
  ),
  deactivation_date: nullableText("ISO 8601 date; null unless deactivated."),
  primary_taxonomy: nullable(
    Taxonomy,
    "The taxonomy that the registry marks as primary, or the first one given; null when there is none.",
  ),
  practice_address: nullable(
    Address,
    "Null when every member of it would be null.",
  ),
};

/** A record as snapshots hold it, without the members that `include` adds. */
export const Provider = Type.Object(RECORD);

export const ProviderRecord = Type.Object(
  {
    ...RECORD,
    taxonomies: Type.Optional(
      Type.Array(TaxonomySlot, {
        description:
          "With `include=taxonomies`: every taxonomy, in the registry's order.",
      }),
    ),
    other_names: Type.Optional(
      Type.Array(OtherName, {
        description: "With `include=other_names`: former and other names.",
      }),
    ),
    locations: Type.Optional(
      Type.Array(PracticeLocation, {
        description:
          "With `include=locations`: practice locations besides `practice_address`.",
      }),
    ),
    identity: Type.Optional(Identity),
  },
  {
    title: "Provider",
    description:
      "A record confirms only that the provider is enumerated in the registry. The registry withholds everything but the NPI and the date for a deactivated NPI. This installation shows the last details that an earlier import of its own held; where none were ever held, every member but `npi`, `status` and `deactivation_date` is null. The registry's silence is shown, never guessed.",
  },
);

const ENTRY = {
  npi: NPI,
  entity_type: ENTITY_TYPE,
  name: nullable(PersonName, "Null for organizations."),
  organization_name: nullableText("Null for individuals."),
  status: STATUS,
  primary_taxonomy: nullable(Taxonomy, "Null when the registry shows none."),
  city: nullableText("Practice city, as published."),
  state: nullableText(
    "Practice state: two letters on a U.S. address, elsewhere whatever the registry holds.",
  ),
};

export const SearchEntry = Type.Object(ENTRY, {
  title: "SearchEntry",
  description: "A provider in a list of results.",
});

export const MatchedLocation = Type.Object(
  {
    kind: Type.Enum(["primary", "secondary"], {
      type: "string",
      description:
        "`primary`: the practice location of the record. `secondary`: another one.",
    }),
    address: Address,
  },
  {
    title: "MatchedLocation",
    description:
      "The nearest location of the provider, to which `distance_miles` is measured; only with a `location_scope` of `any`.",
  },
);

export const NearbyEntry = Type.Object(
  {
    ...ENTRY,
    distance_miles: Type.Number({
      description:
        "Great-circle miles from the centre, in two decimals. Approximate: a provider stands at the centroid of its ZIP code.",
    }),
    matched_location: Type.Optional(MatchedLocation),
  },
  {
    title: "NearbyEntry",
    description: "A provider in a list of results, with its distance.",
  },
);

export type EntityType = NonNullable<Static<typeof ENTITY_TYPE>>;
export type Status = Static<typeof STATUS>;
export type PersonName = Static<typeof PersonName>;
export type Taxonomy = Static<typeof Taxonomy>;
export type Address = Static<typeof Address>;
export type Provider = Static<typeof Provider>;
export type ProviderRecord = Static<typeof ProviderRecord>;
export type SearchEntry = Static<typeof SearchEntry>;
export type MatchedLocation = Static<typeof MatchedLocation>;
export type NearbyEntry = Static<typeof NearbyEntry>;
