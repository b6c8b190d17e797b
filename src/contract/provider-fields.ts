/**
 * The one table of a provider's details: `PARTS` has the members that `include` adds to a record, in their order, with
 * their kinds and descriptions; `SECTIONS` has the texts that a details file stores, in their order (FORMAT.md,
 * "Details"), with the registry's columns. This file also runs in the browser.
 */

/** A code and its meaning; null if unknown. */
export interface CodedValue {
  code: string;
  description: string | null;
}

/** The values of members, by kind; those of objects are objects. */
interface Values {
  text: string | null;
  /** A text that is never null. */
  key: string;
  date: string | null;
  /** A state, formatted as in a record: two letters for a U.S. address. The address's country is next to it. */
  state: string | null;
  /** Derived from the state and the country next to it. */
  address_type: "domestic" | "foreign" | "military" | null;
  /** The name of the taxonomy whose `code` is next to it. */
  taxonomy_name: string | null;
  /** True for Y. */
  flag: boolean;
  /** Y or N; null for X, "not answered". */
  yes_no: boolean | null;
  code: CodedValue | null;
}

export interface ValueMember {
  readonly kind: keyof Values;
  readonly description: string;
  /** The meanings of codes; if absent, the text after the code says it. */
  readonly meanings?: ReadonlyMap<string, string>;
  /** The length of codes, if some files have a text after them. */
  readonly codeLength?: number;
}

/** Members, with the name and the description of their component in the OpenAPI document. */
export interface Shape {
  readonly members: Members;
  readonly title: string;
  readonly description: string;
}

interface ObjectMember {
  readonly kind: "object";
  readonly of: Shape;
  readonly description: string;
}

export type Member = ValueMember | ObjectMember;
export type Members = Readonly<Record<string, Member>>;

/** The value of a member; an object is null if all of its members would be null. */
type ValueOf<M> = M extends { kind: "object"; of: { members: infer Inner } }
  ? MemberValues<Inner> | null
  : M extends { kind: infer Kind extends keyof Values }
    ? Values[Kind]
    : never;
export type MemberValues<M> = { -readonly [Name in keyof M]: ValueOf<M[Name]> };

/** Meanings of the registry's codes (NPPES Data Dissemination, Code Values). */
export const OTHER_NAME_TYPES: ReadonlyMap<string, string> = new Map([
  ["1", "Former Name"],
  ["2", "Professional Name"],
  ["3", "Doing Business As"],
  ["4", "Former Legal Business Name"],
  ["5", "Other Name"],
]);
export const IDENTIFIER_TYPES: ReadonlyMap<string, string> = new Map([
  ["01", "OTHER"],
  ["02", "MEDICARE UPIN"],
  ["04", "MEDICARE ID-TYPE UNSPECIFIED"],
  ["05", "MEDICAID"],
  ["06", "MEDICARE OSCAR/CERTIFICATION"],
  ["07", "MEDICARE NSC"],
  ["08", "MEDICARE PIN"],
]);
export const DEACTIVATION_REASONS: ReadonlyMap<string, string> = new Map([
  ["DT", "Death"],
  ["DB", "Disbandment"],
  ["FR", "Fraud"],
  ["OT", "Other"],
]);
export const TAXONOMY_GROUPS: ReadonlyMap<string, string> = new Map([
  ["193200000X", "Multi-Specialty Group"],
  ["193400000X", "Single Specialty Group"],
]);
export const GROUP_CODE_LENGTH = 10;

const PUBLISHED = "As published.";
const ADDRESS_TYPE = {
  kind: "address_type",
  description:
    "`domestic`, `foreign`, or `military`, by country and state; null if the registry lists neither.",
} as const satisfies Member;

const ADDRESS_MEMBERS = {
  address_1: text("Null if the registry lists none."),
  address_2: text("Null if there is none."),
  city: text(PUBLISHED),
  state: {
    kind: "state",
    description:
      "Two letters for a U.S. address; otherwise as published, or null.",
  },
  postal_code: text(
    "As published, not reformatted: `627011234`, `62701-1234` or `62701`.",
  ),
  country: text("Two-letter country code."),
} as const satisfies Members;

/** A postal address. Null means that the registry has no value. */
export const ADDRESS = {
  members: ADDRESS_MEMBERS,
  title: "Address",
  description: "A practice location.",
} as const satisfies Shape;

const NAME_MEMBERS = {
  prefix: text("Such as `DR.`"),
  first: text(PUBLISHED),
  middle: text(PUBLISHED),
  last: text(PUBLISHED),
  suffix: text("Such as `JR.`"),
  credential: text("As published, such as `MD`."),
} as const satisfies Members;

