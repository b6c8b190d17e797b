/* Written by tools/write-client-types.ts from the service's schemas. Do not edit. */

/** A record confirms only that the provider is enumerated in the registry. For a deactivated NPI the registry withholds everything but the NPI and the date. This service shows the last details that it imported. If it never imported any, every field except `npi`, `status` and `deactivation_date` is null: missing values are never guessed. */
export interface Provider {
  /** 10-digit NPI. */
  npi: string;
  /** Null for a deactivated NPI without details. */
  entity_type: "individual" | "organization" | null;
  /** Null for organizations. */
  name: PersonName | null;
  /** Null for individuals. */
  organization_name: string | null;
  /** `active`: the NPI is in force. `deactivated`: it is not, and `deactivation_date` is set. */
  status: "active" | "deactivated";
  /** ISO 8601 date on which the NPI was assigned. */
  enumeration_date: string | null;
  /** ISO 8601 date on which the registry last updated the record. */
  last_updated: string | null;
  /** ISO 8601 date; null unless deactivated. */
  deactivation_date: string | null;
  /** The taxonomy that the registry marks as primary, or else the first one; null if there is none. */
  primary_taxonomy: Taxonomy | null;
  /** Null if all of its fields would be null. */
  practice_address: Address | null;
  /** With `include=taxonomies`: every taxonomy, in the registry's order. */
  taxonomies?: TaxonomySlot[];
  /** With `include=other_names`: former and other names. */
  other_names?: OtherName[];
  /** With `include=locations`: secondary practice locations. */
  locations?: PracticeLocation[];
  /** Other facts that the registry publishes about the provider. */
  identity?: Identity;
  /** With `include=mailing_address`: where the provider gets mail; null if all of its fields would be null. */
  mailing_address?: MailingAddress | null;
  /** With `include=identifiers`: numbers that others gave the provider, up to 50. */
  identifiers?: Identifier[];
  /** With `include=endpoints`: electronic addresses for health information. */
  endpoints?: Endpoint[];
}

/** A provider in search results. */
export interface SearchEntry {
  /** 10-digit NPI. */
  npi: string;
  /** Null for a deactivated NPI without details. */
  entity_type: "individual" | "organization" | null;
  /** Null for organizations. */
  name: PersonName | null;
  /** Null for individuals. */
  organization_name: string | null;
  /** `active`: the NPI is in force. `deactivated`: it is not, and `deactivation_date` is set. */
  status: "active" | "deactivated";
  /** Null if the registry lists none. */
  primary_taxonomy: Taxonomy | null;
  /** Practice city, as published. */
  city: string | null;
  /** Practice state: two letters for a U.S. address, otherwise as published. */
  state: string | null;
}

/** A provider in nearby results, with its distance. */
export interface NearbyEntry {
  /** 10-digit NPI. */
  npi: string;
  /** Null for a deactivated NPI without details. */
  entity_type: "individual" | "organization" | null;
  /** Null for organizations. */
  name: PersonName | null;
  /** Null for individuals. */
  organization_name: string | null;
  /** `active`: the NPI is in force. `deactivated`: it is not, and `deactivation_date` is set. */
  status: "active" | "deactivated";
  /** Null if the registry lists none. */
  primary_taxonomy: Taxonomy | null;
  /** Practice city, as published. */
  city: string | null;
  /** Practice state: two letters for a U.S. address, otherwise as published. */
  state: string | null;
  /** Great-circle distance from the center in miles (mean Earth radius 3,958.7613), to two decimals. Approximate: a provider's position is the centroid of its ZIP code. */
  distance_miles: number;
  /** The provider's location nearest to the center, to which `distance_miles` is measured. Only with `location_scope=any`. */
  matched_location?: MatchedLocation;
}

/** The provider's location nearest to the center, to which `distance_miles` is measured. Only with `location_scope=any`. */
export interface MatchedLocation {
  /** `primary`: the `practice_address` of the record. `secondary`: another practice location. */
  kind: "primary" | "secondary";
  /** A practice location. */
  address: Address;
}

/** An individual's name, as published. */
export interface PersonName {
  /** Null if the registry lists none. */
  first: string | null;
  /** Null if there is none. */
  middle: string | null;
  /** Null if the registry lists none. */
  last: string | null;
  /** As published, such as `MD` or `M.D.`; null if there is none. */
  credential: string | null;
}

/** A specialty. */
export interface Taxonomy {
  /** NUCC taxonomy code: 10 letters and digits. */
  code: string;
  /** NUCC's display name; null if the loaded NUCC table does not have the code. */
  description: string | null;
}

/** A practice location. */
export interface Address {
  /** Null if the registry lists none. */
  address_1: string | null;
  /** Null if there is none. */
  address_2: string | null;
  /** As published. */
  city: string | null;
  /** Two letters for a U.S. address; otherwise as published, or null. */
  state: string | null;
  /** As published, not reformatted: `627011234`, `62701-1234` or `62701`. */
  postal_code: string | null;
  /** Two-letter country code. */
  country: string | null;
}

/** The person authorized to act for an organization. */
export interface AuthorizedOfficial {
  /** Such as `DR.` */
  prefix: string | null;
  /** As published. */
  first: string | null;
  /** As published. */
  middle: string | null;
  /** As published. */
  last: string | null;
  /** Such as `JR.` */
  suffix: string | null;
  /** As published, such as `MD`. */
  credential: string | null;
  /** Title or position. */
  title: string | null;
  /** As published. */
  phone: string | null;
}

/** An electronic address for health information. Descriptions of its codes are the registry's. */
export interface Endpoint {
  /** Such as DIRECT (Direct Messaging Address) or FHIR (FHIR URL); null if the registry lists none. */
  type: {
    /** The registry's code. */
    code: string;
    /** What the code means; null if unknown. */
    description: string | null;
  } | null;
  /** The electronic address: an email address or a URL. */
  address: string | null;
  /** As published. */
  description: string | null;
  /** Whether it belongs to another organization; null if the registry does not say. */
  affiliation: boolean | null;
  /** Legal business name of the organization that it belongs to. */
  affiliation_name: string | null;
  /** Such as DIRECT or HIE (Health Information Exchange); null if the registry lists none. */
  use: {
    /** The registry's code. */
    code: string;
    /** What the code means; null if unknown. */
    description: string | null;
  } | null;
  /** The use, in the provider's own words. */
  other_use: string | null;
  /** The kind of documents it takes; null if the registry lists none. */
  content_type: {
    /** The registry's code. */
    code: string;
    /** What the code means; null if unknown. */
    description: string | null;
  } | null;
  /** The kind of documents, in the provider's own words. */
  other_content_type: string | null;
  /** Where it is used; null if all of its fields would be null. */
  location: Address | null;
}

