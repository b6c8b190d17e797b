/** The oracle for the details of an installation after a sequence of registry files. */

import type { Address } from "../../../../src/contract/details.ts";
import type {
  Endpoint,
  Identifier,
  OtherName,
  ProviderDetails,
} from "./provider-details.ts";
import type { FullName } from "../../../../src/contract/details.ts";
import type { RawRow } from "../registry/raw-row.ts";
import { shownState } from "./reference-provider.ts";

export interface FileWithDetails {
  kind: "full" | "week";
  rows: readonly RawRow[];
  /** The rows of the further files; null if the zip does not contain them. */
  otherNames: readonly RawRow[] | null;
  locations: readonly RawRow[] | null;
  endpoints?: readonly RawRow[] | null;
}

const LOCATION = "Provider Secondary Practice Location Address";

/** The columns of the further files, as they are published. */
export const OTHER_NAME_COLUMNS = [
  "NPI",
  "Provider Other Organization Name",
  "Provider Other Organization Name Type Code",
];
export const LOCATION_COLUMNS = [
  "NPI",
  `${LOCATION}- Address Line 1`,
  `${LOCATION}-  Address Line 2`,
  `${LOCATION} - City Name`,
  `${LOCATION} - State Name`,
  `${LOCATION} - Postal Code`,
  `${LOCATION} - Country Code (If outside U.S.)`,
  `${LOCATION} - Telephone Number`,
  `${LOCATION} - Telephone Extension`,
  "Provider Practice Location Address - Fax Number",
];

export const ENDPOINT_COLUMNS = [
  "NPI",
  "Endpoint Type",
  "Endpoint Type Description",
  "Endpoint",
  "Affiliation",
  "Endpoint Description",
  "Affiliation Legal Business Name",
  "Use Code",
  "Use Description",
  "Other Use Description",
  "Content Type",
  "Content Description",
  "Other Content Description",
  "Affiliation Address Line One",
  "Affiliation Address Line Two",
  "Affiliation Address City",
  "Affiliation Address State",
  "Affiliation Address Country",
  "Affiliation Address Postal Code",
];

interface Held {
  details: ProviderDetails;
  /** The other name of the provider's own row. */
  own: OtherName[];
  isWithheld: boolean;
}

/** The records by NPI. */
export class ReferenceDetails {
  held = new Map<string, Held>();

  apply({
    endpoints = null,
    kind,
    locations,
    otherNames,
    rows,
  }: FileWithDetails): void {
    const before = this.held;
    this.held = new Map(kind === "full" ? [] : before);
    for (const row of rows) {
      const npi = row["NPI"] ?? "";
      const known = before.get(npi);
      const isWithheld = !["1", "2"].includes(row["Entity Type Code"] ?? "");
      const now = isWithheld ? silent() : shown(row);
      if (isWithheld && known !== undefined && !known.isWithheld) {
        const { deactivationDate, deactivationReason } = statusOf(row);
        const { reactivationDate, replacementNpi } = statusOf(row);
        const identity = {
          ...known.details.identity,
          deactivationDate,
          deactivationReason,
          reactivationDate,
          replacementNpi,
        };
        this.held.set(npi, {
          ...known,
          details: { ...known.details, identity },
        });
        continue;
      }
      if (isWithheld) Object.assign(now.details.identity, statusOf(row));
      else {
        const kept = kind === "week" ? known : undefined;
        const others =
          otherNames === null
            ? (kept?.details.otherNames.slice(kept.own.length) ?? [])
            : otherNames.filter((each) => each["NPI"] === npi).flatMap(other);
        now.details.otherNames = [...now.own, ...others];
        now.details.locations =
          locations === null
            ? (kept?.details.locations ?? [])
            : locations.filter((each) => each["NPI"] === npi).map(location);
        now.details.endpoints =
          endpoints === null
            ? (kept?.details.endpoints ?? [])
            : endpoints.filter((each) => each["NPI"] === npi).map(endpoint);
      }
      this.held.set(npi, now);
    }
  }
}

function silent(): Held {
  return {
    isWithheld: true,
    own: [],
    details: {
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
        official: null,
        ...statusOf({}),
      },
      mailingAddress: null,
      identifiers: [],
      endpoints: [],
    },
  };
}

function shown(row: RawRow): Held {
  const get = (column: string): string | null => clean(row[column]);
  const practice = "Provider Business Practice Location Address";
  const official = {
    ...nameOf(row, "Authorized Official"),
    title: get("Authorized Official Title or Position"),
    phone: get("Authorized Official Telephone Number"),
  };
  const own = mainRowNames(row);
  return {
    isWithheld: false,
    own,
    details: {
      taxonomies: Array.from({ length: 15 }, (_, index) => index + 1).flatMap(
        (slot) => {
          const code = get(`Healthcare Provider Taxonomy Code_${slot}`);
          const primary = get(
            `Healthcare Provider Primary Taxonomy Switch_${slot}`,
          );
          if (code === null) return [];
          return {
            code,
            primary: primary === "Y",
            licenseNumber: get(`Provider License Number_${slot}`),
            licenseState: get(`Provider License Number State Code_${slot}`),
            group: get(`Healthcare Provider Taxonomy Group_${slot}`),
          };
        },
      ),
      otherNames: own,
      locations: [],
      identity: {
        prefix: get("Provider Name Prefix Text"),
        suffix: get("Provider Name Suffix Text"),
        sex: get("Provider Sex Code") ?? get("Provider Gender Code"),
        soleProprietor: get("Is Sole Proprietor"),
        organizationSubpart: get("Is Organization Subpart"),
        parentOrganization: get("Parent Organization LBN"),
        phone: get(`${practice} Telephone Number`),
        fax: get(`${practice} Fax Number`),
        certificationDate: isoDate(get("Certification Date")),
        official: isNothing(official) ? null : official,
        ...statusOf(row),
      },
      mailingAddress: mailingAddress(row),
      identifiers: identifiers(row),
      endpoints: [],
    },
  };
}

