import { DETAIL_PARTS } from "./detail-parts.ts";
import type { InterpretAnswer } from "./interpret.ts";
import type { Provider } from "./provider.ts";
import type {
  BatchAnswer,
  ChangesAnswer,
  FilesAnswer,
  LookupAnswer,
  NearbyAnswer,
  SearchAnswer,
  StatusAnswer,
  TaxonomiesAnswer,
  TaxonomyAnswer,
} from "./answers.ts";

/**
 * Responses of the demo, so that the requests in the documentation find what it shows. Their providers are those that
 * every demo has (`registry-generator/well-known.ts`); only the changes are of other ones.
 */

const CARDIOLOGY = {
  code: "207RC0000X",
  description: "Cardiovascular Disease Physician",
};
const INTERNAL_MEDICINE = {
  code: "207R00000X",
  description: "Internal Medicine Physician",
};
const OFFICE = address(
  "676 N LAKE SHORE DR",
  "STE 1400",
  "CHICAGO",
  "IL",
  "606112923",
);

const person: Provider = {
  npi: "1976056766",
  entity_type: "individual",
  name: {
    first: "JOHN",
    middle: "QUINCY",
    last: "SMITH",
    credential: "MD, PHD",
  },
  organization_name: null,
  status: "active",
  enumeration_date: "2006-06-14",
  last_updated: "2026-09-21",
  deactivation_date: null,
  primary_taxonomy: CARDIOLOGY,
  practice_address: OFFICE,
};

/** The deactivated NPI that the person's replaced. */
const replaced: Provider = {
  npi: "1496412788",
  entity_type: "individual",
  name: { first: "JOHN", middle: "Q", last: "SMITH", credential: "MD" },
  organization_name: null,
  status: "deactivated",
  enumeration_date: "2005-08-01",
  last_updated: "2019-03-15",
  deactivation_date: "2019-03-15",
  primary_taxonomy: INTERNAL_MEDICINE,
  practice_address: OFFICE,
};

const hospital = {
  npi: "1544821568",
  entity_type: "organization",
  name: null,
  organization_name: "ST MARYS LAKESIDE HOSPITAL & CLINICS, INC.",
  status: "active",
  primary_taxonomy: {
    code: "282N00000X",
    description: "General Acute Care Hospital",
  },
  city: "CHICAGO",
  state: "IL",
} as const;

const meta = { source: "Demo data: invented providers, not the registry's" };

/** A line of an export. */
export const EXPORT_EXAMPLE = person;

export const LOOKUP_EXAMPLE: LookupAnswer = { data: person, meta };

export const BATCH_EXAMPLE: BatchAnswer = {
  data: [
    { npi: person.npi, verdict: "active", provider: person, replaced_by: null },
    {
      npi: "1976506766",
      verdict: "invalid_check_digit",
      provider: null,
      replaced_by: null,
      suggestions: [person.npi],
    },
    {
      npi: replaced.npi,
      verdict: "deactivated",
      provider: replaced,
      replaced_by: person.npi,
    },
  ],
  meta: { count: 3, counted: 2, ...meta },
};

/** The same as LOOKUP_EXAMPLE with everything that `include` can add. */
export const DETAILS_EXAMPLE: LookupAnswer = {
  data: {
    ...person,
    taxonomies: [
      {
        ...CARDIOLOGY,
        primary: true,
        license_number: "036123456",
        license_state: "IL",
        group: { code: "193400000X", description: "Single Specialty Group" },
      },
      {
        ...INTERNAL_MEDICINE,
        primary: false,
        license_number: "036123456",
        license_state: "IL",
        group: null,
      },
      {
        code: "208M00000X",
        description: "Hospitalist Physician",
        primary: false,
        license_number: "54321",
        license_state: "WI",
        group: null,
      },
    ],
    other_names: [
      {
        type: { code: "2", description: "Professional Name" },
        name: {
          prefix: "DR.",
          first: "JACK",
          middle: "Q",
          last: "SMITH",
          suffix: null,
          credential: "MD",
        },
        organization_name: null,
      },
    ],
    locations: [
      {
        ...address("2045 Maple Ave", "Ste 210", "Evanston", "IL", "602013110"),
        phone: "8475550150",
        phone_extension: "12",
        fax: "8475550151",
        address_type: "domestic",
      },
      {
        ...address("411 E Wisconsin Ave", null, "Milwaukee", "WI", "532024461"),
        phone: "4145550160",
        phone_extension: null,
        fax: null,
        address_type: "domestic",
      },
    ],
    identity: {
      name_prefix: "DR.",
      name_suffix: "JR.",
      sex: "M",
      sole_proprietor: true,
      organization_subpart: null,
      parent_organization: null,
      phone: "3125550140",
      fax: "3125550141",
      certification_date: "2026-09-21",
      deactivation_reason: null,
      deactivation_date: "2015-03-02",
      reactivation_date: "2015-05-11",
      replacement_npi: null,
      authorized_official: null,
    },
    mailing_address: {
      ...address("PO BOX 1290", null, "CHICAGO", "IL", "606801290"),
      phone: "3125550142",
      fax: null,
      address_type: "domestic",
    },
    identifiers: [
      {
        identifier: "036123456",
        type: { code: "05", description: "MEDICAID" },
        state: "IL",
        issuer: null,
      },
      {
        identifier: "0012345678",
        type: { code: "01", description: "OTHER" },
        state: "IL",
        issuer: "BCBS",
      },
    ],
    endpoints: [
      {
        type: { code: "DIRECT", description: "Direct Messaging Address" },
        address: "1976056766@direct.example.com",
        description: "Referrals",
        affiliation: true,
        affiliation_name: "ST MARYS LAKESIDE HOSPITAL & CLINICS, INC.",
        use: { code: "DIRECT", description: "Direct" },
        other_use: null,
        content_type: { code: "OTHER", description: "Other" },
        other_content_type: "Referrals",
        location: address(
          "1200 N MICHIGAN AVE",
          null,
          "CHICAGO",
          "IL",
          "606112204",
        ),
      },
      {
        type: { code: "FHIR", description: "FHIR URL" },
        address: "https://fhir.example.com/1976056766/r4",
        description: null,
        affiliation: false,
        affiliation_name: null,
        use: { code: "HIE", description: "Health Information Exchange (HIE)" },
        other_use: null,
        content_type: { code: "CSV", description: "CSV" },
        other_content_type: null,
        location: OFFICE,
      },
    ],
  },
  meta,
};