/** All parts of a person's name, as published. */
export interface FullName {
  /** Such as `DR.` */
  prefix: string | null;
  /** As published. */
  first: string | null;
  /** As published. */
  middle: string | null;
  /** As published. */
  last: string | null;
  /** Such as `JR.` */
  suffix: string | null;
  /** As published, such as `MD`. */
  credential: string | null;
}

/** A number that a payer or a state gave the provider. */
export interface Identifier {
  /** The number, as published. */
  identifier: string | null;
  /** 01 OTHER, 02 MEDICARE UPIN, 04 MEDICARE ID-TYPE UNSPECIFIED, 05 MEDICAID, 06 MEDICARE OSCAR/CERTIFICATION, 07 MEDICARE NSC, 08 MEDICARE PIN; null if the registry lists none. */
  type: {
    /** The registry's code. */
    code: string;
    /** What the code means; null if unknown. */
    description: string | null;
  } | null;
  /** The state of the issuer, as published. */
  state: string | null;
  /** Who issued it, for type 01; as published. */
  issuer: string | null;
}

/** Other facts that the registry publishes about the provider. */
export interface Identity {
  /** For individuals, such as `DR.` */
  name_prefix: string | null;
  /** For individuals, such as `JR.` */
  name_suffix: string | null;
  /** The registry's code, such as `F` or `M`. */
  sex: string | null;
  /** For individuals; null if not answered. */
  sole_proprietor: boolean | null;
  /** Whether the organization is part of another one. */
  organization_subpart: boolean | null;
  /** Legal business name of the parent organization. */
  parent_organization: string | null;
  /** Of the primary practice location, as published. */
  phone: string | null;
  /** Of the primary practice location, as published. */
  fax: string | null;
  /** ISO 8601 date on which the provider last certified the record. */
  certification_date: string | null;
  /** DT Death, DB Disbandment, FR Fraud, OT Other; null if the registry lists none. */
  deactivation_reason: {
    /** The registry's code. */
    code: string;
    /** What the code means; null if unknown. */
    description: string | null;
  } | null;
  /** ISO 8601 date of the last deactivation, even if the NPI is active again. */
  deactivation_date: string | null;
  /** ISO 8601 date. */
  reactivation_date: string | null;
  /** The NPI that replaces this one; null if it is the provider's own. */
  replacement_npi: string | null;
  /** For organizations; null if the registry lists none. */
  authorized_official: AuthorizedOfficial | null;
}

/** A mailing address. */
export interface MailingAddress {
  /** Null if the registry lists none. */
  address_1: string | null;
  /** Null if there is none. */
  address_2: string | null;
  /** As published. */
  city: string | null;
  /** Two letters for a U.S. address; otherwise as published, or null. */
  state: string | null;
  /** As published, not reformatted: `627011234`, `62701-1234` or `62701`. */
  postal_code: string | null;
  /** Two-letter country code. */
  country: string | null;
  /** As published. */
  phone: string | null;
  /** As published. */
  fax: string | null;
  /** `domestic`, `foreign`, or `military`, by country and state; null if the registry lists neither. */
  address_type: string | null;
}

/** Another name of a provider. */
export interface OtherName {
  /** 1 Former Name, 2 Professional Name, 3 Doing Business As, 4 Former Legal Business Name, 5 Other Name; null if the registry lists none. */
  type: {
    /** The registry's code. */
    code: string;
    /** What the code means; null if unknown. */
    description: string | null;
  } | null;
  /** A person's name; null for an organization. */
  name: FullName | null;
  /** Null for a person. */
  organization_name: string | null;
}

/** A secondary practice location. */
export interface PracticeLocation {
  /** As published. */
  address_1: string | null;
  /** As published. */
  address_2: string | null;
  /** As published. */
  city: string | null;
  /** As published. */
  state: string | null;
  /** As published, without reformatting. */
  postal_code: string | null;
  /** Two-letter country code. */
  country: string | null;
  /** As published. */
  phone: string | null;
  /** As published. */
  phone_extension: string | null;
  /** As published. */
  fax: string | null;
  /** `domestic`, `foreign`, or `military`, by country and state; null if the registry lists neither. */
  address_type: string | null;
}

/** One of a provider's taxonomies. */
export interface TaxonomySlot {
  /** NUCC taxonomy code. */
  code: string;
  /** NUCC's display name; null if the loaded NUCC table does not have the code. */
  description: string | null;
  /** Whether the registry marks it as primary. If it marks none, `primary_taxonomy` is the first one. */
  primary: boolean;
  /** As published. */
  license_number: string | null;
  /** The state that issued the license. */
  license_state: string | null;
  /** The kind of group practice; null if the registry lists none. */
  group: {
    /** The registry's code. */
    code: string;
    /** What the code means; null if unknown. */
    description: string | null;
  } | null;
}

export interface BatchResponse {
  /** An entry for each number, in the order sent. */
  data: BatchEntry[];
  meta: {
    /** Entries in this response. */
    count: number;
    /** How many requests this one counts as: one for each NPI that was looked up. */
    counted: number;
    /** Where the data comes from, and the dates it covers. */
    source: string;
  };
}

/** A number of a batch. */
export interface BatchEntry {
  /** The number as sent, without outer spaces. */
  npi: string;
  /** `active`, `deactivated`: the status of the provider. `not_found`: the registry has no record of this NPI. `invalid_check_digit`: the last digit is wrong, so a digit has a typo. `malformed`: not 10 digits. Only the first three are looked up and count. */
  verdict:
    | "active"
    | "deactivated"
    | "not_found"
    | "invalid_check_digit"
    | "malformed";
  /** The record, as a lookup has it; null unless `active` or `deactivated`. */
  provider: Provider | null;
  /** The NPI that the registry names as the replacement of a deactivated one; null if it names none, or if the installation does not store `identity`. */
  replaced_by: string | null;
  /** Only with `invalid_check_digit`: up to 5 NPIs in the registry that differ by two neighboring digits in the wrong order, or by one digit. The most likely comes first: swapped digits before single ones, and of these, active providers first. */
  suggestions?: string[];
}

