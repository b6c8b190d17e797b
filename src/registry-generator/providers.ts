import { digits, drawAddress, drawTelephone, titleCase } from "./addresses.ts";
import { registryDate } from "./calendar.ts";
import { columnNumber, type CsvRow } from "./csv-row.ts";
import { drawHistory, type History } from "./history.ts";
import {
  drawGivenName,
  drawMiddleName,
  drawPerson,
  drawSurname,
} from "./names.ts";
import { npiOfIndex } from "./npi-sequence.ts";
import { OrganizationNames } from "./organization-names.ts";
import { type Place, placeMap } from "./places.ts";
import { Random } from "./random.ts";
import { SkewedChoice } from "./skewed-choice.ts";
import { type SpecialtyMix, specialtyOf } from "./specialties.ts";
import type { WeekChange } from "./week-changes.ts";
import { WELL_KNOWN, WELL_KNOWN_SINCE, type WellKnown } from "./well-known.ts";
import { Words, words } from "./words.ts";

/** Each part of a row has its own sequence of random numbers, so an update can change one part and keep the rest. */
export const Stream = {
  history: 1,
  name: 2,
  place: 3,
  specialty: 4,
  rest: 5,
  sex: 6,
  streets: 7,
  update: 8,
  deactivation: 9,
  otherNames: 10,
  locations: 11,
  endpoints: 12,
} as const;
/** A week's versions of the streams are this far apart. */
const STREAMS = 16;

/**
 * The rows of a demo. They have more providers in large cities, of the specialties that users look for, and with the
 * names that they type first. The rows after them are as in nature, as benchmarks need them.
 */
const DEMO_ROWS = 25_000;
const LARGE_CITY_SHARE = 0.4;

/** Shares of what an update changes, in addition to its date. */
const RENAMED_SHARE = 0.04;
const MOVED_SHARE = 0.25;
const RETRAINED_SHARE = 0.12;

/** Shares of records with a value, as in the registry's weekly files. */
const WOMEN_SHARE = 0.66;
const MIDDLE_SHARE = 0.51;
const MASKED_SHARE = 0.0006;
const PREFIX_SHARE = 0.21;
const SUFFIX_SHARE = 0.014;
const OTHER_NAME_SHARE = 0.079;
const OTHER_ORGANIZATION_SHARE = 0.27;
const LOWER_CASE_SHARE = 0.0005;
const SAME_ADDRESS_SHARE = 0.51;
const SAME_PLACE_SHARE = 0.32;
const SUBPART_SHARE = 0.087;
const SOLE_PROPRIETOR_SHARE = 0.31;
const FIRST_SLOT_PRIMARY_SHARE = 0.55;
const NO_PRIMARY_SHARE = 0.0015;
const UNANSWERED_SHARE = 0.0005;
const PERSON_LICENSE_SHARE = 0.685;
const ORGANIZATION_LICENSE_SHARE = 0.1;
const IDENTIFIER_SHARE = 0.16;
const PERSON_GROUP_SHARE = 0.026;
const ORGANIZATION_GROUP_SHARE = 0.4;
/** Shares of the deactivated providers with details. */
const REASON_SHARE = 0.5;
const REPLACED_SHARE = 0.06;
const MAILING = { telephone: 0.82, fax: 0.26 };
const PRACTICE = { telephone: 0.9998, fax: 0.3 };
/** The number of providers per 1,000 with one taxonomy, two, and so on: 1.3 on average. */
const TAXONOMIES = new SkewedChoice([
  840, 100, 30, 12, 5, 3, 2, 1.5, 1, 0.8, 0.6, 0.5, 0.5, 0.6, 1,
]);

const MASKS = words("<UNAVAIL> --");
const WOMENS_PREFIXES = words("MRS. MS. DR. MISS DR MRS MS");
const MENS_PREFIXES = words("MR. DR. DR MR PROF.");
const SUFFIXES = words("JR. III II SR. JR IV");
const TITLES = words(`
24 OWNER 12 CEO 8 PRESIDENT 6 SECRETARY CFO 4 MANAGER ADMINISTRATOR DIRECTOR 3 EXECUTIVE_DIRECTOR VICE_PRESIDENT
2 CHIEF_FINANCIAL_OFFICER CHIEF_EXECUTIVE_OFFICER OFFICE_MANAGER COO AUTHORIZED_OFFICIAL 1 MANAGING_MEMBER MEDICAL_DIRECTOR
MEMBER CREDENTIALING_SPECIALIST OWNER/CEO PRESIDENT/CEO FOUNDER TREASURER PARTNER`);
const ISSUERS = words(
  "MEDICAID BCBS BLUE_CROSS RAILROAD_MEDICARE PTAN CHAMPUS WORKERS_COMP",
);
const GROUPS = words(
  "6 193400000X_SINGLE_SPECIALTY_GROUP 4 193200000X_MULTI-SPECIALTY_GROUP",
);
/** Death, disbandment, fraud, other. */
const REASONS = words("DT DB FR OT");
/** 3: doing business as; 4: former legal business name; 5: other. */
const OTHER_NAME_TYPES = new Words(["3", "4", "5"], [17, 2, 1]);

