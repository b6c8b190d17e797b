import { isMilitary, stateNumber } from "../../contract/states.ts";
import type { Address } from "../../contract/address.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";
import type { AuthorizedOfficial } from "../../contract/details.ts";
import type { Provider } from "../../contract/provider.ts";
import {
  IDENTIFIER_TYPES,
  IDENTIFIER_TYPES_OF_API,
  OTHER_NAME_TYPES,
  TAXONOMY_GROUPS,
} from "../../registry/details/code-values.ts";
import type {
  Endpoint,
  Identifier,
  OtherName,
  ProviderDetails,
  TaxonomySlot,
} from "../../registry/details/provider-details.ts";

/** A record as the registry's API shows it. Members are in alphabetical order; an undefined one is absent. */
export type RegistryRecord = Readonly<Record<string, unknown>>;

/** A provider's record and details, and what this installation stores of it. */
export interface RegistrySource {
  readonly record: Provider;
  readonly details: ProviderDetails;
  readonly parts: readonly DetailPart[];
  /** The description of a taxonomy code, or null. */
  readonly descriptionOf: (code: string) => string | null;
}

const ACTIVE = "A";
const US = "US";
const TEN_DIGITS = /^([0-9]{3})([0-9]{3})([0-9]{4})$/;
const GROUP_CODE_LENGTH = 10;
const COUNTRIES = new Intl.DisplayNames("en-US", {
  type: "region",
  fallback: "none",
});
const TWO_LETTERS = /^[A-Z]{2}$/;
/** By two letters; making a name takes a microsecond. The registry calls this one otherwise than Unicode does. */
const countryNames = new Map([["UM", "United States Minor Outlying Islands"]]);

/** The registry's own members for an active provider. Parts that the installation does not store are absent. */
export function registryRecord(source: RegistrySource): RegistryRecord {
  const { details, parts, record } = source;
  const only = <T>(part: DetailPart, make: () => T) =>
    parts.includes(part) ? make() : undefined;
  return {
    addresses: addresses(source),
    basic:
      record.entity_type === "organization"
        ? organizationBasics(source)
        : individualBasics(source),
    created_epoch: epoch(record.enumeration_date),
    endpoints: only("endpoints", () => details.endpoints.map(endpoint)),
    enumeration_type: record.entity_type === "organization" ? "NPI-2" : "NPI-1",
    identifiers: only("identifiers", () => details.identifiers.map(identifier)),
    last_updated_epoch: epoch(record.last_updated),
    number: record.npi,
    other_names: only("other_names", () => details.otherNames.map(otherName)),
    practiceLocations: only("locations", () =>
      details.locations.map(({ fax, phone, ...at }) =>
        address(at, { purpose: "LOCATION", phone, fax }),
      ),
    ),
    taxonomies: taxonomies(source),
  };
}

function individualBasics({ details, parts, record }: RegistrySource) {
  const { identity } = details;
  const { name } = record;
  const has = parts.includes("identity");
  return {
    certification_date: text(identity.certificationDate),
    credential: text(name?.credential),
    enumeration_date: text(record.enumeration_date),
    first_name: text(name?.first),
    last_name: text(name?.last),
    last_updated: text(record.last_updated),
    middle_name: text(name?.middle),
    name_prefix: text(identity.prefix),
    name_suffix: text(identity.suffix),
    sex: has ? (identity.sex ?? "") : undefined,
    sole_proprietor: has ? yesOrNo(identity.soleProprietor) : undefined,
    status: ACTIVE,
  };
}

function organizationBasics({ details, record }: RegistrySource) {
  const { identity } = details;
  return {
    ...official(identity.official),
    certification_date: text(identity.certificationDate),
    enumeration_date: text(record.enumeration_date),
    last_updated: text(record.last_updated),
    organization_name: text(record.organization_name),
    organizational_subpart: yesOrNo(identity.organizationSubpart),
    parent_organization_legal_business_name: text(identity.parentOrganization),
    status: ACTIVE,
  };
}

function official(person: AuthorizedOfficial | null) {
  return {
    authorized_official_credential: text(person?.credential),
    authorized_official_first_name: text(person?.first),
    authorized_official_last_name: text(person?.last),
    authorized_official_middle_name: text(person?.middle),
    authorized_official_name_prefix: text(person?.prefix),
    authorized_official_name_suffix: text(person?.suffix),
    // Unlike those of addresses, the API shows it as the file has it.
    authorized_official_telephone_number: text(person?.phone),
    authorized_official_title_or_position: text(person?.title),
  };
}

/** The primary practice location, and the mailing address. */
function addresses({ details, record }: RegistrySource) {
  const { identity, mailingAddress } = details;
  const { fax, phone } = identity;
  const { practice_address: practice } = record;
  const primary = { purpose: "LOCATION", phone, fax };
  const shown = practice === null ? [] : [address(practice, primary)];
  if (mailingAddress !== null)
    shown.push(
      address(mailingAddress, {
        purpose: "MAILING",
        phone: mailingAddress.phone,
        fax: mailingAddress.fax,
      }),
    );
  return shown;
}