/** A change to a provider's record. */
export interface Change {
  /** 10-digit NPI. */
  npi: string;
  /** `added`: the NPI is new here. `removed`: it is no longer in the registry's full file. `deactivated`, `reactivated`: its `status` changed. `changed`: anything else changed. */
  kind: "added" | "changed" | "deactivated" | "reactivated" | "removed";
  /** ISO 8601 date (UTC) on which this service imported the change. */
  date: string;
  /** ISO 8601 end date of the registry file that contained the change; null if the file has no dates. */
  data_date: string | null;
  /** Paths of the fields that changed, such as `name.last`; empty for `added` and `removed`. */
  changed_fields: string[];
  /** Only with `include=details`, and only if details changed: each of them, with its old and new value. */
  details?: {
    /** Path of the member that `include` shows, such as `identity.phone`; for a list, its name. */
    field: string;
    /** The old value; for a list, the entries that are gone. Null together with `new`: too long to list. */
    old: unknown;
    /** The new value; for a list, the entries that are new. */
    new: unknown;
  }[];
}

export interface ChangesResponse {
  data: Change[];
  meta: {
    /** Changes in this response. */
    count: number;
    /** The requested limit. */
    limit: number;
    /** Whether more changes are available now. */
    has_more: boolean;
    /** The cursor for the next request, now or after the next update. Always present. */
    next_cursor: string;
    /** ISO 8601 time of the data on which the list of changes builds. A copy of older data cannot be updated with it. */
    complete_since: string;
    /** Where the data comes from, and the dates it covers. */
    source: string;
  };
}

export interface FilesResponse {
  data: SnapshotFile[];
  meta: {
    /** The id of the snapshot. */
    snapshot: string;
    /** ISO 8601 end date of the registry's files; null if they have no dates, and for demo data. */
    data_date: string | null;
    /** The id of the snapshot that `changes.parquet` brings up to date; null without that file. */
    changes_from: string | null;
    /** Where the data comes from, and the dates it covers. */
    source: string;
  };
}

export interface LookupResponse {
  /** A record confirms only that the provider is enumerated in the registry. For a deactivated NPI the registry withholds everything but the NPI and the date. This service shows the last details that it imported. If it never imported any, every field except `npi`, `status` and `deactivation_date` is null: missing values are never guessed. */
  data: Provider;
  meta: {
    /** Where the data comes from, and the dates it covers. */
    source: string;
  };
}

export interface NearbyResponse {
  data: NearbyEntry[];
  meta: {
    /** Entries on this page. */
    count: number;
    /** The requested page. */
    page: number;
    /** The requested limit. */
    limit: number;
    /** The requested radius. */
    radius_miles: number;
    center: {
      /** The requested ZIP code, or the one whose centroid is nearest to `lat` and `lng`. */
      zip: string;
      /** Latitude of the center: the requested `lat`, or that of the ZIP code's centroid. */
      lat: number;
      /** Longitude of the center: the requested `lng`, or that of the ZIP code's centroid. */
      lng: number;
    };
  };
}

export interface SearchResponse {
  data: SearchEntry[];
  meta: {
    /** Entries on this page. */
    count: number;
    /** The requested page. */
    page: number;
    /** The requested limit. */
    limit: number;
    /** Number of matching providers; always exact. */
    total: number;
  };
}

/** A file to copy, or to query. */
export interface SnapshotFile {
  /** Its name, such as `providers.parquet`. */
  name: string;
  /** What it has, and in what order. */
  description: string;
  /** Its media type. */
  media_type: string;
  /** The number of rows, or of lines of NDJSON. */
  rows: number;
  /** Size in bytes. */
  bytes: number;
  /** SHA-256 of its bytes, as 64 hexadecimal digits. */
  sha256: string;
  /** Path of the file, below the service's address. Valid while the snapshot is kept; what is there never changes. */
  url: string;
  /** The columns of a table; empty for NDJSON. */
  columns: {
    /** The column's name. */
    name: string;
    /** Its type in SQL, such as `VARCHAR` or `DATE`. */
    type: string;
  }[];
}

export interface StatusResponse {
  data: {
    /** The id of the snapshot being served. */
    snapshot: string;
    /** ISO 8601 time at which this service created the snapshot. */
    taken_up_at: string;
    /** ISO 8601 end date of the registry's files; null if they have no dates, and for demo data. */
    data_date: string | null;
    /** Whole days since `data_date`. */
    data_age_days: number | null;
    /** Whether the data is older than 10 days. */
    stale: boolean;
    /** A sentence about the data's age if `stale`, else null. */
    warning: string | null;
    counts: {
      /** All providers. */
      providers: number;
      /** Individuals. */
      individuals: number;
      /** Organizations. */
      organizations: number;
      /** Deactivated providers, with or without details. */
      deactivated: number;
      /** Deactivated providers of which only the NPI and the date are known. */
      withheld: number;
    };
    /** ISO 8601 time of the next check for new data; null if no checks are scheduled. */
    next_update: string | null;
    /** What `include` can add to a record: the parts that this installation stores. */
    details: (
      | "taxonomies"
      | "other_names"
      | "locations"
      | "identity"
      | "mailing_address"
      | "identifiers"
      | "endpoints"
    )[];
  };
  meta: {
    /** Where the data comes from, and the dates it covers. */
    source: string;
  };
}

export interface TaxonomiesResponse {
  data: TaxonomyEntry[];
  meta: {
    /** Entries on this page. */
    count: number;
    /** The requested page. */
    page: number;
    /** The requested limit. */
    limit: number;
    /** Number of matching taxonomies. */
    total: number;
  };
}

export interface TaxonomyResponse {
  /** A taxonomy of the loaded NUCC table or of any provider, and how many active providers have it. */
  data: TaxonomyEntry;
  meta: {
    /** Where the data comes from, and the dates it covers. */
    source: string;
  };
}