/** Columns of a taxonomy: code, license, state, and switch. */
const SLOT_COLUMNS = 4;

/** Columns at which a group of values starts. */
const COLUMN = {
  npi: columnNumber("NPI"),
  entityType: columnNumber("Entity Type Code"),
  employer: columnNumber("Employer Identification Number (EIN)"),
  replacement: columnNumber("Replacement NPI"),
  last: columnNumber("Provider Last Name (Legal Name)"),
  otherOrganization: columnNumber("Provider Other Organization Name"),
  otherLast: columnNumber("Provider Other Last Name"),
  otherType: columnNumber("Provider Other Last Name Type Code"),
  mailing: columnNumber("Provider First Line Business Mailing Address"),
  enumerated: columnNumber("Provider Enumeration Date"),
  reason: columnNumber("NPI Deactivation Reason Code"),
  deactivated: columnNumber("NPI Deactivation Date"),
  sex: columnNumber("Provider Sex Code"),
  official: columnNumber("Authorized Official Last Name"),
  taxonomy: columnNumber("Healthcare Provider Taxonomy Code_1"),
  identifier: columnNumber("Other Provider Identifier_1"),
  soleProprietor: columnNumber("Is Sole Proprietor"),
  subpart: columnNumber("Is Organization Subpart"),
  officialPrefix: columnNumber("Authorized Official Name Prefix Text"),
  officialCredential: columnNumber("Authorized Official Credential Text"),
  group: columnNumber("Healthcare Provider Taxonomy Group_1"),
  certified: columnNumber("Certification Date"),
};

/** What the rows of a provider in all files agree on. */
export interface Provider {
  readonly index: number;
  readonly npi: string;
  readonly history: History;
  /** Added to the streams of its names and places if an update changed them. */
  readonly nameVersion: number;
  readonly placeVersion: number;
  readonly place: Place;
  readonly isWoman: boolean;
  readonly codes: readonly string[];
  /** Which of the codes has the switch; none if −1. */
  readonly primarySlot: number;
  readonly primaryCode: string;
  /** What its organizations are called after. */
  readonly trade: string;
}

export interface ProvidersOptions {
  seed: number;
  /** Day number of the last day in the full file. */
  asOf: number;
  specialties: SpecialtyMix;
  /** Whether deactivated providers with details have reasons and replacements, which the registry leaves blank. */
  hasReasons: boolean;
}

/** Invented providers. One is an index: any row can be drawn at any time, with the same result. */
export class Providers {
  readonly seed: number;
  readonly places = placeMap();
  readonly organizations: OrganizationNames;
  readonly #options: ProvidersOptions;
  readonly #random = new Random();

  constructor(options: ProvidersOptions) {
    this.#options = options;
    this.seed = options.seed;
    this.organizations = new OrganizationNames(options.seed, this.places);
  }

  /** A provider's random numbers for one purpose; valid until the next call. */
  random(stream: number, index: number): Random {
    this.#random.restart(this.seed, stream, index);
    return this.#random;
  }

