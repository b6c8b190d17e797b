import type { Address } from "../../contract/address.ts";
import type {
  AuthorizedOfficial,
  FullName,
  MailingAddress,
  PracticeLocation,
} from "../../contract/details.ts";

/** What the registry publishes about a provider in addition to its record (`provider.ts`). Null: not published. */
export interface ProviderDetails {
  /** Every taxonomy slot with a code, in slot order. */
  taxonomies: TaxonomySlot[];
  otherNames: OtherName[];
  locations: PracticeLocation[];
  identity: Identity;
  mailingAddress: MailingAddress | null;
  /** Every slot with a value, in slot order. */
  identifiers: Identifier[];
  endpoints: Endpoint[];
}

export interface TaxonomySlot {
  code: string;
  /** Whether it is marked as the primary one. */
  primary: boolean;
  licenseNumber: string | null;
  licenseState: string | null;
  group: string | null;
}

/** Another name of an organization or a person; the fields of the other kind are null. */
export interface OtherName {
  /** The registry's code: 1 to 5. */
  type: string | null;
  organization: string | null;
  person: FullName | null;
}

export interface Identity {
  prefix: string | null;
  suffix: string | null;
  /** The registry's code: F, M, … */
  sex: string | null;
  /** Y, N, or X for not answered. */
  soleProprietor: string | null;
  organizationSubpart: string | null;
  parentOrganization: string | null;
  /** Of the primary practice location. */
  phone: string | null;
  fax: string | null;
  /** ISO 8601. */
  certificationDate: string | null;
  deactivationReason: string | null;
  deactivationDate: string | null;
  reactivationDate: string | null;
  replacementNpi: string | null;
  official: AuthorizedOfficial | null;
}

/** A number that a payer or a state gave the provider. */
export interface Identifier {
  identifier: string | null;
  /** The registry's code: 01, 02, 04 to 08. */
  type: string | null;
  state: string | null;
  issuer: string | null;
}

/** An electronic address. The registry's file describes each code. */
export interface Endpoint {
  type: string | null;
  typeDescription: string | null;
  address: string | null;
  description: string | null;
  /** Y or N. */
  affiliation: string | null;
  affiliationName: string | null;
  use: string | null;
  useDescription: string | null;
  otherUse: string | null;
  contentType: string | null;
  contentTypeDescription: string | null;
  otherContentType: string | null;
  location: Address | null;
}