/** A taxonomy of the loaded NUCC table or of any provider, and how many active providers have it. */
export interface TaxonomyEntry {
  /** NUCC taxonomy code: 10 letters and digits. */
  code: string;
  /** NUCC's display name; null if the loaded NUCC table does not have the code. */
  description: string | null;
  /** The top level of NUCC's hierarchy, such as `Allopathic & Osteopathic Physicians`. Null, like the two below, if the loaded NUCC table does not have it. */
  grouping: string | null;
  /** The level below it. */
  classification: string | null;
  /** The lowest level; null for a taxonomy without one. */
  specialization: string | null;
  active_providers: {
    /** Providers that have it as their primary taxonomy. */
    primary: {
      /** Active individuals. */
      individuals: number;
      /** Active organizations. */
      organizations: number;
    };
    /** Providers that have it as one of their taxonomies, each counted once; null if the installation stores only primary taxonomies, or was upgraded and has not imported anything since. */
    any: {
      /** Active individuals. */
      individuals: number;
      /** Active organizations. */
      organizations: number;
    } | null;
  };
}

export interface InterpretResponse {
  data: {
    /** What to send: `lookup` is `GET /v1/providers/{npi}`, `search` and `nearby` are the searches. Null if `q` has nothing that can be searched or looked up; then `filters` is empty and `total` 0. */
    operation: "lookup" | "search" | "nearby" | null;
    /** The parameters of the operation as they are sent: of a lookup only `npi`, of a nearby search `zip` as its center: around a city, the ZIP code of the city with the most providers. A nearby search without `zip` needs a place, which the text doesn't name: ask the user for one, or send `lat` and `lng` of their device. */
    filters: {
      npi?: string;
      name?: string;
      first_name?: string;
      name_aliases?: "true";
      middle_initial?: string;
      last_name?: string;
      organization?: string;
      city?: string;
      state?: string;
      zip?: string;
      radius?: number;
      taxonomy?: string;
      specialty?: string;
      specialty_scope?: "common";
      entity_type?: "individual" | "organization";
    };
    /** What became a filter, in the order typed. */
    understood: {
      /** A part of `q`, as typed. */
      text: string;
      /** The parameter that it became, or `operation` for words such as near. */
      filter: string;
    }[];
    /** What is in no filter, in the order typed: titles, credentials, insurance, phone numbers. */
    dropped: {
      /** A part of `q`, as typed. */
      text: string;
      /** Why it is in no filter, in English, for users. */
      reason: string;
    }[];
    /** What else may be meant, the likeliest first: nicknames, another sense of a word (Jackson is a name and a city), another spelling, a name with fewer words, the last name in the place, also with the first name's initial, the name without the specialty or the reverse, or other places. For an NPI with a wrong check digit: NPIs that may be meant. Each finds at least one provider, except around a place that is missing, where its total is 0. */
    alternatives: {
      operation: "lookup" | "search" | "nearby";
      /** The parameters of the operation as they are sent: of a lookup only `npi`, of a nearby search `zip` as its center: around a city, the ZIP code of the city with the most providers. A nearby search without `zip` needs a place, which the text doesn't name: ask the user for one, or send `lat` and `lng` of their device. */
      filters: {
        npi?: string;
        name?: string;
        first_name?: string;
        name_aliases?: "true";
        middle_initial?: string;
        last_name?: string;
        organization?: string;
        city?: string;
        state?: string;
        zip?: string;
        radius?: number;
        taxonomy?: string;
        specialty?: string;
        specialty_scope?: "common";
        entity_type?: "individual" | "organization";
      };
      /** How many providers it finds; always exact. */
      total: number;
    }[];
    /** How many providers it finds; always exact. */
    total: number;
  };
  meta: {
    /** Where the data comes from, and the dates it covers. */
    source: string;
  };
}

export interface LookupParameters {
  /** Fields to add to the record, as a comma-separated list: `taxonomies` (every taxonomy, with its license), `other_names` (former and other names), `locations` (secondary practice locations), `identity` (other facts that the registry publishes), `mailing_address`, `identifiers` (numbers that payers and states gave the provider), `endpoints` (electronic addresses). `all` is all that this installation stores. The operator chooses which of them an installation stores. Case-insensitive. */
  readonly include?:
    | readonly (
        | "taxonomies"
        | "other_names"
        | "locations"
        | "identity"
        | "mailing_address"
        | "identifiers"
        | "endpoints"
        | "all"
      )[]
    | undefined;
  /** Read only from this snapshot: an ID from the `Snapshot` header of an earlier response. When you page through results, send it with each page, so that an update in between can't make you miss or repeat providers. The snapshot served before the current one stays available for a while; after that the response is 412 `snapshot_gone`. */
  readonly snapshot?: string | undefined;
}

export interface BatchParameters {
  /** Required. The NPIs to look up, as a comma-separated list of up to 500. Spaces around a number are ignored. Anything between two commas has an entry in the response, whether it is an NPI or not. The same NPI may be listed more than once; each time counts. */
  readonly npi?: readonly string[] | undefined;
  /** Fields to add to the record, as a comma-separated list: `taxonomies` (every taxonomy, with its license), `other_names` (former and other names), `locations` (secondary practice locations), `identity` (other facts that the registry publishes), `mailing_address`, `identifiers` (numbers that payers and states gave the provider), `endpoints` (electronic addresses). `all` is all that this installation stores. The operator chooses which of them an installation stores. Case-insensitive. */
  readonly include?:
    | readonly (
        | "taxonomies"
        | "other_names"
        | "locations"
        | "identity"
        | "mailing_address"
        | "identifiers"
        | "endpoints"
        | "all"
      )[]
    | undefined;
  /** Read only from this snapshot: an ID from the `Snapshot` header of an earlier response. When you page through results, send it with each page, so that an update in between can't make you miss or repeat providers. The snapshot served before the current one stays available for a while; after that the response is 412 `snapshot_gone`. */
  readonly snapshot?: string | undefined;
}

