import { OFFICIAL_COLUMNS } from "../registry/rows/header.ts";
import { digits, drawAddress, drawTelephone, titleCase } from "./addresses.ts";
import { registryDate } from "./calendar.ts";
import { numbersBy, lists } from "./choice.ts";
import type { CsvRow } from "./csv-row.ts";
import { drawHistory, type History, type Provider } from "./history.ts";
import * as names from "./names.ts";
import type { OtherFile } from "./other-files.ts";
import { npiOfIndex } from "./npi-sequence.ts";
import {
  drawChain,
  drawOrganization,
  drawOtherName,
} from "./organization-names.ts";
import { type Place, placeMap } from "./places.ts";
import { Random } from "./random.ts";
import {
  soughtCode,
  type Specialty,
  type SpecialtyMix,
  specialtyOf,
} from "./specialties.ts";
import type { WeekChange } from "./week-changes.ts";
import { WELL_KNOWN, WELL_KNOWN_SINCE, type WellKnown } from "./well-known.ts";

/** Each part of a row has its own sequence of random numbers, so an update can change one part and keep the rest. */
const Stream = {
  history: 1,
  name: 2,
  place: 3,
  specialty: 4,
  rest: 5,
  streets: 6,
  update: 7,
  deactivation: 8,
  sex: 9,
} as const;
/** A week's versions of the streams are this far apart. */
const STREAMS = 16;

/**
 * The rows of a demo. They have more providers with the names that users type first, and two of five are in large
 * cities and have the specialties that users look for, each as often in each city. The rows after them are as in
 * nature, as benchmarks need them.
 */
const DEMO_ROWS = 25_000;

/** Shares of what an update changes, in addition to its date. */
const RENAMED_SHARE = 0.04;
const MOVED_SHARE = 0.25;
const RETRAINED_SHARE = 0.12;

/** Shares of records with a value, as in the registry's weekly files. */
const WOMEN_SHARE = 0.66;
const FAMILIAR_SHARE = 0.014;
const MASKED_SHARE = 0.001;
const OTHER_NAME_SHARE = 0.079;
const OTHER_ORGANIZATION_SHARE = 0.27;
const LOWER_CASE_SHARE = 0.0005;
const SAME_ADDRESS_SHARE = 0.51;
const SAME_PLACE_SHARE = 0.32;
const SUBPART_SHARE = 0.087;
const FIRST_SLOT_PRIMARY_SHARE = 0.55;
const NO_PRIMARY_SHARE = 0.0015;
const UNANSWERED_SHARE = 0.0005;
const IDENTIFIER_SHARE = 0.16;
/** Of individuals and of organizations. */
const LICENSE_SHARE = [0.685, 0.1];
const GROUP_SHARE = [0.026, 0.4];
/** Of deactivated providers with details. */
const REPLACED_SHARE = 0.06;
const MAILING = { telephone: 0.82, fax: 0.26 };
const PRACTICE = { telephone: 0.9998, fax: 0.3 };
/** The number of providers per 1,000 with one taxonomy, two, and so on: 1.3 on average. */
const TAXONOMIES = numbersBy([
  840, 100, 30, 12, 5, 3, 2, 1.5, 1, 0.8, 0.6, 0.5, 0.5, 0.6, 1,
]);

/** Reasons are death, disbandment, fraud, and other. */
const words = lists(
  "mask womansPrefix mansPrefix suffix soleProprietor title issuer group reason letters",
  `
mask: <UNAVAIL> --
womansPrefix: 79 "" 3 MRS. MS. DR. MISS DR MRS MS
mansPrefix: 79 "" 4.2 MR. DR. DR MR PROF.
suffix: 98.6 "" 0.2 JR. III II SR. JR IV
soleProprietor: 31 Y 68.8 N 0.2 X
title: 24 OWNER 12 CEO 8 PRESIDENT 6 SECRETARY CFO 4 MANAGER ADMINISTRATOR DIRECTOR 3 EXECUTIVE_DIRECTOR VICE_PRESIDENT
2 CHIEF_FINANCIAL_OFFICER CHIEF_EXECUTIVE_OFFICER OFFICE_MANAGER COO AUTHORIZED_OFFICIAL 1 MANAGING_MEMBER MEDICAL_DIRECTOR
MEMBER CREDENTIALING_SPECIALIST OWNER/CEO PRESIDENT/CEO FOUNDER TREASURER PARTNER
issuer: MEDICAID BCBS BLUE_CROSS RAILROAD_MEDICARE PTAN CHAMPUS WORKERS_COMP
group: 6 193400000X_SINGLE_SPECIALTY_GROUP 4 193200000X_MULTI-SPECIALTY_GROUP
reason: 4 "" 1 DT DB FR OT
letters: "" {letter} {letter}{letter} {letter}{letter}{letter}
letter: A B C D E F G H J K L M N P R S T V W X`,
);

