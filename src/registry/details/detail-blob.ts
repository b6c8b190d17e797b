import type { DetailPart } from "../../contract/detail-parts.ts";

/**
 * One provider's details as bytes, a _blob_ (FORMAT.md, "Details"): sections in the order of BLOB_ORDER, each with
 * records of a fixed number of texts. A text is a varint length and UTF-8; null is empty. A date is a text of two
 * bytes, a day number, low byte first.
 */
export const BlobSection = {
  /** The NPI's deactivation: one record. */
  status: 1,
  /** One record. */
  identity: 2,
  /** A record per slot that has a code. */
  taxonomies: 3,
  /** The other name in the provider's own row: one record. */
  mainRowName: 4,
  /** One record per row of the other-names file. */
  otherNames: 5,
  /** One record per row of the practice-locations file. */
  locations: 6,
  /** One record. */
  mailingAddress: 7,
  /** A record per slot in which anything is filled. */
  identifiers: 8,
  /** One record per row of the endpoints file. */
  endpoints: 9,
} as const;

/** The part that a section belongs to, and where it comes from: the provider's own row, or another file of the zip. */
interface SectionSource {
  readonly section: number;
  readonly part: DetailPart;
  readonly from: "row" | "file";
}

/** All sections in the order of a blob: those of the provider's own row come first. */
export const BLOB_ORDER: readonly SectionSource[] = [
  { section: BlobSection.status, part: "identity", from: "row" },
  { section: BlobSection.identity, part: "identity", from: "row" },
  { section: BlobSection.taxonomies, part: "taxonomies", from: "row" },
  { section: BlobSection.mainRowName, part: "other_names", from: "row" },
  { section: BlobSection.mailingAddress, part: "mailing_address", from: "row" },
  { section: BlobSection.identifiers, part: "identifiers", from: "row" },
  { section: BlobSection.otherNames, part: "other_names", from: "file" },
  { section: BlobSection.locations, part: "locations", from: "file" },
  { section: BlobSection.endpoints, part: "endpoints", from: "file" },
];

/** The texts of a record, in order. Sections with a single record omit its trailing empty texts. */
export const StatusText = {
  reason: 0,
  /** Dates. */
  deactivated: 1,
  reactivated: 2,
  replacementNpi: 3,
} as const;
export const STATUS_TEXTS = 4;

export const IdentityText = {
  sex: 0,
  soleProprietor: 1,
  subpart: 2,
  /** A date. */
  certified: 3,
  prefix: 4,
  suffix: 5,
  phone: 6,
  fax: 7,
  parent: 8,
  officialPrefix: 9,
  officialFirst: 10,
  officialMiddle: 11,
  officialLast: 12,
  officialSuffix: 13,
  officialCredential: 14,
  officialTitle: 15,
  officialPhone: 16,
} as const;
export const IDENTITY_TEXTS = 17;

export const TaxonomyText = {
  code: 0,
  license: 1,
  licenseState: 2,
  /** The primary taxonomy switch. */
  primary: 3,
  group: 4,
} as const;
export const TAXONOMY_TEXTS = 5;

export const MainRowNameText = {
  organization: 0,
  organizationType: 1,
  prefix: 2,
  first: 3,
  middle: 4,
  last: 5,
  suffix: 6,
  credential: 7,
  lastType: 8,
} as const;
export const MAIN_ROW_NAME_TEXTS = 9;

export const OtherNameText = { name: 0, type: 1 } as const;
export const OTHER_NAME_TEXTS = 2;

/** The texts of an address, from its first one. */
export const AddressText = {
  address1: 0,
  address2: 1,
  city: 2,
  state: 3,
  postalCode: 4,
  country: 5,
} as const;
export const ADDRESS_TEXTS = 6;

export const LocationText = {
  ...AddressText,
  phone: 6,
  phoneExtension: 7,
  fax: 8,
} as const;
export const LOCATION_TEXTS = 9;

export const MailingText = { ...AddressText, phone: 6, fax: 7 } as const;
export const MAILING_TEXTS = 8;

export const IdentifierText = {
  identifier: 0,
  type: 1,
  state: 2,
  issuer: 3,
} as const;
export const IDENTIFIER_TEXTS = 4;

export const EndpointText = {
  type: 0,
  typeDescription: 1,
  address: 2,
  description: 3,
  affiliation: 4,
  affiliationName: 5,
  use: 6,
  useDescription: 7,
  otherUse: 8,
  contentType: 9,
  contentTypeDescription: 10,
  otherContentType: 11,
  /** An address, up to the end of the record. */
  location: 12,
} as const;
export const ENDPOINT_TEXTS = EndpointText.location + ADDRESS_TEXTS;