export const FULL_NAME = {
  members: NAME_MEMBERS,
  title: "FullName",
  description: "All parts of a person's name, as published.",
} as const satisfies Shape;

/** The person authorized to act for an organization. */
export const AUTHORIZED_OFFICIAL = {
  members: {
    ...NAME_MEMBERS,
    title: text("Title or position."),
    phone: text(PUBLISHED),
  },
  title: "AuthorizedOfficial",
  description: "The person authorized to act for an organization.",
} as const satisfies Shape;

const TAXONOMY_SLOT = {
  code: { kind: "key", description: "NUCC taxonomy code." },
  description: {
    kind: "taxonomy_name",
    description:
      "NUCC's display name; null if the loaded NUCC table does not have the code.",
  },
  primary: {
    kind: "flag",
    description:
      "Whether the registry marks it as primary. If it marks none, `primary_taxonomy` is the first one.",
  },
  license_number: text(PUBLISHED),
  license_state: text("The state that issued the license."),
  group: {
    kind: "code",
    description: "The kind of group practice; null if the registry lists none.",
    meanings: TAXONOMY_GROUPS,
    codeLength: GROUP_CODE_LENGTH,
  },
} as const satisfies Members;

const OTHER_NAME = {
  type: {
    kind: "code",
    description:
      "1 Former Name, 2 Professional Name, 3 Doing Business As, 4 Former Legal Business Name, 5 Other Name; null if the registry lists none.",
    meanings: OTHER_NAME_TYPES,
  },
  name: {
    kind: "object",
    of: FULL_NAME,
    description: "A person's name; null for an organization.",
  },
  organization_name: text("Null for a person."),
} as const satisfies Members;

const PRACTICE_LOCATION = {
  address_1: text(PUBLISHED),
  address_2: text(PUBLISHED),
  city: text(PUBLISHED),
  state: { kind: "state", description: PUBLISHED },
  postal_code: text("As published, without reformatting."),
  country: text("Two-letter country code."),
  phone: text(PUBLISHED),
  phone_extension: text(PUBLISHED),
  fax: text(PUBLISHED),
  address_type: ADDRESS_TYPE,
} as const satisfies Members;

const IDENTITY = {
  name_prefix: text("For individuals, such as `DR.`"),
  name_suffix: text("For individuals, such as `JR.`"),
  sex: text("The registry's code, such as `F` or `M`."),
  sole_proprietor: yesOrNo("For individuals; null if not answered."),
  organization_subpart: yesOrNo(
    "Whether the organization is part of another one.",
  ),
  parent_organization: text("Legal business name of the parent organization."),
  phone: text("Of the primary practice location, as published."),
  fax: text("Of the primary practice location, as published."),
  certification_date: date(
    "ISO 8601 date on which the provider last certified the record.",
  ),
  deactivation_reason: {
    kind: "code",
    description:
      "DT Death, DB Disbandment, FR Fraud, OT Other; null if the registry lists none.",
    meanings: DEACTIVATION_REASONS,
  },
  deactivation_date: date(
    "ISO 8601 date of the last deactivation, even if the NPI is active again.",
  ),
  reactivation_date: date("ISO 8601 date."),
  replacement_npi: text(
    "The NPI that replaces this one; null if it is the provider's own.",
  ),
  authorized_official: {
    kind: "object",
    of: AUTHORIZED_OFFICIAL,
    description: "For organizations; null if the registry lists none.",
  },
} as const satisfies Members;

const MAILING_ADDRESS = {
  ...ADDRESS_MEMBERS,
  phone: text(PUBLISHED),
  fax: text(PUBLISHED),
  address_type: ADDRESS_TYPE,
} as const satisfies Members;

const IDENTIFIER = {
  identifier: text("The number, as published."),
  type: {
    kind: "code",
    description:
      "01 OTHER, 02 MEDICARE UPIN, 04 MEDICARE ID-TYPE UNSPECIFIED, 05 MEDICAID, 06 MEDICARE OSCAR/CERTIFICATION, 07 MEDICARE NSC, 08 MEDICARE PIN; null if the registry lists none.",
    meanings: IDENTIFIER_TYPES,
  },
  state: text("The state of the issuer, as published."),
  issuer: text("Who issued it, for type 01; as published."),
} as const satisfies Members;

