import {
  DEACTIVATION_REASONS,
  OTHER_NAME_TYPES,
  TAXONOMY_GROUPS,
} from "../../registry/details/code-values.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";
import type {
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

/** A code and its meaning, null if unknown. */
function coded(code: string | null, meanings: ReadonlyMap<string, string>) {
  return code === null
    ? null
    : { code, description: meanings.get(code) ?? null };
}

/** X, "not answered", is null as well. */
function yesOrNo(code: string | null): boolean | null {
  if (code === "Y") return true;
  return code === "N" ? false : null;
}