export interface SearchParameters {
  /** Each word must occur in the first name, last name or organization name, at the start of a word or inside it: `john smi` finds JOHN SMITH. */
  readonly name?: string | undefined;
  /** Start of the first name (individuals only). A trailing `*` is ignored. */
  readonly first_name?: string | undefined;
  /** `true`: `first_name` also finds its nicknames and full forms, as whole names: `bob` finds ROBERT. A search ranks them like names that start with the value. `false`: the default. Case-insensitive. */
  readonly name_aliases?: "true" | "false" | boolean | undefined;
  /** First letter of the middle name (individuals only), after accents and punctuation are removed. Individuals registered without a middle name never match. Case-insensitive. */
  readonly middle_initial?: string | undefined;
  /** Start of the last name (individuals only). A trailing `*` is ignored. */
  readonly last_name?: string | undefined;
  /** Each word must occur in the organization name. */
  readonly organization?: string | undefined;
  /** Which names `name`, `first_name`, `last_name` and `organization` match. `primary`, the default: only the name in the record. `any`: also other names, such as former and professional names, and the names that an organization does business as. In a search, the best match decides the order. An installation that does not store this data refuses `any` with `details_not_held`. Case-insensitive. */
  readonly name_scope?: "primary" | "any" | undefined;
  /** Only individuals, or only organizations. Case-insensitive. */
  readonly entity_type?: "individual" | "organization" | undefined;
  /** Only active, or only deactivated providers. Default: both. Case-insensitive. */
  readonly status?: "active" | "deactivated" | undefined;
  /** Only providers whose `last_updated` is on or after this date. Providers without that date never match. Just after the service starts, the response can be 503 `data_not_loaded`. */
  readonly last_updated_since?: string | undefined;
  /** The practice city, in full. Spaces make no difference: `O'Fallon` is `O FALLON`. The words ST, STE, MT and FT match SAINT, SAINTE, MOUNT and FORT. */
  readonly city?: string | undefined;
  /** State of a U.S. practice address, as two letters: the 50 states, DC, PR, GU, VI, AS, MP, and the military AA, AE and AP. Case-insensitive. */
  readonly state?:
    | "AA"
    | "AE"
    | "AK"
    | "AL"
    | "AP"
    | "AR"
    | "AS"
    | "AZ"
    | "CA"
    | "CO"
    | "CT"
    | "DC"
    | "DE"
    | "FL"
    | "GA"
    | "GU"
    | "HI"
    | "IA"
    | "ID"
    | "IL"
    | "IN"
    | "KS"
    | "KY"
    | "LA"
    | "MA"
    | "MD"
    | "ME"
    | "MI"
    | "MN"
    | "MO"
    | "MP"
    | "MS"
    | "MT"
    | "NC"
    | "ND"
    | "NE"
    | "NH"
    | "NJ"
    | "NM"
    | "NV"
    | "NY"
    | "OH"
    | "OK"
    | "OR"
    | "PA"
    | "PR"
    | "RI"
    | "SC"
    | "SD"
    | "TN"
    | "TX"
    | "UT"
    | "VA"
    | "VI"
    | "VT"
    | "WA"
    | "WI"
    | "WV"
    | "WY"
    | (string & {})
    | undefined;
  /** 5-digit ZIP code of a U.S. practice address; compared with the first five characters of the postal code. */
  readonly zip?: string | undefined;
  /** Two-letter country code (ISO 3166) of the practice address, as published; addresses in territories have `US` or the territory's code. Providers without a country never match. Just after the service starts, the response can be 503 `data_not_loaded`. Case-insensitive. */
  readonly country?: string | undefined;
  /** NUCC code of the primary taxonomy: 10 letters and digits. Case-insensitive. */
  readonly taxonomy?: string | undefined;
  /** Each word must occur in the display name of the primary taxonomy. `&` is the word AND. For everyday words, such as `cardiologist`, add `specialty_scope=common`. */
  readonly specialty?: string | undefined;
  /** Which words `specialty` takes. `display`, the default: those of display names. `common`: also everyday words such as `cardiologist`, `obgyn` or `eye doctor`. If a table has the whole value, providers with one of its taxonomies match, or with a display name that has the value as whole words; otherwise display names are compared. Case-insensitive. */
  readonly specialty_scope?: "display" | "common" | undefined;
  /** Which taxonomies `taxonomy` and `specialty` match. `primary`, the default: only the primary one. `any`: any of a provider's up to 15 taxonomies. Results show the primary one either way. An installation that does not store this data refuses `any` with `details_not_held`. Case-insensitive. */
  readonly taxonomy_scope?: "primary" | "any" | undefined;
  /** The order of results. `relevance`, the default: the best matches of names first, then by state, city, ZIP code, and NPI. `name`: by the name shown, individuals by last name and organizations by their name, then by first name, then by NPI. Those without such a name come last. Case-insensitive. */
  readonly sort?: "relevance" | "name" | undefined;
  /** Results per page. A value out of range is an error. Default: 25. */
  readonly limit?: number | undefined;
  /** Page number, starting at 1. A page past the end is empty. Default: 1. */
  readonly page?: number | undefined;
  /** Read only from this snapshot: an ID from the `Snapshot` header of an earlier response. When you page through results, send it with each page, so that an update in between can't make you miss or repeat providers. The snapshot served before the current one stays available for a while; after that the response is 412 `snapshot_gone`. */
  readonly snapshot?: string | undefined;
}