const WOMEN = {
  given: names.woman,
  middle: names.womansMiddle,
  prefix: words.womansPrefix,
  familiar: names.familiarWoman,
};
const MEN = {
  given: names.man,
  middle: names.mansMiddle,
  prefix: words.mansPrefix,
  familiar: names.familiarMan,
};

const IS_REASON = /^Replacement|Reason/;

export interface ProvidersOptions {
  seed: number;
  /** Day number of the last day in the full file. */
  asOf: number;
  specialties: SpecialtyMix;
  /** True if deactivated providers with details have reasons and replacements, which the registry leaves blank. */
  hasReasons: boolean;
}

/** Invented providers. One is an index: any row can be drawn at any time, with the same result. */
export class Providers {
  readonly #options: ProvidersOptions;
  readonly #random = new Random();

  constructor(options: ProvidersOptions) {
    this.#options = options;
  }

  /** Draws a provider's history up to the full file, or up to a week's change. */
  history(index: number, change?: WeekChange): History {
    const random = this.#restart(Stream.history, index);
    return drawHistory(random, this.#options.asOf, change);
  }

  /** Writes the provider's row of the main file, as in the full file or after a week's change. */
  write(row: CsvRow, index: number, change?: WeekChange): void {
    const known = this.#wellKnown(index);
    if (known === undefined) this.#write(row, this.#draw(index, change));
    else {
      const isShown = (column: string) =>
        this.#options.hasReasons || !IS_REASON.test(column);
      row.add(this.#npi(index));
      for (const column of OFFICIAL_COLUMNS.slice(1))
        row.add((isShown(column) ? known.main.get(column) : undefined) ?? "");
    }
    row.end();
  }

  /** Writes the provider's rows of another file, if any. */
  writeOthers(
    file: OtherFile,
    row: CsvRow,
    index: number,
    change?: WeekChange,
  ): void {
    const known = this.#wellKnown(index);
    for (const cells of known === undefined
      ? this.#drawOthers(file, index, change)
      : (known.others.get(file.kind) ?? [])) {
      row.add(this.#npi(index), ...cells);
      row.end();
    }
  }

  #drawOthers(
    { counts, draw, isNames, share, stream }: OtherFile,
    index: number,
    change?: WeekChange,
  ): (readonly string[])[] {
    // Most providers have no row. Drawing them would take most of the time.
    if (!this.#restart(stream, index).chance(share)) return [];
    const provider = this.#draw(index, change);
    const { history, nameVersion, placeVersion } = provider;
    if (history.isWithheld) return [];
    // Only organizations with another name in their own row have more.
    let random = this.#restart(Stream.name + nameVersion, index);
    const hasName = random.chance(OTHER_ORGANIZATION_SHARE);
    if (isNames && !(history.isOrganization && hasName)) return [];
    const version = isNames ? nameVersion : placeVersion;
    random = this.#restart(stream + version, index);
    // The first number decided whether there is a row.
    random.next();
    return Array.from({ length: counts.draw(random) }, () =>
      draw(random, provider),
    );
  }

  /** Returns a provider's random numbers for one purpose; valid until the next call. */
  #restart(stream: number, index: number): Random {
    this.#random.restart(this.#options.seed, stream, index);
    return this.#random;
  }

  #npi(index: number): string {
    return String(npiOfIndex(this.#options.seed, index));
  }

  /** Returns the provider's rows if they are fixed. */
  #wellKnown(index: number): WellKnown | undefined {
    return this.#options.asOf < WELL_KNOWN_SINCE
      ? undefined
      : WELL_KNOWN[index];
  }

  #draw(index: number, change?: WeekChange): Provider {
    const places = placeMap();
    const { specialties } = this.#options;
    const history = this.history(index, change);
    const kind = history.isOrganization ? "organizations" : "individuals";
    let nameVersion = 0;
    let placeVersion = 0;
    let codesVersion = 0;
    if (change?.kind === "update") {
      const version = change.week * STREAMS;
      const update = this.#restart(Stream.update + version, index);
      if (update.chance(RENAMED_SHARE)) nameVersion = version;
      if (update.chance(MOVED_SHARE)) placeVersion = version;
      if (update.chance(RETRAINED_SHARE)) codesVersion = version;
    }
    let random = this.#restart(Stream.specialty + codesVersion, index);
    const isSought = index < DEMO_ROWS && index % 5 < 2;
    /** Counts those with places and specialties that are sought. */
    const number = Math.floor(index / 5) * 2 + (index % 5);
    const codes: string[] = [];
    for (let rest = TAXONOMIES.draw(random); rest > 0; rest--)
      codes.push(specialties.draw(random, kind));
    if (isSought && codesVersion === 0)
      codes[0] = soughtCode(kind, Math.floor(number / places.large));
    let primarySlot = 0;
    if (codes.length > 1 && !random.chance(FIRST_SLOT_PRIMARY_SHARE))
      primarySlot = 1 + random.below(codes.length - 1);
    if (random.chance(NO_PRIMARY_SHARE)) primarySlot = -1;
    random = this.#restart(Stream.place + placeVersion, index);
    return {
      index,
      npi: this.#npi(index),
      history,
      nameVersion,
      placeVersion,
      place:
        isSought && placeVersion === 0
          ? places.drawInLargeCity(random, number % places.large)
          : places.draw(random),
      codes,
      primarySlot,
      specialty: specialtyOf(codes[Math.max(primarySlot, 0)]!),
    };
  }

  /** Writes the cells of the main file, in the order of OFFICIAL_COLUMNS. */
  #write(row: CsvRow, provider: Provider): void {
    const { codes, history, index, place } = provider;
    const { isOrganization } = history;
    const deactivated = dateOf(history.deactivated);
    row.add(provider.npi);
    if (history.isWithheld) {
      row.skip(38);
      row.add(deactivated);
      return row.skip(290);
    }
    const isWoman = this.#restart(Stream.sex, index).chance(WOMEN_SHARE);
    let reason = "";
    let replacement = "";
    if (deactivated !== "" && this.#options.hasReasons) {
      const random = this.#restart(Stream.deactivation, index);
      reason = words.reason.draw(random);
      if (random.chance(REPLACED_SHARE)) replacement = this.#npi(index + 1);
    }
    row.add(isOrganization ? "2" : "1", replacement);
    let random = this.#restart(Stream.name + provider.nameVersion, index);
    if (isOrganization) writeOrganization(row, random, provider);
    else writePerson(row, random, provider, isWoman);
    random = this.#restart(Stream.streets + provider.placeVersion, index);
    writeAddresses(row, random, place);
    row.add(dateOf(history.enumerated), dateOf(history.updated), reason);
    row.add(deactivated, dateOf(history.reactivated));
    row.add(isOrganization ? "" : isWoman ? "F" : "M");
    random = this.#restart(Stream.rest, index);
    if (isOrganization) writeOfficial(row, random, place);
    else row.skip(5);
    writeTaxonomies(row, random, provider);
    writeIdentifiers(row, random, place);
    if (isOrganization) writeOwnership(row, random, provider.specialty);
    else {
      row.add(words.soleProprietor.draw(random));
      row.skip(6);
    }
    const isGroup = random.chance(GROUP_SHARE[isOrganization ? 1 : 0]!);
    const group = isGroup ? words.group.draw(random) : "";
    for (let slot = 0; slot < codes.length; slot++) row.add(group);
    row.skip(15 - codes.length);
    row.add(dateOf(history.certified));
  }
}

