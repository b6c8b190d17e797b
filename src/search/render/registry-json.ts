import { isMilitary, stateNumber } from "../../contract/states.ts";
import type { Address } from "../../contract/details.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";
import type { Provider } from "../../contract/provider.ts";
import {
  GROUP_CODE_LENGTH,
  IDENTIFIER_TYPES,
  OTHER_NAME_TYPES,
  TAXONOMY_GROUPS,
} from "../../contract/provider-fields.ts";
import { BLOB, type BlobSection } from "../../registry/details/detail-blob.ts";
import type { DetailsView } from "../../snapshot/details/details-view.ts";

/** A record as the registry's API shows it. Members are in alphabetical order; an undefined one is absent. */
export type RegistryRecord = Readonly<Record<string, unknown>>;

/** A provider's record and details, and what this installation stores of it. */
export interface RegistrySource {
  readonly record: Provider;
  readonly details: DetailsView;
  readonly parts: readonly DetailPart[];
  /** Returns the description of a taxonomy code, or null. */
  readonly descriptionOf: (code: string) => string | null;
}

const ACTIVE = "A";
const US = "US";
const TEN_DIGITS = /^([0-9]{3})([0-9]{3})([0-9]{4})$/;
/** The types that the registry's API describes in other words than its files. */
const IDENTIFIER_TYPES_OF_API: ReadonlyMap<string, string> = new Map([
  ["01", "Other (non-Medicare)"],
]);
const COUNTRIES = new Intl.DisplayNames("en-US", {
  type: "region",
  fallback: "none",
});
const TWO_LETTERS = /^[A-Z]{2}$/;
/** By two letters; making a name takes a microsecond. The registry calls this one otherwise than Unicode does. */
const countryNames = new Map([["UM", "United States Minor Outlying Islands"]]);

/** Makes the registry's own members for an active provider. Parts that the installation does not store are absent. */
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
    endpoints: only("endpoints", () =>
      details.each(BLOB.endpoints, () => endpoint(details)),
    ),
    enumeration_type: record.entity_type === "organization" ? "NPI-2" : "NPI-1",
    identifiers: only("identifiers", () =>
      details.each(BLOB.identifiers, () => identifier(details)),
    ),
    last_updated_epoch: epoch(record.last_updated),
    number: record.npi,
    other_names: only("other_names", () => otherNames(details)),
    practiceLocations: only("locations", () =>
      details.each(BLOB.locations, () =>
        address(details.address(0), {
          purpose: "LOCATION",
          ...phoneAndFax(details, BLOB.locations),
        }),
      ),
    ),
    taxonomies: taxonomies(source),
  };
}

function individualBasics({ details, parts, record }: RegistrySource) {
  const { name } = record;
  const has = parts.includes("identity");
  const of = textsOf(details, BLOB.identity);
  return {
    certification_date: certificationDate(details),
    credential: text(name?.credential),
    enumeration_date: text(record.enumeration_date),
    first_name: text(name?.first),
    last_name: text(name?.last),
    last_updated: text(record.last_updated),
    middle_name: text(name?.middle),
    name_prefix: of("name_prefix"),
    name_suffix: of("name_suffix"),
    sex: has ? (of("sex") ?? "") : undefined,
    sole_proprietor: has ? yesOrNo(of("sole_proprietor")) : undefined,
    status: ACTIVE,
  };
}

function organizationBasics({ details, record }: RegistrySource) {
  const of = textsOf(details, BLOB.identity);
  return {
    authorized_official_credential: of("authorized_official.credential"),
    authorized_official_first_name: of("authorized_official.first"),
    authorized_official_last_name: of("authorized_official.last"),
    authorized_official_middle_name: of("authorized_official.middle"),
    authorized_official_name_prefix: of("authorized_official.prefix"),
    authorized_official_name_suffix: of("authorized_official.suffix"),
    // Unlike those of addresses, the API shows it as the file has it.
    authorized_official_telephone_number: of("authorized_official.phone"),
    authorized_official_title_or_position: of("authorized_official.title"),
    certification_date: certificationDate(details),
    enumeration_date: text(record.enumeration_date),
    last_updated: text(record.last_updated),
    organization_name: text(record.organization_name),
    organizational_subpart: yesOrNo(of("organization_subpart")),
    parent_organization_legal_business_name: of("parent_organization"),
    status: ACTIVE,
  };
}

function certificationDate(identity: DetailsView): string | undefined {
  return text(identity.date(BLOB.identity.text.certification_date));
}

/** Lists the primary practice location, and the mailing address. */
function addresses({ details, record }: RegistrySource) {
  const { practice_address: practice } = record;
  details.only(BLOB.identity);
  const primary = phoneAndFax(details, BLOB.identity);
  const shown =
    practice === null
      ? []
      : [address(practice, { purpose: "LOCATION", ...primary })];
  details.each(BLOB.mailingAddress, () =>
    shown.push(
      address(details.address(0), {
        purpose: "MAILING",
        ...phoneAndFax(details, BLOB.mailingAddress),
      }),
    ),
  );
  return shown;
}

function phoneAndFax(
  details: DetailsView,
  { text: at }: BlobSection<"phone" | "fax">,
) {
  return { phone: details.text(at.phone), fax: details.text(at.fax) };
}

