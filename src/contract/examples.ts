import { DETAIL_PARTS } from "./detail-parts.ts";
import type { InterpretAnswer } from "./interpret.ts";
import type { Provider } from "./provider.ts";
import type {
  BatchAnswer,
  ChangesAnswer,
  LookupAnswer,
  NearbyAnswer,
  SearchAnswer,
  StatusAnswer,
  TaxonomiesAnswer,
  TaxonomyAnswer,
} from "./answers.ts";

/** Invented providers for the documentation. Their NPIs start with 2, which the registry has not assigned yet. */

const person: Provider = {
  npi: "2000000002",
  entity_type: "individual",
  name: {
    first: "MARISOL",
    middle: null,
    last: "O'BRIEN-EXAMPLE",
    credential: "MD",
  },
  organization_name: null,
  status: "active",
  enumeration_date: "2012-03-05",
  last_updated: "2025-08-19",
  deactivation_date: null,
  primary_taxonomy: {
    code: "207Q00000X",
    description: "Family Medicine Physician",
  },
  practice_address: {
    address_1: "100 EXAMPLE ST",
    address_2: "STE 200",
    city: "SPRINGFIELD",
    state: "IL",
    postal_code: "627011234",
    country: "US",
  },
};

const clinic = {
  npi: "2000000010",
  entity_type: "organization",
  name: null,
  organization_name: "INVENTED LAKESIDE CLINIC LLC",
  status: "active",
  primary_taxonomy: {
    code: "261QP2300X",
    description: "Primary Care Clinic/Center",
  },
  city: "SPRINGFIELD",
  state: "IL",
} as const;

/** A line of an export. */
export const EXPORT_EXAMPLE = person;

/** The same as CSV. */
export const EXPORT_CSV_EXAMPLE = [
  "npi,entity_type,status,first_name,middle_name,last_name,credential,organization_name,enumeration_date,last_updated,deactivation_date,taxonomy_code,taxonomy_description,address_1,address_2,city,state,postal_code,country",
  "2000000002,individual,active,MARISOL,,O'BRIEN-EXAMPLE,MD,,2012-03-05,2025-08-19,,207Q00000X,Family Medicine Physician,100 EXAMPLE ST,STE 200,SPRINGFIELD,IL,627011234,US",
  "",
].join("\r\n");

export const LOOKUP_EXAMPLE: LookupAnswer = {
  data: person,
  meta: {
    source: "NPPES (CMS), full file 2026-11-09, weekly updates to 2026-11-15",
  },
};

export const BATCH_EXAMPLE: BatchAnswer = {
  data: [
    {
      npi: "2000000002",
      verdict: "active",
      provider: person,
      replaced_by: null,
    },
    {
      npi: "2000000020",
      verdict: "invalid_check_digit",
      provider: null,
      replaced_by: null,
      suggestions: ["2000000002"],
    },
    {
      npi: "2000000028",
      verdict: "not_found",
      provider: null,
      replaced_by: null,
    },
  ],
  meta: {
    count: 3,
    counted: 2,
    source: "NPPES (CMS), full file 2026-11-09, weekly updates to 2026-11-15",
  },
};

/** The same with everything that `include` can add. */
export const DETAILS_EXAMPLE: LookupAnswer = {
  data: {
    ...person,
    taxonomies: [
      {
        code: "207Q00000X",
        description: "Family Medicine Physician",
        primary: true,
        license_number: "036000000",
        license_state: "IL",
        group: null,
      },
      {
        code: "207QG0300X",
        description: "Geriatric Medicine (Family Medicine) Physician",
        primary: false,
        license_number: "036000000",
        license_state: "IL",
        group: null,
      },
    ],
    other_names: [
      {
        type: { code: "1", description: "Former Name" },
        name: {
          prefix: null,
          first: "MARISOL",
          middle: null,
          last: "EXAMPLE",
          suffix: null,
          credential: "MD",
        },
        organization_name: null,
      },
    ],
    locations: [
      {
        address_1: "7 INVENTED PLZ",
        address_2: null,
        city: "CHATHAM",
        state: "IL",
        postal_code: "626291234",
        country: "US",
        phone: "2175550123",
        phone_extension: null,
        fax: null,
      },
    ],
    identity: {
      name_prefix: "DR.",
      name_suffix: null,
      sex: "F",
      sole_proprietor: false,
      organization_subpart: null,
      parent_organization: null,
      phone: "2175550100",
      fax: "2175550101",
      certification_date: "2025-08-19",
      deactivation_reason: null,
      deactivation_date: null,
      reactivation_date: null,
      replacement_npi: null,
      authorized_official: null,
    },
    mailing_address: {
      address_1: "PO BOX 100",
      address_2: null,
      city: "SPRINGFIELD",
      state: "IL",
      postal_code: "627050100",
      country: "US",
      phone: "2175550100",
      fax: null,
    },
    identifiers: [
      {
        identifier: "036000000",
        type: { code: "05", description: "MEDICAID" },
        state: "IL",
        issuer: null,
      },
      {
        identifier: "EX-100",
        type: { code: "01", description: "OTHER" },
        state: "IL",
        issuer: "INVENTED HEALTH PLAN",
      },
    ],
    endpoints: [
      {
        type: { code: "DIRECT", description: "Direct Messaging Address" },
        address: "marisol.example@direct.clinic.example",
        description: null,
        affiliation: true,
        affiliation_name: "INVENTED LAKESIDE CLINIC LLC",
        use: { code: "DIRECT", description: "Direct" },
        other_use: null,
        content_type: null,
        other_content_type: null,
        location: {
          address_1: "100 EXAMPLE ST",
          address_2: "STE 200",
          city: "SPRINGFIELD",
          state: "IL",
          postal_code: "627011234",
          country: "US",
        },
      },
    ],
  },
  meta: LOOKUP_EXAMPLE.meta,
};