/** Writes EIN to other names. */
function writeOrganization(
  row: CsvRow,
  random: Random,
  provider: Provider,
): void {
  const hasOtherName = random.chance(OTHER_ORGANIZATION_SHARE);
  const { trade } = provider.specialty;
  const name = drawOrganization(random, trade, provider.place);
  const isMixedCase = random.chance(LOWER_CASE_SHARE);
  row.add("<UNAVAIL>", isMixedCase ? titleCase(name) : name);
  row.skip(6);
  if (hasOtherName) row.add(...drawOtherName(random, provider));
  row.skip(hasOtherName ? 7 : 9);
}

/** Writes the mailing address and the one of the practice. */
function writeAddresses(row: CsvRow, random: Random, place: Place): void {
  const practice = drawAddress(random, place, PRACTICE);
  if (random.chance(SAME_ADDRESS_SHARE)) {
    const [line1, line2, city, state, code, country, phone, fax] = practice;
    row.add(line1, line2, city, state, code, country);
    row.add(random.chance(MAILING.telephone) ? phone : "");
    row.add(random.chance(MAILING.fax) ? fax : "");
  } else {
    const near = random.chance(SAME_PLACE_SHARE)
      ? place
      : placeMap().drawNear(random, place);
    row.add(...drawAddress(random, near, MAILING));
  }
  row.add(...practice);
}

