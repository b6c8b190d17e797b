import { Type } from "typebox";
import type { Static, TSchema } from "typebox";
import {
  Address,
  Endpoint,
  Identifier,
  Identity,
  MailingAddress,
  OtherName,
  PracticeLocation,
  TaxonomySlot,
} from "./details.ts";
import { decimal, nullable, nullableText, text } from "./schemas.ts";
import { PARTS } from "./provider-fields.ts";

/**
 * Schemas and types of a provider, with fields in the specification's order. Null means that the registry has no value
 * (blank or masked) or withheld it, for a deactivated NPI without imported details. Titles are the component names in
 * the OpenAPI document.
 */

export const NPI = text("10-digit NPI.");
const STATUS = Type.Enum(["active", "deactivated"], {
  type: "string",
  description:
    "`active`: the NPI is in force. `deactivated`: it is not, and `deactivation_date` is set.",
});
const ENTITY_TYPE = Type.Unsafe<"individual" | "organization" | null>({
  type: ["string", "null"],
  enum: ["individual", "organization", null],
  description: "Null for a deactivated NPI without details.",
});

export const PersonName = Type.Object(
  {
    first: nullableText("Null if the registry lists none."),
    middle: nullableText("Null if there is none."),
    last: nullableText("Null if the registry lists none."),
    credential: nullableText(
      "As published, such as `MD` or `M.D.`; null if there is none.",
    ),
  },
  { title: "PersonName", description: "An individual's name, as published." },
);

export const Taxonomy = Type.Object(
  {
    code: text("NUCC taxonomy code: 10 letters and digits."),
    description: nullableText(
      "NUCC's display name; null if the loaded NUCC table does not have the code.",
    ),
  },
  { title: "Taxonomy", description: "A specialty." },
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
    "ISO 8601 date on which the registry last updated the record.",
  ),
  deactivation_date: nullableText("ISO 8601 date; null unless deactivated."),
  primary_taxonomy: nullable(
    Taxonomy,
    "The taxonomy that the registry marks as primary, or else the first one; null if there is none.",
  ),
  practice_address: nullable(
    Address,
    "Null if all of its fields would be null.",
  ),
};

/** A record in a snapshot, without the fields that `include` adds. */
export const Provider = Type.Object(RECORD);

export const ProviderRecord = Type.Object(
  {
    ...RECORD,
    taxonomies: Type.Optional(list("taxonomies", TaxonomySlot)),
    other_names: Type.Optional(list("other_names", OtherName)),
    locations: Type.Optional(list("locations", PracticeLocation)),
    identity: Type.Optional(Identity),
    mailing_address: Type.Optional(
      nullable(MailingAddress, PARTS.mailing_address.included),
    ),
    identifiers: Type.Optional(list("identifiers", Identifier)),
    endpoints: Type.Optional(list("endpoints", Endpoint)),
  },
  {
    title: "Provider",
    description:
      "A record confirms only that the provider is enumerated in the registry. For a deactivated NPI the registry withholds everything but the NPI and the date. This service shows the last details that it imported. If it never imported any, every field except `npi`, `status` and `deactivation_date` is null: missing values are never guessed.",
  },
);

const ENTRY = {
  npi: NPI,
  entity_type: ENTITY_TYPE,
  name: nullable(PersonName, "Null for organizations."),
  organization_name: nullableText("Null for individuals."),
  status: STATUS,
  primary_taxonomy: nullable(Taxonomy, "Null if the registry lists none."),
  city: nullableText("Practice city, as published."),
  state: nullableText(
    "Practice state: two letters for a U.S. address, otherwise as published.",
  ),
};

export const SearchEntry = Type.Object(ENTRY, {
  title: "SearchEntry",
  description: "A provider in search results.",
});

export const MatchedLocation = Type.Object(
  {
    kind: Type.Enum(["primary", "secondary"], {
      type: "string",
      description:
        "`primary`: the `practice_address` of the record. `secondary`: another practice location.",
    }),
    address: Address,
  },
  {
    title: "MatchedLocation",
    description:
      "The provider's location nearest to the center, to which `distance_miles` is measured. Only with `location_scope=any`.",
  },
);

export const NearbyEntry = Type.Object(
  {
    ...ENTRY,
    distance_miles: decimal(
      "Great-circle distance from the center in miles (mean Earth radius 3,958.7613), to two decimals. Approximate: a provider's position is the centroid of its ZIP code.",
    ),
    matched_location: Type.Optional(MatchedLocation),
  },
  {
    title: "NearbyEntry",
    description: "A provider in nearby results, with its distance.",
  },
);

/** Describes a part of the details that is a list. */
function list<Entry extends TSchema>(
  part:
    "taxonomies" | "other_names" | "locations" | "identifiers" | "endpoints",
  entry: Entry,
) {
  return Type.Array(entry, { description: PARTS[part].included });
}

export type EntityType = NonNullable<Static<typeof ENTITY_TYPE>>;
export type Status = Static<typeof STATUS>;
export type PersonName = Static<typeof PersonName>;
export type Taxonomy = Static<typeof Taxonomy>;
export type Provider = Static<typeof Provider>;
export type ProviderRecord = Static<typeof ProviderRecord>;
export type SearchEntry = Static<typeof SearchEntry>;
export type MatchedLocation = Static<typeof MatchedLocation>;
export type NearbyEntry = Static<typeof NearbyEntry>;