/** A deactivated NPI without details: only the number and the date are known. */
export const WITHHELD_EXAMPLE: LookupAnswer = {
  data: {
    npi: "2000000028",
    entity_type: null,
    name: null,
    organization_name: null,
    status: "deactivated",
    enumeration_date: null,
    last_updated: null,
    deactivation_date: "2019-06-30",
    primary_taxonomy: null,
    practice_address: null,
  },
  meta: LOOKUP_EXAMPLE.meta,
};

export const SEARCH_EXAMPLE: SearchAnswer = {
  data: [clinic],
  meta: { count: 1, page: 1, limit: 25, total: 1 },
};

export const NEARBY_EXAMPLE: NearbyAnswer = {
  data: [{ ...clinic, distance_miles: 0.84 }],
  meta: {
    count: 1,
    page: 1,
    limit: 25,
    radius_miles: 25,
    center: { zip: "62701", lat: 39.8, lng: -89.65 },
  },
};

/** The same search with `location_scope=any`, which finds the clinic at another location. */
export const LOCATED_EXAMPLE: NearbyAnswer = {
  data: [
    {
      ...clinic,
      distance_miles: 0.31,
      matched_location: {
        kind: "secondary",
        address: {
          address_1: "200 EXAMPLE AVE",
          address_2: null,
          city: "SPRINGFIELD",
          state: "IL",
          postal_code: "62704",
          country: "US",
        },
      },
    },
  ],
  meta: NEARBY_EXAMPLE.meta,
};

export const CHANGES_EXAMPLE: ChangesAnswer = {
  data: [
    {
      npi: person.npi,
      kind: "changed",
      date: "2026-11-16",
      data_date: "2026-11-15",
      changed_fields: ["name.last", "last_updated"],
    },
  ],
  meta: {
    count: 1,
    limit: 100,
    has_more: false,
    next_cursor: "MjAyNjExMTZUMDMxNTAwMDAwWi5hbGw",
    complete_since: "2026-11-10T03:15:00.000Z",
    source: LOOKUP_EXAMPLE.meta.source,
  },
};

export const TAXONOMY_EXAMPLE: TaxonomyAnswer = {
  data: {
    code: "207Q00000X",
    description: "Family Medicine Physician",
    grouping: "Allopathic & Osteopathic Physicians",
    classification: "Family Medicine",
    specialization: null,
    active_providers: {
      primary: { individuals: 141_203, organizations: 12_087 },
      any: { individuals: 152_911, organizations: 19_334 },
    },
  },
  meta: LOOKUP_EXAMPLE.meta,
};

export const TAXONOMIES_EXAMPLE: TaxonomiesAnswer = {
  data: [TAXONOMY_EXAMPLE.data],
  meta: { count: 1, page: 1, limit: 25, total: 1 },
};

export const INTERPRET_EXAMPLE: InterpretAnswer = {
  data: {
    operation: "search",
    filters: {
      name: "smith",
      city: "chicago",
      specialty: "cardiologist",
      specialty_scope: "common",
    },
    understood: [
      { text: "smith", filter: "name" },
      { text: "cardiologist", filter: "specialty" },
      { text: "chicago", filter: "city" },
    ],
    dropped: [
      { text: "dr", reason: "a title" },
      { text: "in", reason: "joins words" },
    ],
    alternatives: [
      {
        operation: "search",
        filters: {
          name: "smith chicago",
          specialty: "cardiologist",
          specialty_scope: "common",
        },
        total: 1,
      },
    ],
    total: 12,
  },
  meta: LOOKUP_EXAMPLE.meta,
};

export const STATUS_EXAMPLE: StatusAnswer = {
  data: {
    snapshot: "20261116T031500000Z",
    taken_up_at: "2026-11-16T03:15:00.000Z",
    data_date: "2026-11-15",
    data_age_days: 3,
    stale: false,
    warning: null,
    counts: {
      providers: 9_812_345,
      individuals: 7_603_210,
      organizations: 1_910_480,
      deactivated: 318_655,
      withheld: 298_655,
    },
    next_update: "2026-11-19T06:00:00.000Z",
    details: [...DETAIL_PARTS],
  },
  meta: LOOKUP_EXAMPLE.meta,
};