/** Writes whether it is a subpart, and of what; and the rest of the official's name. */
function writeOwnership(
  row: CsvRow,
  random: Random,
  specialty: Specialty,
): void {
  const { credentials, trade } = specialty;
  row.add("");
  if (random.chance(SUBPART_SHARE))
    row.add("Y", drawChain(random, trade), "<UNAVAIL>");
  else row.add("N", "", "");
  row.add(words.mansPrefix.draw(random), "");
  row.add(random.chance(0.39) ? credentials.draw(random) : "");
}

/** Writes EIN to other names. */
function writePerson(
  row: CsvRow,
  random: Random,
  { index, specialty }: Provider,
  isWoman: boolean,
): void {
  const { familiar, given, middle, prefix } = isWoman ? WOMEN : MEN;
  const isFamiliar = index < DEMO_ROWS && random.chance(FAMILIAR_SHARE);
  const [first = "", last = ""] = isFamiliar
    ? familiar.draw(random).split(" ")
    : [given.draw(random), names.surname.draw(random)];
  row.skip(2);
  row.add(random.chance(LOWER_CASE_SHARE) ? titleCase(last) : last, first);
  row.add(middle.draw(random), prefix.draw(random));
  row.add(isWoman ? "" : words.suffix.draw(random));
  const isMasked = random.chance(MASKED_SHARE);
  row.add((isMasked ? words.mask : specialty.credentials).draw(random));
  if (!random.chance(OTHER_NAME_SHARE)) return row.skip(9);
  row.skip(2);
  row.add(names.surname.draw(random));
  row.add(random.chance(0.8) ? first : given.draw(random));
  row.skip(4);
  // 1: former name; 2: professional name.
  row.add(random.chance(0.85) ? "1" : "2");
}

function writeOfficial(row: CsvRow, random: Random, place: Place): void {
  const { given, middle } = random.chance(0.5) ? WOMEN : MEN;
  row.add(names.surname.draw(random), given.draw(random));
  row.add(middle.draw(random));
  row.add(words.title.draw(random), drawTelephone(random, place));
}

/** Writes code, license, state, and switch of each taxonomy. */
function writeTaxonomies(
  row: CsvRow,
  random: Random,
  { codes, history, place, primarySlot }: Provider,
): void {
  const licenseShare = LICENSE_SHARE[history.isOrganization ? 1 : 0]!;
  const others = random.chance(UNANSWERED_SHARE) ? "X" : "N";
  for (let slot = 0; slot < codes.length; slot++) {
    row.add(codes[slot]!);
    if (place.country === "US" && random.chance(licenseShare))
      row.add(drawLicense(random), place.state);
    else row.skip(2);
    row.add(slot === primarySlot ? "Y" : others);
  }
  row.skip(4 * (15 - codes.length));
}

/** States use various license formats: up to three letters, and six or eight digits. */
function drawLicense(random: Random): string {
  const pairs = random.chance(0.7) ? 3 : 4;
  return words.letters.draw(random) + digits(random, pairs);
}

/** Writes number, type, state, and issuer of up to three other identifiers. 05: Medicaid; 01: other. */
function writeIdentifiers(row: CsvRow, random: Random, { state }: Place): void {
  const count = random.chance(IDENTIFIER_SHARE) ? 1 + random.below(3) : 0;
  for (let slot = 0; slot < count; slot++) {
    row.add(digits(random, 4));
    if (random.chance(0.4)) row.add("01", state, words.issuer.draw(random));
    else row.add("05", state, "");
  }
  row.skip(4 * (50 - count));
}

function dateOf(day: number | null): string {
  return day === null ? "" : registryDate(day);
}