function statusOf(row: RawRow) {
  const replacement = clean(row["Replacement NPI"]);
  return {
    deactivationReason: clean(row["NPI Deactivation Reason Code"]),
    deactivationDate: isoDate(clean(row["NPI Deactivation Date"])),
    reactivationDate: isoDate(clean(row["NPI Reactivation Date"])),
    replacementNpi: replacement === clean(row["NPI"]) ? null : replacement,
  };
}

function mainRowNames(row: RawRow): OtherName[] {
  const person: FullName = nameOf(row, "Provider Other");
  const organization = clean(row["Provider Other Organization Name"]);
  const names: OtherName[] = [];
  if (organization !== null)
    names.push({
      type: clean(row["Provider Other Organization Name Type Code"]),
      organization,
      person: null,
    });
  if (!isNothing(person))
    names.push({
      type: clean(row["Provider Other Last Name Type Code"]),
      organization: null,
      person,
    });
  return names;
}

function nameOf(row: RawRow, of: string): FullName {
  return {
    prefix: clean(row[`${of} Name Prefix Text`]),
    first: clean(row[`${of} First Name`]),
    middle: clean(row[`${of} Middle Name`]),
    last: clean(row[`${of} Last Name`]),
    suffix: clean(row[`${of} Name Suffix Text`]),
    credential: clean(row[`${of} Credential Text`]),
  };
}

function other(row: RawRow): OtherName[] {
  const [, name = "", type = ""] = OTHER_NAME_COLUMNS;
  const organization = clean(row[name]);
  if (organization === null && clean(row[type]) === null) return [];
  return [{ type: clean(row[type]), organization, person: null }];
}

function location(row: RawRow): ProviderDetails["locations"][number] {
  const [
    address_1 = null,
    address_2 = null,
    city = null,
    state = null,
    postal_code = null,
    country = null,
    phone = null,
    phone_extension = null,
    fax = null,
  ] = LOCATION_COLUMNS.slice(1).map((column) => clean(row[column]));
  return {
    address_1,
    address_2,
    city,
    state: shownState(state, country),
    postal_code,
    country,
    phone,
    phone_extension,
    fax,
  };
}

function mailingAddress(row: RawRow): ProviderDetails["mailingAddress"] {
  const of = (column: string) =>
    clean(row[`Provider Business Mailing Address ${column}`]);
  const country = of("Country Code (If outside U.S.)");
  const address = {
    address_1: clean(row["Provider First Line Business Mailing Address"]),
    address_2: clean(row["Provider Second Line Business Mailing Address"]),
    city: of("City Name"),
    state: shownState(of("State Name"), country),
    postal_code: of("Postal Code"),
    country,
    phone: of("Telephone Number"),
    fax: of("Fax Number"),
  };
  return isNothing(address) ? null : address;
}

function identifiers(row: RawRow): Identifier[] {
  return Array.from({ length: 50 }, (_, index) => {
    const of = (what: string) =>
      clean(row[`Other Provider Identifier${what}_${index + 1}`]);
    return {
      identifier: of(""),
      type: of(" Type Code"),
      state: of(" State"),
      issuer: of(" Issuer"),
    };
  }).filter((slot) => !isNothing(slot));
}

function endpoint(row: RawRow): Endpoint {
  const get = (column: string): string | null => clean(row[column]);
  const country = get("Affiliation Address Country");
  const address: Address = {
    address_1: get("Affiliation Address Line One"),
    address_2: get("Affiliation Address Line Two"),
    city: get("Affiliation Address City"),
    state: shownState(get("Affiliation Address State"), country),
    postal_code: get("Affiliation Address Postal Code"),
    country,
  };
  return {
    type: get("Endpoint Type"),
    typeDescription: get("Endpoint Type Description"),
    address: get("Endpoint"),
    description: get("Endpoint Description"),
    affiliation: get("Affiliation"),
    affiliationName: get("Affiliation Legal Business Name"),
    use: get("Use Code"),
    useDescription: get("Use Description"),
    otherUse: get("Other Use Description"),
    contentType: get("Content Type"),
    contentTypeDescription: get("Content Description"),
    otherContentType: get("Other Content Description"),
    location: isNothing(address) ? null : address,
  };
}

/** The registry's ways to write null. */
function clean(value = ""): string | null {
  const text = value.trim();
  return text === "<UNAVAIL>" || /^[-_=*$#.\s]*$/.test(text) ? null : text;
}

function isoDate(text: string | null): string | null {
  const parts = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text ?? "");
  return parts === null ? null : `${parts[3]}-${parts[1]}-${parts[2]}`;
}

function isNothing(object: object): boolean {
  return Object.values(object).every((value) => value === null);
}