export interface NearbyParameters {
  /** ZIP code to search around. Required unless you send both `lat` and `lng`, which take precedence. */
  readonly zip?: string | undefined;
  /** Latitude of the center in decimal degrees. Requires `lng`. */
  readonly lat?: number | undefined;
  /** Longitude of the center in decimal degrees. Requires `lat`. */
  readonly lng?: number | undefined;
  /** Search radius in miles. Default: 25. */
  readonly radius?: number | undefined;
  /** Each word must occur in the first name, last name or organization name, at the start of a word or inside it: `john smi` finds JOHN SMITH. */
  readonly name?: string | undefined;
  /** Start of the first name (individuals only). A trailing `*` is ignored. */
  readonly first_name?: string | undefined;
  /** `true`: `first_name` also finds its nicknames and full forms, as whole names: `bob` finds ROBERT. A search ranks them like names that start with the value. `false`: the default. Case-insensitive. */
  readonly name_aliases?: "true" | "false" | boolean | undefined;
  /** First letter of the middle name (individuals only), after accents and punctuation are removed. Individuals registered without a middle name never match. Case-insensitive. */
  readonly middle_initial?: string | undefined;
  /** Start of the last name (individuals only). A trailing `*` is ignored. */
  readonly last_name?: string | undefined;
  /** Each word must occur in the organization name. */
  readonly organization?: string | undefined;
  /** Which names `name`, `first_name`, `last_name` and `organization` match. `primary`, the default: only the name in the record. `any`: also other names, such as former and professional names, and the names that an organization does business as. In a search, the best match decides the order. An installation that does not store this data refuses `any` with `details_not_held`. Case-insensitive. */
  readonly name_scope?: "primary" | "any" | undefined;
  /** Which practice locations are searched. `primary`, the default: only the primary one. `any`: also secondary ones. Each provider is listed once, at its nearest location, shown in `matched_location`. If several are equally near, the primary one counts, then the first in the registry's order. An installation that does not store this data refuses `any` with `details_not_held`. Case-insensitive. */
  readonly location_scope?: "primary" | "any" | undefined;
  /** Only individuals, or only organizations. Case-insensitive. */
  readonly entity_type?: "individual" | "organization" | undefined;
  /** Only active, or only deactivated providers. Default: both. Case-insensitive. */
  readonly status?: "active" | "deactivated" | undefined;
  /** Only providers whose `last_updated` is on or after this date. Providers without that date never match. Just after the service starts, the response can be 503 `data_not_loaded`. */
  readonly last_updated_since?: string | undefined;
  /** NUCC code of the primary taxonomy: 10 letters and digits. Case-insensitive. */
  readonly taxonomy?: string | undefined;
  /** Each word must occur in the display name of the primary taxonomy. `&` is the word AND. For everyday words, such as `cardiologist`, add `specialty_scope=common`. */
  readonly specialty?: string | undefined;
  /** Which words `specialty` takes. `display`, the default: those of display names. `common`: also everyday words such as `cardiologist`, `obgyn` or `eye doctor`. If a table has the whole value, providers with one of its taxonomies match, or with a display name that has the value as whole words; otherwise display names are compared. Case-insensitive. */
  readonly specialty_scope?: "display" | "common" | undefined;
  /** Which taxonomies `taxonomy` and `specialty` match. `primary`, the default: only the primary one. `any`: any of a provider's up to 15 taxonomies. Results show the primary one either way. An installation that does not store this data refuses `any` with `details_not_held`. Case-insensitive. */
  readonly taxonomy_scope?: "primary" | "any" | undefined;
  /** The order of results. `distance`, the default: nearest first, then by NPI. `name`: by the name shown, individuals by last name and organizations by their name, then by first name, then by NPI. Those without such a name come last. Case-insensitive. */
  readonly sort?: "distance" | "name" | undefined;
  /** Results per page. A value out of range is an error. Default: 25. */
  readonly limit?: number | undefined;
  /** Page number, starting at 1. A page past the end is empty. Default: 1. */
  readonly page?: number | undefined;
  /** Read only from this snapshot: an ID from the `Snapshot` header of an earlier response. When you page through results, send it with each page, so that an update in between can't make you miss or repeat providers. The snapshot served before the current one stays available for a while; after that the response is 412 `snapshot_gone`. */
  readonly snapshot?: string | undefined;
}