function address(
  { address_1, address_2, city, country, postal_code, state }: Address,
  of: { purpose: string; phone: string | null; fax: string | null },
) {
  return {
    address_1: text(address_1),
    address_2: text(address_2),
    address_purpose: of.purpose,
    address_type: addressType(country, state),
    city: text(city),
    country_code: text(country),
    country_name: countryName(country),
    fax_number: telephone(of.fax),
    postal_code: postalCode(country, postal_code),
    state: text(state),
    telephone_number: telephone(of.phone),
  };
}

/** Domestic, foreign, or military. */
function addressType(country: string | null, state: string | null) {
  if (country !== null && country !== US) return "FGN";
  return state !== null && isMilitary(stateNumber(state)) ? "MIL" : "DOM";
}

/** ZIP+4 without a hyphen. */
function postalCode(country: string | null, code: string | null) {
  return country === null || country === US
    ? text(code)?.replace("-", "")
    : text(code);
}

function countryName(code: string | null): string | undefined {
  if (code === null) return undefined;
  if (!TWO_LETTERS.test(code)) return unknownCountry(code);
  let name = countryNames.get(code);
  if (name === undefined) {
    name = COUNTRIES.of(code) ?? unknownCountry(code);
    countryNames.set(code, name);
  }
  return name;
}

function unknownCountry(code: string): string {
  return `Unknown Country Name for ${code}`;
}

/** With hyphens if it is ten digits, else as published. */
function telephone(number: string | null): string | undefined {
  return text(number)?.replace(TEN_DIGITS, "$1-$2-$3");
}

function taxonomies({ descriptionOf, details, parts, record }: RegistrySource) {
  if (parts.includes("taxonomies"))
    return details.taxonomies.map((slot) => taxonomy(slot, descriptionOf));
  const { primary_taxonomy: primary } = record;
  return primary === null
    ? []
    : [
        {
          code: primary.code,
          desc: descriptionOf(primary.code),
          primary: true,
        },
      ];
}

function taxonomy(
  { code, group, licenseNumber, licenseState, primary }: TaxonomySlot,
  descriptionOf: (code: string) => string | null,
) {
  return {
    code,
    desc: descriptionOf(code),
    license: licenseNumber,
    primary,
    state: licenseState,
    taxonomy_group: taxonomyGroup(group),
  };
}

/** Code and name; '' if there is none. In some files, a text follows the code. */
function taxonomyGroup(group: string | null): string {
  if (group === null) return "";
  const code = group.slice(0, GROUP_CODE_LENGTH);
  const name = TAXONOMY_GROUPS.get(code);
  return name === undefined ? group : `${code} - ${name}`;
}

function identifier({ identifier: value, issuer, state, type }: Identifier) {
  const known = type ?? "";
  return {
    code: type,
    desc:
      IDENTIFIER_TYPES_OF_API.get(known) ?? IDENTIFIER_TYPES.get(known) ?? null,
    identifier: value,
    issuer,
    state,
  };
}

function otherName({ organization, person, type }: OtherName) {
  return {
    code: text(type),
    credential: text(person?.credential),
    first_name: text(person?.first),
    last_name: text(person?.last),
    middle_name: text(person?.middle),
    organization_name: text(organization),
    prefix: text(person?.prefix),
    suffix: text(person?.suffix),
    type: type === null ? undefined : OTHER_NAME_TYPES.get(type),
  };
}

function endpoint(details: Endpoint) {
  const { location } = details;
  const country = location?.country ?? null;
  return {
    address_1: text(location?.address_1),
    address_2: text(location?.address_2),
    address_type:
      location === null ? undefined : addressType(country, location.state),
    affiliation: text(details.affiliation),
    affiliationName: text(details.affiliationName),
    city: text(location?.city),
    contentOtherDescription: text(details.otherContentType),
    contentType: text(details.contentType),
    contentTypeDescription: details.contentTypeDescription ?? "",
    country_code: text(country),
    country_name: countryName(country),
    endpoint: text(details.address),
    endpointDescription: text(details.description),
    endpointType: text(details.type),
    endpointTypeDescription: text(details.typeDescription),
    postal_code: postalCode(country, location?.postal_code ?? null),
    state: text(location?.state),
    use: text(details.use),
    useDescription: details.useDescription ?? "",
    useOtherDescription: text(details.otherUse),
  };
}

/** Milliseconds of midnight UTC on an ISO date, as a string: the files have no time of day. */
function epoch(date: string | null): string | undefined {
  return date === null ? undefined : String(Date.parse(date));
}

function yesOrNo(code: string | null): string | undefined {
  if (code === "Y") return "YES";
  return code === "N" ? "NO" : text(code);
}

function text(value: string | null | undefined): string | undefined {
  return value ?? undefined;
}
