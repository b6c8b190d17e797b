import {
  DEACTIVATION_REASONS,
  GROUP_CODE_LENGTH,
  IDENTIFIER_TYPES,
  OTHER_NAME_TYPES,
  TAXONOMY_GROUPS,
} from "../../../../src/contract/provider-fields.ts";
import {
  isMilitary,
  stateNumberOfName,
} from "../../../../src/contract/states.ts";
import { fold } from "../../../../src/text/fold.ts";
import { isUsCountry } from "./reference-provider.ts";
import type { Members } from "../../../../src/search/render/renderer.ts";
import type { Address } from "../../../../src/contract/details.ts";
import type { DetailPart } from "../../../../src/contract/detail-parts.ts";
import type {
  AuthorizedOfficial,
  FullName,
  MailingAddress,
  PracticeLocation,
} from "../../../../src/contract/details.ts";

/**
 * What the registry publishes about a provider in addition to its record, as the oracle sees it. Null: not published.
 */
export interface ProviderDetails {
  /** Every taxonomy slot with a code, in slot order. */
  taxonomies: TaxonomySlot[];
  otherNames: OtherName[];
  locations: Omit<PracticeLocation, "address_type">[];
  identity: Identity;
  mailingAddress: Omit<MailingAddress, "address_type"> | null;
  /** Every slot with a value, in slot order. */
  identifiers: Identifier[];
  endpoints: Endpoint[];
}

export interface TaxonomySlot {
  code: string;
  /** True if it is marked as the primary one. */
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

type TaxonomyName = (code: string) => string | null;

/** The oracle's members that follow a record's own, for the requested parts. */
export function referenceMembers(
  details: ProviderDetails,
  parts: readonly DetailPart[],
  nameOf: TaxonomyName,
): Members {
  return Object.fromEntries(
    parts.map((part) => [part, MEMBERS[part](details, nameOf)]),
  );
}

const MEMBERS: Readonly<
  Record<
    DetailPart,
    (details: ProviderDetails, nameOf: TaxonomyName) => unknown
  >
> = {
  taxonomies: ({ taxonomies }, nameOf) =>
    taxonomies.map((slot) => taxonomy(slot, nameOf)),
  other_names: ({ otherNames }) => otherNames.map(otherName),
  locations: ({ locations }) => locations.map(withType),
  identity: (details) => identity(details.identity),
  mailing_address: ({ mailingAddress }) =>
    mailingAddress && withType(mailingAddress),
  identifiers: ({ identifiers }) => identifiers.map(identifier),
  endpoints: ({ endpoints }) => endpoints.map(endpoint),
};

function withType<Shown extends Address>(address: Shown) {
  return { ...address, address_type: typeOf(address) };
}

function typeOf({ country, state }: Address): string | null {
  if (country === null && state === null) return null;
  if (isMilitary(stateNumberOfName(fold(state ?? "")))) return "military";
  return isUsCountry(country) ? "domestic" : "foreign";
}

function taxonomy(slot: TaxonomySlot, nameOf: TaxonomyName) {
  const { code, group, licenseNumber, licenseState, primary } = slot;
  return {
    code,
    description: nameOf(code),
    primary,
    license_number: licenseNumber,
    license_state: licenseState,
    // In some files, a text follows the code.
    group: coded(group?.slice(0, GROUP_CODE_LENGTH) ?? null, TAXONOMY_GROUPS),
  };
}

function otherName({ organization, person, type }: OtherName) {
  return {
    type: coded(type, OTHER_NAME_TYPES),
    name: person,
    organization_name: organization,
  };
}

function identity(details: Identity) {
  return {
    name_prefix: details.prefix,
    name_suffix: details.suffix,
    sex: details.sex,
    sole_proprietor: yesOrNo(details.soleProprietor),
    organization_subpart: yesOrNo(details.organizationSubpart),
    parent_organization: details.parentOrganization,
    phone: details.phone,
    fax: details.fax,
    certification_date: details.certificationDate,
    deactivation_reason: coded(
      details.deactivationReason,
      DEACTIVATION_REASONS,
    ),
    deactivation_date: details.deactivationDate,
    reactivation_date: details.reactivationDate,
    replacement_npi: details.replacementNpi,
    authorized_official: details.official,
  };
}

function identifier({ identifier: value, issuer, state, type }: Identifier) {
  return {
    identifier: value,
    type: coded(type, IDENTIFIER_TYPES),
    state,
    issuer,
  };
}

function endpoint(details: Endpoint) {
  return {
    type: described(details.type, details.typeDescription),
    address: details.address,
    description: details.description,
    affiliation: yesOrNo(details.affiliation),
    affiliation_name: details.affiliationName,
    use: described(details.use, details.useDescription),
    other_use: details.otherUse,
    content_type: described(
      details.contentType,
      details.contentTypeDescription,
    ),
    other_content_type: details.otherContentType,
    location: details.location,
  };
}

/** A code and its meaning, null if unknown. */
function coded(code: string | null, meanings: ReadonlyMap<string, string>) {
  return code === null ? null : described(code, meanings.get(code) ?? null);
}

function described(code: string | null, description: string | null) {
  return code === null ? null : { code, description };
}

/** X, "not answered", is null as well. */
function yesOrNo(code: string | null): boolean | null {
  if (code === "Y") return true;
  return code === "N" ? false : null;
}
