import {
  DEACTIVATION_REASONS,
  IDENTIFIER_TYPES,
  OTHER_NAME_TYPES,
  TAXONOMY_GROUPS,
} from "../../registry/details/code-values.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";
import type {
  Endpoint,
  Identifier,
  Identity,
  OtherName,
  ProviderDetails,
  TaxonomySlot,
} from "../../registry/details/provider-details.ts";
import type { Members } from "./renderer.ts";

/** The display name of a taxonomy code, or null. */
export type TaxonomyName = (code: string) => string | null;

const GROUP_CODE_LENGTH = 10;

/** The details of a provider that has only a record. */
export const NO_DETAILS: ProviderDetails = {
  taxonomies: [],
  otherNames: [],
  locations: [],
  identity: {
    prefix: null,
    suffix: null,
    sex: null,
    soleProprietor: null,
    organizationSubpart: null,
    parentOrganization: null,
    phone: null,
    fax: null,
    certificationDate: null,
    deactivationReason: null,
    deactivationDate: null,
    reactivationDate: null,
    replacementNpi: null,
    official: null,
  },
  mailingAddress: null,
  identifiers: [],
  endpoints: [],
};

/** The members that follow a record's own, for the requested parts. */
export function detailMembers(
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
  locations: ({ locations }) => locations,
  identity: (details) => identity(details.identity),
  mailing_address: ({ mailingAddress }) => mailingAddress,
  identifiers: ({ identifiers }) => identifiers.map(identifier),
  endpoints: ({ endpoints }) => endpoints.map(endpoint),
};

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