  /** A provider's history up to the full file, or up to a week's change. */
  history(index: number, change?: WeekChange): History {
    const random = this.random(Stream.history, index);
    return drawHistory(random, this.#options.asOf, change);
  }

  /** A provider as in the full file, or after a week's change. */
  draw(index: number, change?: WeekChange): Provider {
    const history = this.history(index, change);
    const { isOrganization } = history;
    const isDemo = index < DEMO_ROWS;
    const version = change?.kind === "update" ? change.week * STREAMS : 0;
    let random = this.random(Stream.update + version, index);
    const nameVersion = random.chance(RENAMED_SHARE) ? version : 0;
    const placeVersion = random.chance(MOVED_SHARE) ? version : 0;
    const codesVersion = random.chance(RETRAINED_SHARE) ? version : 0;
    random = this.random(Stream.specialty + codesVersion, index);
    const codes = [];
    for (let rest = TAXONOMIES.draw(random); rest >= 0; rest--)
      codes.push(
        this.#options.specialties.draw(random, isOrganization, isDemo),
      );
    let primarySlot = 0;
    if (codes.length > 1 && !random.chance(FIRST_SLOT_PRIMARY_SHARE))
      primarySlot = 1 + random.below(codes.length - 1);
    if (random.chance(NO_PRIMARY_SHARE)) primarySlot = -1;
    random = this.random(Stream.place + placeVersion, index);
    const place =
      isDemo && random.chance(LARGE_CITY_SHARE)
        ? this.places.drawInLargeCity(random)
        : this.places.draw(random);
    const primaryCode = codes[Math.max(primarySlot, 0)]!;
    return {
      index,
      npi: String(npiOfIndex(this.seed, index)),
      history,
      nameVersion,
      placeVersion,
      place,
      isWoman: this.random(Stream.sex, index).chance(WOMEN_SHARE),
      codes,
      primarySlot,
      primaryCode,
      trade: specialtyOf(primaryCode).trade,
    };
  }

  /** The provider's rows if they are fixed. */
  wellKnown(index: number): WellKnown | undefined {
    return this.#options.asOf >= WELL_KNOWN_SINCE
      ? WELL_KNOWN[index]
      : undefined;
  }

  /** Whether an organization has another name in its own row; then it may have more. */
  hasOtherName({ history, index, nameVersion }: Provider): boolean {
    const random = this.random(Stream.name + nameVersion, index);
    return history.isOrganization && random.chance(OTHER_ORGANIZATION_SHARE);
  }

  /** Another name of an organization, with its type. */
  drawOtherName(random: Random, { trade, place }: Provider): string[] {
    return [
      this.organizations.draw(random, trade, place),
      OTHER_NAME_TYPES.draw(random),
    ];
  }

  /** Writes the provider's row of the main file. */
  write(row: CsvRow, index: number, change?: WeekChange): void {
    const known = this.wellKnown(index);
    if (known === undefined) this.#putDrawn(row, this.draw(index, change));
    else {
      row.put(COLUMN.npi, String(npiOfIndex(this.seed, index)));
      for (const [column, ...values] of known.main) {
        const isReason =
          column === COLUMN.replacement || column === COLUMN.reason;
        if (this.#options.hasReasons || !isReason) row.put(column, ...values);
      }
    }
    row.end();
  }

  #putDrawn(row: CsvRow, provider: Provider): void {
    const { history, index, isWoman, npi, place, placeVersion } = provider;
    const { deactivated, isOrganization } = history;
    row.put(COLUMN.npi, npi);
    if (history.isWithheld)
      return row.put(COLUMN.deactivated, dateOf(deactivated));
    row.put(COLUMN.entityType, isOrganization ? "2" : "1");
    let random = this.random(Stream.deactivation, index);
    const hasReasons = this.#options.hasReasons && deactivated !== null;
    const reason =
      hasReasons && random.chance(REASON_SHARE) ? REASONS.draw(random) : "";
    if (hasReasons && random.chance(REPLACED_SHARE)) {
      const other = npiOfIndex(this.seed, index + 1);
      row.put(COLUMN.replacement, String(other));
    }
    random = this.random(Stream.name + provider.nameVersion, index);
    if (isOrganization) this.#putOrganization(row, random, provider);
    else putPerson(row, random, provider);
    random = this.random(Stream.streets + placeVersion, index);
    this.#putAddresses(row, random, place);
    row.put(
      COLUMN.enumerated,
      dateOf(history.enumerated),
      dateOf(history.updated),
      reason,
      dateOf(deactivated),
      dateOf(history.reactivated),
    );
    random = this.random(Stream.rest, index);
    if (isOrganization) putOfficial(row, random, place);
    else row.put(COLUMN.sex, isWoman ? "F" : "M");
    putCodes(row, random, provider);
    if (random.chance(IDENTIFIER_SHARE)) putIdentifiers(row, random, place);
    if (isOrganization) this.#putOwnership(row, random, provider);
    else row.put(COLUMN.soleProprietor, drawSoleProprietor(random));
    const groupShare = isOrganization
      ? ORGANIZATION_GROUP_SHARE
      : PERSON_GROUP_SHARE;
    if (random.chance(groupShare)) {
      const group = GROUPS.draw(random);
      row.put(COLUMN.group, ...provider.codes.map(() => group));
    }
    row.put(COLUMN.certified, dateOf(history.certified));
  }

  #putOrganization(row: CsvRow, random: Random, provider: Provider): void {
    const { place, trade } = provider;
    const hasOtherName = random.chance(OTHER_ORGANIZATION_SHARE);
    const name = this.organizations.draw(random, trade, place);
    const isMixedCase = random.chance(LOWER_CASE_SHARE);
    row.put(COLUMN.employer, "<UNAVAIL>", isMixedCase ? titleCase(name) : name);
    if (hasOtherName)
      row.put(
        COLUMN.otherOrganization,
        ...this.drawOtherName(random, provider),
      );
  }

