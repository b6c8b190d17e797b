import { Type } from "typebox";
import { MOST_DAYS } from "./data-age.ts";
import type { Static } from "typebox";
import {
  Identity,
  OtherName,
  PracticeLocation,
  TaxonomySlot,
} from "./details.ts";
import { nullable, nullableText } from "./nullable.ts";

/**
 * What the service answers, in the specification's member order: the handlers' types and the schemas
 * of the OpenAPI document, to which tests hold real answers. Titles are the names of the document's components.
 */

const NPI = Type.String({ description: "10-digit NPI." });
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

export const ProviderRecord = Type.Object(
  {
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

export const LookupAnswer = Type.Object(
  {
    data: ProviderRecord,
    meta: Type.Object({
      source: Type.String({
        description: "The origin of the data, and how far it reaches.",
      }),
    }),
  },
  { title: "LookupAnswer" },
);

const COUNT = Type.Integer({ description: "Entries on this page." });
const PAGE = Type.Integer({ description: "The page asked for." });
const LIMIT = Type.Integer({ description: "The limit asked for." });

export const SearchAnswer = Type.Object(
  {
    data: Type.Array(SearchEntry),
    meta: Type.Object({
      count: COUNT,
      page: PAGE,
      limit: LIMIT,
      total: Type.Integer({
        description: "All providers that match; always exact.",
      }),
    }),
  },
  { title: "SearchAnswer" },
);

export const NearbyAnswer = Type.Object(
  {
    data: Type.Array(NearbyEntry),
    meta: Type.Object({
      count: COUNT,
      page: PAGE,
      limit: LIMIT,
      radius_miles: Type.Number({ description: "The radius asked for." }),
      center: Type.Object({
        zip: Type.String({
          description:
            "The ZIP code asked for, or the one whose centroid is nearest to the pair.",
        }),
        lat: Type.Number({
          description:
            "Latitude of the centre: the pair's, or the ZIP code's centroid.",
        }),
        lng: Type.Number({
          description:
            "Longitude of the centre: the pair's, or the ZIP code's centroid.",
        }),
      }),
    }),
  },
  { title: "NearbyAnswer" },
);

export const ChangeEntry = Type.Object(
  {
    npi: NPI,
    kind: Type.Enum(
      ["added", "changed", "deactivated", "reactivated", "removed"],
      {
        type: "string",
        description:
          "`added`: the NPI was not held before. `removed`: the registry's new full file lacks it. `deactivated`, `reactivated`: its `status` is another now. `changed`: anything else.",
      },
    ),
    date: Type.String({
      description:
        "ISO 8601 day (UTC) on which this service took the change up.",
    }),
    data_date: nullableText(
      "ISO 8601 date to which the registry's file reaches that brought it; null where the file does not tell.",
    ),
    changed_fields: Type.Array(Type.String(), {
      description:
        "The paths of the members that are others now, such as `name.last`; empty for `added` and `removed`.",
    }),
  },
  { title: "Change", description: "What became of a provider's record." },
);

export const ChangesAnswer = Type.Object(
  {
    data: Type.Array(ChangeEntry),
    meta: Type.Object({
      count: Type.Integer({ description: "Changes in this answer." }),
      limit: LIMIT,
      has_more: Type.Boolean({
        description: "Whether more changes follow already.",
      }),
      next_cursor: Type.String({
        description:
          "Where the list goes on, now or after the next update; always given.",
      }),
      complete_since: Type.String({
        description:
          "ISO 8601 time of the data from which the list goes on. A copy taken from older data cannot be brought up to date with it.",
      }),
      source: Type.String({
        description: "The origin of the data, and how far it reaches.",
      }),
    }),
  },
  { title: "ChangesAnswer" },
);

export const StatusAnswer = Type.Object(
  {
    data: Type.Object({
      snapshot: Type.String({
        description: "The id of the data that are served.",
      }),
      taken_up_at: Type.String({
        description: "ISO 8601 time at which this service made them.",
      }),
      data_date: nullableText(
        "ISO 8601 date to which the registry's files reach; null where they do not tell, and for demo data.",
      ),
      data_age_days: Type.Unsafe<number | null>({
        type: ["integer", "null"],
        description: "Whole days since `data_date`.",
      }),
      stale: Type.Boolean({
        description: `Whether the data are older than ${MOST_DAYS} days.`,
      }),
      warning: nullableText("One sentence while `stale`, else null."),
      counts: Type.Object({
        providers: Type.Integer({ description: "All records." }),
        individuals: Type.Integer({ description: "Of these, individuals." }),
        organizations: Type.Integer({
          description: "Of these, organizations.",
        }),
        deactivated: Type.Integer({
          description: "Of these, deactivated, with details or without.",
        }),
        withheld: Type.Integer({
          description:
            "Of the deactivated, those of which the NPI and the date alone are known.",
        }),
      }),
      next_update: nullableText(
        "ISO 8601 time at which this service looks for new data next; null without a schedule.",
      ),
    }),
    meta: Type.Object({
      source: Type.String({
        description: "The origin of the data, and how far it reaches.",
      }),
    }),
  },
  { title: "StatusAnswer" },
);

export type ChangesAnswer = Static<typeof ChangesAnswer>;
export type StatusAnswer = Static<typeof StatusAnswer>;
export type LookupAnswer = Static<typeof LookupAnswer>;
export type SearchAnswer = Static<typeof SearchAnswer>;
export type NearbyAnswer = Static<typeof NearbyAnswer>;