/** Moves to a section's only record, and returns what reads its texts until the next move. */
function textsOf<Text extends string>(
  details: DetailsView,
  section: BlobSection<Text>,
): (name: Text) => string | undefined {
  details.only(section);
  return (name) => text(details.text(section.text[name]));
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

/** Returns the registry's word for a domestic, foreign, or military address. */
function addressType(country: string | null, state: string | null) {
  if (country !== null && country !== US) return "FGN";
  return state !== null && isMilitary(stateNumber(state)) ? "MIL" : "DOM";
}

/** Writes a postal code, a ZIP+4 without a hyphen. */
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

/** Writes a number with hyphens if it has ten digits, else as published. */
function telephone(number: string | null): string | undefined {
  return text(number)?.replace(TEN_DIGITS, "$1-$2-$3");
}

function taxonomies({ descriptionOf, details, parts, record }: RegistrySource) {
  if (parts.includes("taxonomies"))
    return details.each(BLOB.taxonomies, () =>
      taxonomy(details, descriptionOf),
    );
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
  slot: DetailsView,
  descriptionOf: (code: string) => string | null,
) {
  const { text: at } = BLOB.taxonomies;
  const code = slot.text(at.code) ?? "";
  return {
    code,
    desc: descriptionOf(code),
    license: slot.text(at.license_number),
    primary: slot.text(at.primary) === "Y",
    state: slot.text(at.license_state),
    taxonomy_group: taxonomyGroup(slot.text(at.group)),
  };
}

/** Returns code and name; '' if there is none. In some files, a text follows the code. */
function taxonomyGroup(group: string | null): string {
  if (group === null) return "";
  const code = group.slice(0, GROUP_CODE_LENGTH);
  const name = TAXONOMY_GROUPS.get(code);
  return name === undefined ? group : `${code} - ${name}`;
}

function identifier(slot: DetailsView) {
  const { text: at } = BLOB.identifiers;
  const code = slot.text(at.type);
  const known = code ?? "";
  return {
    code,
    desc:
      IDENTIFIER_TYPES_OF_API.get(known) ?? IDENTIFIER_TYPES.get(known) ?? null,
    identifier: slot.text(at.identifier),
    issuer: slot.text(at.issuer),
    state: slot.text(at.state),
  };
}

/** Lists other names. The provider's own row can have another organization name and another person's name. */
function otherNames(details: DetailsView) {
  const { text: at } = BLOB.mainRowName;
  const { text: inFile } = BLOB.otherNames;
  const of = (place: number) => text(details.text(place));
  const ofRow = details.each(BLOB.mainRowName, () => {
    const organization = of(at.organization_name);
    const person = {
      credential: of(at["name.credential"]),
      first_name: of(at["name.first"]),
      last_name: of(at["name.last"]),
      middle_name: of(at["name.middle"]),
      organization_name: undefined,
      prefix: of(at["name.prefix"]),
      suffix: of(at["name.suffix"]),
    };
    const isPerson = Object.values(person).some((part) => part !== undefined);
    return [
      ...(organization === undefined
        ? []
        : [
            otherName(of(at.organization_type), {
              organization_name: organization,
            }),
          ]),
      ...(isPerson ? [otherName(of(at.type), person)] : []),
    ];
  });
  const others = details.each(BLOB.otherNames, () =>
    otherName(of(inFile.type), {
      organization_name: of(inFile.organization_name),
    }),
  );
  return [...ofRow.flat(), ...others];
}

function otherName(code: string | undefined, name: object) {
  const type = code === undefined ? undefined : OTHER_NAME_TYPES.get(code);
  return { code, ...name, type };
}

function endpoint(details: DetailsView) {
  const { text: at } = BLOB.endpoints;
  const of = (place: number) => text(details.text(place));
  const location = details.address(at["location.address_1"]);
  const { country, state } = location;
  const isListed = Object.values(location).some((value) => value !== null);
  return {
    address_1: text(location.address_1),
    address_2: text(location.address_2),
    address_type: isListed ? addressType(country, state) : undefined,
    affiliation: of(at.affiliation),
    affiliationName: of(at.affiliation_name),
    city: text(location.city),
    contentOtherDescription: of(at.other_content_type),
    contentType: of(at.content_type),
    contentTypeDescription: of(at["content_type.description"]) ?? "",
    country_code: text(country),
    country_name: countryName(country),
    endpoint: of(at.address),
    endpointDescription: of(at.description),
    endpointType: of(at.type),
    endpointTypeDescription: of(at["type.description"]),
    postal_code: postalCode(country, location.postal_code),
    state: text(state),
    use: of(at.use),
    useDescription: of(at["use.description"]) ?? "",
    useOtherDescription: of(at.other_use),
  };
}

/** Milliseconds of midnight UTC on an ISO date, as a string: the files have no time of day. */
function epoch(date: string | null): string | undefined {
  return date === null ? undefined : String(Date.parse(date));
}

function yesOrNo(code: string | undefined): string | undefined {
  if (code === "Y") return "YES";
  return code === "N" ? "NO" : code;
}

function text(value: string | null | undefined): string | undefined {
  return value ?? undefined;
}