  #putAddresses(row: CsvRow, random: Random, place: Place): void {
    const practice = drawAddress(random, place, PRACTICE);
    let mailing = practice;
    if (random.chance(SAME_ADDRESS_SHARE)) {
      mailing = [...practice];
      if (!random.chance(MAILING.telephone)) mailing[6] = "";
      if (!random.chance(MAILING.fax)) mailing[7] = "";
    } else {
      const near = random.chance(SAME_PLACE_SHARE)
        ? place
        : this.places.drawNear(random, place);
      mailing = drawAddress(random, near, MAILING);
    }
    row.put(COLUMN.mailing, ...mailing, ...practice);
  }

  #putOwnership(row: CsvRow, random: Random, { codes, trade }: Provider): void {
    if (random.chance(SUBPART_SHARE)) {
      const parent = this.organizations.drawChain(random, trade);
      row.put(COLUMN.subpart, "Y", parent, "<UNAVAIL>");
    } else row.put(COLUMN.subpart, "N");
    if (random.chance(0.23))
      row.put(COLUMN.officialPrefix, MENS_PREFIXES.draw(random));
    if (random.chance(0.39))
      row.put(
        COLUMN.officialCredential,
        specialtyOf(codes[0]!).credentials.draw(random),
      );
  }
}

function putPerson(row: CsvRow, random: Random, provider: Provider): void {
  const { index, isWoman, primaryCode } = provider;
  const [first, last] = drawPerson(random, isWoman, index < DEMO_ROWS);
  row.put(
    COLUMN.last,
    random.chance(LOWER_CASE_SHARE) ? titleCase(last) : last,
    first,
    random.chance(MIDDLE_SHARE)
      ? masked(random, drawMiddleName(random, isWoman))
      : "",
    random.chance(PREFIX_SHARE)
      ? (isWoman ? WOMENS_PREFIXES : MENS_PREFIXES).draw(random)
      : "",
    !isWoman && random.chance(SUFFIX_SHARE) ? SUFFIXES.draw(random) : "",
    masked(random, specialtyOf(primaryCode).credentials.draw(random)),
  );
  if (!random.chance(OTHER_NAME_SHARE)) return;
  const otherFirst = random.chance(0.8)
    ? first
    : drawGivenName(random, isWoman);
  row.put(COLUMN.otherLast, drawSurname(random), otherFirst);
  // 1: former name; 2: professional name.
  row.put(COLUMN.otherType, random.chance(0.85) ? "1" : "2");
}

function masked(random: Random, text: string): string {
  return random.chance(MASKED_SHARE) ? MASKS.draw(random) : text;
}

function putOfficial(row: CsvRow, random: Random, place: Place): void {
  const isWoman = random.chance(0.5);
  row.put(
    COLUMN.official,
    drawSurname(random),
    drawGivenName(random, isWoman),
    random.chance(0.32) ? drawMiddleName(random, isWoman) : "",
    TITLES.draw(random),
    drawTelephone(random, place),
  );
}

/** Writes code, license, state, and switch of each taxonomy. */
function putCodes(
  row: CsvRow,
  random: Random,
  { codes, history, place, primarySlot }: Provider,
): void {
  const licenseShare = history.isOrganization
    ? ORGANIZATION_LICENSE_SHARE
    : PERSON_LICENSE_SHARE;
  const others = random.chance(UNANSWERED_SHARE) ? "X" : "N";
  for (let slot = 0; slot < codes.length; slot++) {
    const isLicensed = place.country === "US" && random.chance(licenseShare);
    row.put(
      COLUMN.taxonomy + slot * SLOT_COLUMNS,
      codes[slot]!,
      isLicensed ? drawLicense(random) : "",
      isLicensed ? place.state : "",
      slot === primarySlot ? "Y" : others,
    );
  }
}

/** States use various license formats: up to three letters, and six or eight digits. */
function drawLicense(random: Random): string {
  let letters = "";
  for (let rest = random.below(4); rest > 0; rest--)
    letters += String.fromCharCode(0x41 + random.below(26));
  const end = random.chance(0.7) ? digits(random, 2) : digits(random, 4);
  return letters + digits(random, 4) + end;
}

/** Writes number, type, state, and issuer of one to three other identifiers. 05: Medicaid; 01: other. */
function putIdentifiers(row: CsvRow, random: Random, { state }: Place): void {
  const cells: string[] = [];
  for (let rest = 1 + random.below(3); rest > 0; rest--) {
    const isOther = random.chance(0.4);
    const number = digits(random, 4) + digits(random, 4);
    cells.push(number, isOther ? "01" : "05", state);
    cells.push(isOther ? ISSUERS.draw(random) : "");
  }
  row.put(COLUMN.identifier, ...cells);
}

function drawSoleProprietor(random: Random): string {
  if (random.chance(SOLE_PROPRIETOR_SHARE)) return "Y";
  return random.chance(0.002) ? "X" : "N";
}

function dateOf(day: number | null): string {
  return day === null ? "" : registryDate(day);
}