/** A deactivated NPI without details: only the number and the date are known. */
export const WITHHELD_EXAMPLE: LookupAnswer = {
  data: {
    npi: "1760614523",
    entity_type: null,
    name: null,
    organization_name: null,
    status: "deactivated",
    enumeration_date: null,
    last_updated: null,
    deactivation_date: "2012-04-18",
    primary_taxonomy: null,
    practice_address: null,
  },
  meta,
};

export const SEARCH_EXAMPLE: SearchAnswer = {
  data: [hospital],
  meta: { count: 1, page: 1, limit: 25, total: 1 },
};

export const NEARBY_EXAMPLE: NearbyAnswer = {
  data: [{ ...hospital, distance_miles: 3.59 }],
  meta: {
    count: 1,
    page: 1,
    limit: 25,
    radius_miles: 10,
    center: { zip: "60657", lat: 41.939411, lng: -87.650704 },
  },
};

/** The same search with `location_scope=any`, which finds the hospital at another location. */
export const LOCATED_EXAMPLE: NearbyAnswer = {
  data: [
    {
      ...hospital,
      distance_miles: 0,
      matched_location: {
        kind: "secondary",
        address: address(
          "3300 N Clark St",
          "Fl 2",
          "Chicago",
          "IL",
          "606573102",
        ),
      },
    },
  ],
  meta: NEARBY_EXAMPLE.meta,
};

export const FILES_EXAMPLE: FilesAnswer = {
  data: [
    {
      name: "providers.parquet",
      bytes: 53_506_954,
      sha256:
        "5a4c2ed0b7f1a38c9e6d1f0b82a7c3e49d58b6f0a1c2e3d4f5968778695a4b3c",
      url: "/v1/files/20261116T031500000Z/providers.parquet",
      description:
        "A row for each provider, by state, ZIP and taxonomy: for queries about places and specialties.",
      media_type: "application/vnd.apache.parquet",
      rows: 1_000_000,
      columns: [
        { name: "npi", type: "VARCHAR" },
        { name: "enumeration_date", type: "DATE" },
      ],
    },
  ],
  meta: {
    snapshot: "20261116T031500000Z",
    data_date: null,
    changes_from: null,
    ...meta,
  },
};

/** The first changes of the week that the demo imports. */
export const CHANGES_EXAMPLE: ChangesAnswer = {
  data: [
    {
      npi: "1008874673",
      kind: "changed",
      date: "2026-11-27",
      data_date: null,
      changed_fields: [
        "name.credential",
        "last_updated",
        "primary_taxonomy.code",
      ],
    },
    {
      npi: "1031127164",
      kind: "added",
      date: "2026-11-27",
      data_date: null,
      changed_fields: [],
    },
  ],
  meta: {
    count: 2,
    limit: 2,
    has_more: true,
    next_cursor: "MjAyNjExMjdUMjAwMzA0ODc2Wi4y",
    complete_since: "2026-11-27T20:02:58.672Z",
    ...meta,
  },
};

export const TAXONOMY_EXAMPLE: TaxonomyAnswer = {
  data: {
    code: "207Q00000X",
    description: "Family Medicine Physician",
    grouping: null,
    classification: null,
    specialization: null,
    active_providers: {
      primary: { individuals: 584, organizations: 289 },
      any: { individuals: 736, organizations: 336 },
    },
  },
  meta,
};

export const TAXONOMIES_EXAMPLE: TaxonomiesAnswer = {
  data: [TAXONOMY_EXAMPLE.data],
  meta: { count: 1, page: 1, limit: 25, total: 1 },
};

export const INTERPRET_EXAMPLE: InterpretAnswer = {
  data: {
    operation: "search",
    filters: {
      specialty: "cardiologist",
      city: "chicago",
      middle_initial: "Q",
      name: "john smith",
      specialty_scope: "common",
    },
    understood: [
      { text: "john", filter: "name" },
      { text: "q", filter: "middle_initial" },
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
          specialty: "cardiologist",
          city: "chicago",
          name: "john smith",
          specialty_scope: "common",
        },
        total: 1,
      },
    ],
    total: 1,
  },
  meta,
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
  meta: {
    source: "NPPES (CMS), full file 2026-11-09, weekly updates to 2026-11-15",
  },
};

function address(
  address_1: string,
  address_2: string | null,
  city: string,
  state: string,
  postal_code: string,
) {
  return { address_1, address_2, city, state, postal_code, country: "US" };
}