const ENDPOINT = {
  type: {
    kind: "code",
    description:
      "Such as DIRECT (Direct Messaging Address) or FHIR (FHIR URL); null if the registry lists none.",
  },
  address: text("The electronic address: an email address or a URL."),
  description: text(PUBLISHED),
  affiliation: yesOrNo(
    "Whether it belongs to another organization; null if the registry does not say.",
  ),
  affiliation_name: text(
    "Legal business name of the organization that it belongs to.",
  ),
  use: {
    kind: "code",
    description:
      "Such as DIRECT or HIE (Health Information Exchange); null if the registry lists none.",
  },
  other_use: text("The use, in the provider's own words."),
  content_type: {
    kind: "code",
    description:
      "The kind of documents it takes; null if the registry lists none.",
  },
  other_content_type: text(
    "The kind of documents, in the provider's own words.",
  ),
  location: {
    kind: "object",
    of: ADDRESS,
    description: "Where it is used; null if all of its fields would be null.",
  },
} as const satisfies Members;

interface Part extends Shape {
  /** One object, one that is null if all of its members would be null, or any number of them. */
  readonly shape: "object" | "nullable" | "list";
  /** The member that `include` adds. */
  readonly included?: string;
}

/** The parts of the details, in the order of settings and responses. */
export const PARTS = {
  taxonomies: {
    shape: "list",
    members: TAXONOMY_SLOT,
    title: "TaxonomySlot",
    description: "One of a provider's taxonomies.",
    included:
      "With `include=taxonomies`: every taxonomy, in the registry's order.",
  },
  other_names: {
    shape: "list",
    members: OTHER_NAME,
    title: "OtherName",
    description: "Another name of a provider.",
    included: "With `include=other_names`: former and other names.",
  },
  locations: {
    shape: "list",
    members: PRACTICE_LOCATION,
    title: "PracticeLocation",
    description: "A secondary practice location.",
    included: "With `include=locations`: secondary practice locations.",
  },
  identity: {
    shape: "object",
    members: IDENTITY,
    title: "Identity",
    description: "Other facts that the registry publishes about the provider.",
  },
  mailing_address: {
    shape: "nullable",
    members: MAILING_ADDRESS,
    title: "MailingAddress",
    description: "A mailing address.",
    included:
      "With `include=mailing_address`: where the provider gets mail; null if all of its fields would be null.",
  },
  identifiers: {
    shape: "list",
    members: IDENTIFIER,
    title: "Identifier",
    description: "A number that a payer or a state gave the provider.",
    included:
      "With `include=identifiers`: numbers that others gave the provider, up to 50.",
  },
  endpoints: {
    shape: "list",
    members: ENDPOINT,
    title: "Endpoint",
    description:
      "An electronic address for health information. Descriptions of its codes are the registry's.",
    included:
      "With `include=endpoints`: electronic addresses for health information.",
  },
} as const satisfies Readonly<Record<string, Part>>;

export type PartName = keyof typeof PARTS;
/** The source of texts of a details file: the provider's own row, or another file of the zip. */
export interface Section {
  readonly number: number;
  readonly part: PartName;
  readonly from: "row" | "file";
  /** The number of groups of columns in a row, of which each is a record; their names end in `_1`, `_2`, … */
  readonly slots?: number;
  /** True if a record without its first text is left out; else, only one without any. */
  readonly isKeyed?: boolean;
  /** The column of each text, with its names in older files; the text's name is a member's path. */
  readonly texts: Readonly<Record<string, string | readonly string[]>>;
}

const OFFICIAL = "Authorized Official";
const OTHER = "Provider Other";
const PRACTICE = "Provider Business Practice Location Address";
const SECONDARY = "Provider Secondary Practice Location Address -";
const AFFILIATION = "Affiliation Address";