export interface ExportParameters {
  /** Each word must occur in the first name, last name or organization name, at the start of a word or inside it: `john smi` finds JOHN SMITH. */
  readonly name?: string | undefined;
  /** Start of the first name (individuals only). A trailing `*` is ignored. */
  readonly first_name?: string | undefined;
  /** `true`: `first_name` also finds its nicknames and full forms, as whole names: `bob` finds ROBERT. A search ranks them like names that start with the value. `false`: the default. Case-insensitive. */
  readonly name_aliases?: "true" | "false" | boolean | undefined;
  /** First letter of the middle name (individuals only), after accents and punctuation are removed. Individuals registered without a middle name never match. Case-insensitive. */
  readonly middle_initial?: string | undefined;
  /** Start of the last name (individuals only). A trailing `*` is ignored. */
  readonly last_name?: string | undefined;
  /** Each word must occur in the organization name. */
  readonly organization?: string | undefined;
  /** Which names `name`, `first_name`, `last_name` and `organization` match. `primary`, the default: only the name in the record. `any`: also other names, such as former and professional names, and the names that an organization does business as. In a search, the best match decides the order. An installation that does not store this data refuses `any` with `details_not_held`. Case-insensitive. */
  readonly name_scope?: "primary" | "any" | undefined;
  /** Only individuals, or only organizations. Case-insensitive. */
  readonly entity_type?: "individual" | "organization" | undefined;
  /** Only active, or only deactivated providers. Default: both. Case-insensitive. */
  readonly status?: "active" | "deactivated" | undefined;
  /** Only providers whose `last_updated` is on or after this date. Providers without that date never match. Just after the service starts, the response can be 503 `data_not_loaded`. */
  readonly last_updated_since?: string | undefined;
  /** The practice city, in full. Spaces make no difference: `O'Fallon` is `O FALLON`. The words ST, STE, MT and FT match SAINT, SAINTE, MOUNT and FORT. */
  readonly city?: string | undefined;
  /** State of a U.S. practice address, as two letters: the 50 states, DC, PR, GU, VI, AS, MP, and the military AA, AE and AP. Case-insensitive. */
  readonly state?:
    | "AA"
    | "AE"
    | "AK"
    | "AL"
    | "AP"
    | "AR"
    | "AS"
    | "AZ"
    | "CA"
    | "CO"
    | "CT"
    | "DC"
    | "DE"
    | "FL"
    | "GA"
    | "GU"
    | "HI"
    | "IA"
    | "ID"
    | "IL"
    | "IN"
    | "KS"
    | "KY"
    | "LA"
    | "MA"
    | "MD"
    | "ME"
    | "MI"
    | "MN"
    | "MO"
    | "MP"
    | "MS"
    | "MT"
    | "NC"
    | "ND"
    | "NE"
    | "NH"
    | "NJ"
    | "NM"
    | "NV"
    | "NY"
    | "OH"
    | "OK"
    | "OR"
    | "PA"
    | "PR"
    | "RI"
    | "SC"
    | "SD"
    | "TN"
    | "TX"
    | "UT"
    | "VA"
    | "VI"
    | "VT"
    | "WA"
    | "WI"
    | "WV"
    | "WY"
    | (string & {})
    | undefined;
  /** 5-digit ZIP code of a U.S. practice address; compared with the first five characters of the postal code. */
  readonly zip?: string | undefined;
  /** Two-letter country code (ISO 3166) of the practice address, as published; addresses in territories have `US` or the territory's code. Providers without a country never match. Just after the service starts, the response can be 503 `data_not_loaded`. Case-insensitive. */
  readonly country?: string | undefined;
  /** NUCC code of the primary taxonomy: 10 letters and digits. Case-insensitive. */
  readonly taxonomy?: string | undefined;
  /** Each word must occur in the display name of the primary taxonomy. `&` is the word AND. For everyday words, such as `cardiologist`, add `specialty_scope=common`. */
  readonly specialty?: string | undefined;
  /** Which words `specialty` takes. `display`, the default: those of display names. `common`: also everyday words such as `cardiologist`, `obgyn` or `eye doctor`. If a table has the whole value, providers with one of its taxonomies match, or with a display name that has the value as whole words; otherwise display names are compared. Case-insensitive. */
  readonly specialty_scope?: "display" | "common" | undefined;
  /** Which taxonomies `taxonomy` and `specialty` match. `primary`, the default: only the primary one. `any`: any of a provider's up to 15 taxonomies. Results show the primary one either way. An installation that does not store this data refuses `any` with `details_not_held`. Case-insensitive. */
  readonly taxonomy_scope?: "primary" | "any" | undefined;
  /** The order of results. `relevance`, the default: the best matches of names first, then by state, city, ZIP code, and NPI. `name`: by the name shown, individuals by last name and organizations by their name, then by first name, then by NPI. Those without such a name come last. Case-insensitive. */
  readonly sort?: "relevance" | "name" | undefined;
  /** `ndjson`: a record per line, as JSON. `jsonl`: the same lines, as JSON Lines. `csv`: a table with a column per field. Case-insensitive. Default: ndjson. */
  readonly format?: "ndjson" | "jsonl" | "csv" | undefined;
  /** Fields to add to the record, as a comma-separated list: `taxonomies` (every taxonomy, with its license), `other_names` (former and other names), `locations` (secondary practice locations), `identity` (other facts that the registry publishes), `mailing_address`, `identifiers` (numbers that payers and states gave the provider), `endpoints` (electronic addresses). `all` is all that this installation stores. The operator chooses which of them an installation stores. Case-insensitive. */
  readonly include?:
    | readonly (
        | "taxonomies"
        | "other_names"
        | "locations"
        | "identity"
        | "mailing_address"
        | "identifiers"
        | "endpoints"
        | "all"
      )[]
    | undefined;
  /** The columns of CSV, as a comma-separated list, in the order wanted. Of the record: `npi`, `entity_type`, `status`, `first_name` (`name.first`), `middle_name` (`name.middle`), `last_name` (`name.last`), `credential`, `organization_name`, `enumeration_date`, `last_updated`, `deactivation_date`, `taxonomy_code` (`primary_taxonomy.code`), `taxonomy_description` (`primary_taxonomy.description`), `address_1`, `address_2`, `city`, `state`, `postal_code`, `country`, `zip5` (The first five digits of `postal_code`, of U.S. addresses), `zip` (`postal_code`, with a hyphen in ZIP+4: `62701-1234`). Of `identity`: `phone`, `fax`, `name_prefix`, `name_suffix`, `sex`, `certification_date`, `reactivation_date`, `replacement_npi`. Of `mailing_address`: `mailing_address_1` (`mailing_address.address_1`), `mailing_address_2` (`mailing_address.address_2`), `mailing_city` (`mailing_address.city`), `mailing_state` (`mailing_address.state`), `mailing_postal_code` (`mailing_address.postal_code`), `mailing_country` (`mailing_address.country`), `mailing_phone` (`mailing_address.phone`), `mailing_fax` (`mailing_address.fax`). Of `taxonomies`: `license_number` (`license_number` of the primary taxonomy), `license_state` (`license_state` of the primary taxonomy), `taxonomy_codes` (The codes of all `taxonomies`, with a space between them). Default: `npi` to `country`. A column of a part that the installation does not store is 400 `details_not_held`. Case-insensitive. */
  readonly columns?:
    | readonly (
        | "npi"
        | "entity_type"
        | "status"
        | "first_name"
        | "middle_name"
        | "last_name"
        | "credential"
        | "organization_name"
        | "enumeration_date"
        | "last_updated"
        | "deactivation_date"
        | "taxonomy_code"
        | "taxonomy_description"
        | "address_1"
        | "address_2"
        | "city"
        | "state"
        | "postal_code"
        | "country"
        | "zip5"
        | "zip"
        | "phone"
        | "fax"
        | "name_prefix"
        | "name_suffix"
        | "sex"
        | "certification_date"
        | "reactivation_date"
        | "replacement_npi"
        | "mailing_address_1"
        | "mailing_address_2"
        | "mailing_city"
        | "mailing_state"
        | "mailing_postal_code"
        | "mailing_country"
        | "mailing_phone"
        | "mailing_fax"
        | "license_number"
        | "license_state"
        | "taxonomy_codes"
        | (string & {})
      )[]
    | undefined;
  /** Read only from this snapshot: an ID from the `Snapshot` header of an earlier response. When you page through results, send it with each page, so that an update in between can't make you miss or repeat providers. The snapshot served before the current one stays available for a while; after that the response is 412 `snapshot_gone`. */
  readonly snapshot?: string | undefined;
}

export interface InterpretParameters {
  /** What a user typed: names, specialties, places, or an NPI, in any order. Words after the first 40 are dropped. If it is blank or has no word that can be searched, nothing is understood. */
  readonly q?: string | undefined;
  /** Read only from this snapshot: an ID from the `Snapshot` header of an earlier response. When you page through results, send it with each page, so that an update in between can't make you miss or repeat providers. The snapshot served before the current one stays available for a while; after that the response is 412 `snapshot_gone`. */
  readonly snapshot?: string | undefined;
}