/** The sections of a blob, in their order: those of the provider's own row come first. */
export const SECTIONS = {
  status: {
    number: 1,
    part: "identity",
    from: "row",
    texts: {
      deactivation_reason: "NPI Deactivation Reason Code",
      deactivation_date: "NPI Deactivation Date",
      reactivation_date: "NPI Reactivation Date",
      replacement_npi: "Replacement NPI",
    },
  },
  identity: {
    number: 2,
    part: "identity",
    from: "row",
    texts: {
      sex: ["Provider Sex Code", "Provider Gender Code"],
      sole_proprietor: "Is Sole Proprietor",
      organization_subpart: "Is Organization Subpart",
      certification_date: "Certification Date",
      name_prefix: "Provider Name Prefix Text",
      name_suffix: "Provider Name Suffix Text",
      phone: `${PRACTICE} Telephone Number`,
      fax: `${PRACTICE} Fax Number`,
      parent_organization: "Parent Organization LBN",
      "authorized_official.prefix": `${OFFICIAL} Name Prefix Text`,
      "authorized_official.first": `${OFFICIAL} First Name`,
      "authorized_official.middle": `${OFFICIAL} Middle Name`,
      "authorized_official.last": `${OFFICIAL} Last Name`,
      "authorized_official.suffix": `${OFFICIAL} Name Suffix Text`,
      "authorized_official.credential": `${OFFICIAL} Credential Text`,
      "authorized_official.title": `${OFFICIAL} Title or Position`,
      "authorized_official.phone": `${OFFICIAL} Telephone Number`,
    },
  },
  taxonomies: {
    number: 3,
    part: "taxonomies",
    from: "row",
    slots: 15,
    isKeyed: true,
    texts: {
      code: "Healthcare Provider Taxonomy Code",
      license_number: "Provider License Number",
      license_state: "Provider License Number State Code",
      primary: "Healthcare Provider Primary Taxonomy Switch",
      group: "Healthcare Provider Taxonomy Group",
    },
  },
  /** Another name of an organization and one of a person: up to two entries of the list. */
  mainRowName: {
    number: 4,
    part: "other_names",
    from: "row",
    texts: {
      organization_name: `${OTHER} Organization Name`,
      organization_type: `${OTHER} Organization Name Type Code`,
      "name.prefix": `${OTHER} Name Prefix Text`,
      "name.first": `${OTHER} First Name`,
      "name.middle": `${OTHER} Middle Name`,
      "name.last": `${OTHER} Last Name`,
      "name.suffix": `${OTHER} Name Suffix Text`,
      "name.credential": `${OTHER} Credential Text`,
      type: `${OTHER} Last Name Type Code`,
    },
  },
  mailingAddress: {
    number: 7,
    part: "mailing_address",
    from: "row",
    texts: {
      address_1: "Provider First Line Business Mailing Address",
      address_2: "Provider Second Line Business Mailing Address",
      city: "Provider Business Mailing Address City Name",
      state: "Provider Business Mailing Address State Name",
      postal_code: "Provider Business Mailing Address Postal Code",
      country:
        "Provider Business Mailing Address Country Code (If outside U.S.)",
      phone: "Provider Business Mailing Address Telephone Number",
      fax: "Provider Business Mailing Address Fax Number",
    },
  },
  identifiers: {
    number: 8,
    part: "identifiers",
    from: "row",
    slots: 50,
    texts: {
      identifier: "Other Provider Identifier",
      type: "Other Provider Identifier Type Code",
      state: "Other Provider Identifier State",
      issuer: "Other Provider Identifier Issuer",
    },
  },
  otherNames: {
    number: 5,
    part: "other_names",
    from: "file",
    texts: {
      organization_name: "Provider Other Organization Name",
      type: "Provider Other Organization Name Type Code",
    },
  },
  locations: {
    number: 6,
    part: "locations",
    from: "file",
    texts: {
      address_1: `${SECONDARY} Address Line 1`,
      address_2: `${SECONDARY} Address Line 2`,
      city: `${SECONDARY} City Name`,
      state: `${SECONDARY} State Name`,
      postal_code: `${SECONDARY} Postal Code`,
      country: `${SECONDARY} Country Code (If outside U.S.)`,
      phone: `${SECONDARY} Telephone Number`,
      phone_extension: `${SECONDARY} Telephone Extension`,
      fax: "Provider Practice Location Address - Fax Number",
    },
  },
  endpoints: {
    number: 9,
    part: "endpoints",
    from: "file",
    texts: {
      type: "Endpoint Type",
      "type.description": "Endpoint Type Description",
      address: "Endpoint",
      description: "Endpoint Description",
      affiliation: "Affiliation",
      affiliation_name: "Affiliation Legal Business Name",
      use: "Use Code",
      "use.description": "Use Description",
      other_use: "Other Use Description",
      content_type: "Content Type",
      "content_type.description": "Content Description",
      other_content_type: "Other Content Description",
      "location.address_1": `${AFFILIATION} Line One`,
      "location.address_2": `${AFFILIATION} Line Two`,
      "location.city": `${AFFILIATION} City`,
      "location.state": `${AFFILIATION} State`,
      "location.postal_code": `${AFFILIATION} Postal Code`,
      "location.country": `${AFFILIATION} Country`,
    },
  },
} as const satisfies Readonly<Record<string, Section>>;

export type SectionName = keyof typeof SECTIONS;
/** The names of a section's texts. */
export type TextOf<Name extends SectionName> = string &
  keyof (typeof SECTIONS)[Name]["texts"];

function text(description: string) {
  return { kind: "text", description } as const;
}

function date(description: string) {
  return { kind: "date", description } as const;
}

function yesOrNo(description: string) {
  return { kind: "yes_no", description } as const;
}