export interface ChangesParameters {
  /** Only changes that this service imported on or after this date (UTC). Without `since` and `cursor`, the list starts at the oldest change kept. */
  readonly since?: string | undefined;
  /** The `meta.next_cursor` of an earlier response; the list continues after it. Cannot be combined with `since`. */
  readonly cursor?: string | undefined;
  /** Changes per response. A value out of range is an error. Default: 100. */
  readonly limit?: number | undefined;
  /** `details` also lists changes that affect only details, and adds `details` to each change whose details changed. Cursors work with and without it. Case-insensitive. */
  readonly include?: readonly "details"[] | undefined;
}

export interface TaxonomyParameters {
  /** Read only from this snapshot: an ID from the `Snapshot` header of an earlier response. When you page through results, send it with each page, so that an update in between can't make you miss or repeat providers. The snapshot served before the current one stays available for a while; after that the response is 412 `snapshot_gone`. */
  readonly snapshot?: string | undefined;
}

export interface TaxonomiesParameters {
  /** Each word must be the start of a word in the display name, or of the code: `fam med` finds Family Medicine Physician. */
  readonly q?: string | undefined;
  /** Results per page. A value out of range is an error. Default: 25. */
  readonly limit?: number | undefined;
  /** Page number, starting at 1. A page past the end is empty. Default: 1. */
  readonly page?: number | undefined;
  /** Read only from this snapshot: an ID from the `Snapshot` header of an earlier response. When you page through results, send it with each page, so that an update in between can't make you miss or repeat providers. The snapshot served before the current one stays available for a while; after that the response is 412 `snapshot_gone`. */
  readonly snapshot?: string | undefined;
}

/** The codes of errors. Later versions of the service can add some. */
export type ErrorCode =
  /** 400: The request is not valid HTTP: for example, the URL has broken percent-encoding, bytes that are not UTF-8, a NUL or a `#`, or the `Host` header is missing or repeated. */
  | "malformed_request"
  /** 400: The NPI in the path is not 10 digits, or its check digit is wrong. The message says which. */
  | "invalid_npi"
  /** 400: A query parameter has an unknown name, is repeated, has the wrong type or format, is out of range, is longer than 100 characters, or is a text without a letter or digit; or the taxonomy code in the path is not 10 letters and digits. */
  | "invalid_parameter"
  /** 400: A nearby search has neither `zip` nor both `lat` and `lng`, has only one of `lat` and `lng`, or has a ZIP code whose location is unknown. */
  | "invalid_location"
  /** 400: The request needs data that this installation does not store, for `include`, a scope of `any`, `middle_initial`, or `sort`. The message names what is missing. */
  | "details_not_held"
  /** 401: The request has no bearer token: the `Authorization` header is missing, has another scheme, or has no key after `Bearer`. */
  | "missing_api_key"
  /** 401: The key is mistyped, was never issued, was revoked, or has expired. */
  | "invalid_api_key"
  /** 403: The API key or the session is valid, but its account is suspended. */
  | "account_suspended"
  /** 403: The plan of the key's account has no right to download the files of `/v1/files`. */
  | "files_not_in_plan"
  /** 404: There is nothing at this path. Paths are case-sensitive and have no trailing slash. */
  | "not_found"
  /** 404: The NPI is valid, but the registry has no record of it. This response counts against the monthly quota. */
  | "provider_not_found"
  /** 404: Neither the loaded NUCC table nor any provider has the code. This response counts against the monthly quota. */
  | "taxonomy_not_found"
  /** 405: The path does not accept this method. API paths accept only GET, HEAD, and OPTIONS. */
  | "method_not_allowed"
  /** 410: The cursor points to a part of the change list that no longer exists: it is older than the changes kept, an import it includes was rolled back, or all data was replaced. */
  | "cursor_gone"
  /** 412: The request names a snapshot (`snapshot`) that is no longer available or never existed: the data has been updated since, or an operator rolled it back. */
  | "snapshot_gone"
  /** 414: The request target (path and query) is longer than 8,192 bytes. */
  | "uri_too_long"
  /** 416: The `Range` header starts after the end of the file. */
  | "range_not_satisfiable"
  /** 429: The account sent more requests per second than its plan allows. */
  | "rate_limit_exceeded"
  /** 429: The client's address sent 60 API keys within a minute that were never issued, or a password was tried too many times. Keys in use keep working from such an address. */
  | "too_many_failures"
  /** 429: The account is already reading as many exports, batches, or large responses of `/api/` as it may. Without an account, an address can download one file from the explorer at a time. Nothing was counted. */
  | "too_many_at_once"
  /** 429: The account has used its quota for this calendar month (UTC), or has fewer requests left than this one counts as; nothing was counted. Once the quota is used, even a request that would be a free 304 gets this error. */
  | "quota_exceeded"
  /** 431: The request's header lines have more than 16,384 bytes in total. */
  | "headers_too_large"
  /** 500: Something failed in the service. */
  | "internal_error"
  /** 500: The file with the data for `include` or `location_scope` is damaged or missing. Requests without them still get responses. */
  | "details_unreadable"
  /** 503: No registry data has been imported yet, or it is still loading. */
  | "data_not_loaded"
  /** 503: The accounts database is not responding, so the service cannot check the key or its quota. From `/readyz`: for so long (`DATABASE_GRACE`) that it can accept no key. */
  | "accounts_unavailable"
  /** 503: The request names a snapshot (in `snapshot` or `cursor`) that this node does not serve yet, although other nodes may. From `/readyz`: the fleet serves a newer snapshot that this node has not downloaded yet. */
  | "snapshot_behind"
  /** 503: The files of this snapshot are being made, which takes minutes after an import, or could not be made. */
  | "files_not_ready"
  /** 503: The service is already running as many exports, or sending as many large responses, as it can; or more requests arrive than it can handle, and this one waited for ten seconds. Nothing was counted. */
  | "service_busy"
  /** 503: The process is stopping. Only `/readyz` gives this error, for load balancers. Other requests get responses until the process exits. */
  | "shutting_down";
