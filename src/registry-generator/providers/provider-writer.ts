import { AddressWriter, putTelephone } from "../places/address-writer.ts";
import { DateBytes, FIRST_DAY } from "../calendar.ts";
import { CsvRow, MAX_ROW_BYTES } from "../csv-row.ts";
import {
  MENS_PREFIXES,
  NAME_SUFFIXES,
  NICKNAMES,
  WOMENS_PREFIXES,
} from "../names/given-name-words.ts";
import { DeactivationColumns } from "./deactivation-columns.ts";
import { npiOfIndex } from "../npi-sequence.ts";
import { OrganizationNames } from "../names/organization-names.ts";
import { OFFICIAL_TITLES, type Trade } from "../names/organization-words.ts";
import { PersonNames } from "../names/person-names.ts";
import { placeMap } from "../places/place-map.ts";
import { PROVIDER_COLUMN as COLUMN } from "./provider-columns.ts";
import { NEVER, ProviderLife } from "./provider-life.ts";
import { Random } from "../random.ts";
import { SkewedChoice, zipfWeights } from "../skewed-choice.ts";
import { SpecialtyColumns } from "../specialties/specialty-columns.ts";
import { Stream, STREAMS } from "../streams.ts";
import type { WeekChange } from "../week-changes.ts";
import { WordPool } from "../names/word-pool.ts";

/** Shares of what an update changes, in addition to its date. */
const MOVED_SHARE = 0.25;
const RENAMED_SHARE = 0.04;
const RETRAINED_SHARE = 0.12;

/** Shares of records with a value, as in the registry's weekly files. */
const WOMEN_SHARE = 0.66;
const MIDDLE_SHARE = 0.51;
const MASKED_SHARE = 0.0006;
const PREFIX_SHARE = 0.21;
const SUFFIX_SHARE = 0.014;
const OTHER_NAME_SHARE = 0.079;
const OTHER_ORGANIZATION_SHARE = 0.27;
const SAME_ADDRESS_SHARE = 0.51;
const LOWER_CASE_SHARE = 0.0005;
const NICKNAME_SHARE = 0.0003;
const SUBPART_SHARE = 0.087;
const MAILING_PHONES = { telephone: 0.82, fax: 0.26 };
const PRACTICE_PHONES = { telephone: 0.9998, fax: 0.3 };

const DIGIT_1 = 0x31;
const LETTER_F = 0x46;
const LETTER_M = 0x4d;
const LETTER_N = 0x4e;
const LETTER_X = 0x58;
const LETTER_Y = 0x59;

const MASKS = new WordPool(["<UNAVAIL>", "--"]);
const UNAVAILABLE = 0;

export interface ProviderWriterOptions {
  seed: number;
  /** Day number of the last day in the full file. */
  asOf: number;
  /** Day number of the last day of any week that is written. */
  lastDay: number;
  /** Taxonomy codes, most common first (`specialty-mix.ts`). */
  codes: readonly string[];
  /** Whether deactivated providers with details have reasons and replacements. */
  hasReasons: boolean;
}

/** Facts that a provider's rows in other files must agree with. */
export interface ProviderFacts {
  /** Whether an organization has another name in its own row. */
  hasOtherName: boolean;
  trade: Trade;
  /** Its place, as in AddressWriter. */
  practice: number;
  /** Added to the streams of its names and places if an update changed them. */
  nameVersion: number;
  placeVersion: number;
}

/**
 * Writes the rows of invented providers. A provider is an index: any row can be written at any time, with the same
 * result.
 */
export class ProviderWriter {
  readonly #seed: number;
  readonly #asOf: number;
  readonly #deactivations: DeactivationColumns | null;
  readonly #row = new CsvRow();
  readonly #random = new Random();
  readonly #life = new ProviderLife();
  readonly #dates: DateBytes;
  readonly #people = new PersonNames();
  readonly organizations: OrganizationNames;
  readonly addresses: AddressWriter;
  readonly #specialties: SpecialtyColumns;
  readonly #womensPrefixes = new WordPool(WOMENS_PREFIXES);
  readonly #mensPrefixes = new WordPool(MENS_PREFIXES);
  readonly #suffixes = new WordPool(NAME_SUFFIXES);
  readonly #nicknames = new WordPool(NICKNAMES.map((name) => ` "${name}"`));
  readonly #titles = new WordPool(OFFICIAL_TITLES);
  readonly #titleRanks = new SkewedChoice(
    zipfWeights(OFFICIAL_TITLES.length, 1),
  );
  readonly #scratch = new Uint8Array(MAX_ROW_BYTES);
  #hasOtherName = false;
  #practice = 0;
  #nameVersion = 0;
  #placeVersion = 0;

  constructor(options: ProviderWriterOptions) {
    const places = placeMap();
    this.#seed = options.seed;
    this.#asOf = options.asOf;
    this.#deactivations = options.hasReasons
      ? new DeactivationColumns(options.seed)
      : null;
    this.#dates = new DateBytes(FIRST_DAY, options.lastDay);
    this.organizations = new OrganizationNames(
      options.seed,
      this.#people,
      places,
    );
    this.addresses = new AddressWriter(options.seed, places);
    this.#specialties = new SpecialtyColumns(options.codes, places);
  }

  /** A provider's history up to the full file, or up to a week's change; valid until the next call of any method. */
  life(index: number, change?: WeekChange): ProviderLife {
    this.#random.restart(this.#seed, Stream.life, index);
    this.#life.draw(this.#random, this.#asOf);
    if (change !== undefined) this.#life.apply(change, this.#random);
    return this.#life;
  }

  /** Facts that a provider's rows in other files must agree with. Not for a withheld provider. */
  facts(index: number, change?: WeekChange): ProviderFacts {
    this.write(this.#scratch, 0, index, change);
    return {
      hasOtherName: this.#hasOtherName,
      trade: this.#specialties.trade,
      practice: this.#practice,
      nameVersion: this.#nameVersion,
      placeVersion: this.#placeVersion,
    };
  }

  /**
   * Writes the row of the provider `index` to `target` from `at` (with MAX_ROW_BYTES of room), as in the full file or
   * after a week's change. Returns its end.
   */
  write(
    target: Uint8Array,
    at: number,
    index: number,
    change?: WeekChange,
  ): number {
    const life = this.life(index, change);
    const row = this.#row;
    row.begin(target, at);
    row.open(COLUMN.npi);
    row.putNumber(npiOfIndex(this.#seed, index));
    row.close();
    if (life.isWithheld) this.#putDate(COLUMN.deactivated, life.deactivated);
    else this.#putDetails(index, change);
    return row.end();
  }

  #putDetails(index: number, change: WeekChange | undefined): void {
    const row = this.#row;
    const random = this.#random;
    const isOrganization = this.#life.isOrganization;
    const version = change?.kind === "update" ? change.week * STREAMS : 0;
    random.restart(this.#seed, Stream.update + version, index);
    this.#nameVersion = random.chance(RENAMED_SHARE) ? version : 0;
    const placeVersion = random.chance(MOVED_SHARE) ? version : 0;
    this.#placeVersion = placeVersion;
    const specialtyStream =
      Stream.specialty + (random.chance(RETRAINED_SHARE) ? version : 0);

    random.restart(this.#seed, specialtyStream, index);
    this.#specialties.draw(random, isOrganization);
    random.restart(this.#seed, Stream.place + placeVersion, index);
    const practice = this.addresses.drawPlace(random);
    this.#practice = practice;
    const isMailSame = random.chance(SAME_ADDRESS_SHARE);
    const mailing =
      isMailSame || random.chance(0.32)
        ? practice
        : this.addresses.drawPlaceNear(random, practice);
    const practiceStreet = Stream.practiceStreet + placeVersion;
    const mailingStreet = isMailSame
      ? practiceStreet
      : Stream.mailingStreet + placeVersion;

    row.open(COLUMN.entityType);
    row.putByte(DIGIT_1 + (isOrganization ? 1 : 0));
    row.close();
    this.#deactivations?.putReplacement(row, this.#life, index);
    random.restart(this.#seed, Stream.name + this.#nameVersion, index);
    const isWoman = random.chance(WOMEN_SHARE);
    const trade = this.#specialties.trade;
    if (isOrganization)
      this.#putOrganization(trade, this.addresses.namedPlace(practice));
    else this.#putPerson(isWoman);
    this.addresses.put(
      row,
      COLUMN.mailing,
      mailing,
      mailingStreet,
      index,
      MAILING_PHONES,
    );
    this.addresses.put(
      row,
      COLUMN.practice,
      practice,
      practiceStreet,
      index,
      PRACTICE_PHONES,
    );
    this.#putDates(index);

    random.restart(this.#seed, Stream.rest, index);
    if (isOrganization) this.#putOfficial(this.addresses.areaOf(practice));
    else this.#putByte(COLUMN.sex, isWoman ? LETTER_F : LETTER_M);
    this.#specialties.putCodes(
      row,
      random,
      isOrganization,
      this.addresses.stateOf(practice),
    );
    if (isOrganization) this.#putOwnership(trade);
    else
      this.#putByte(
        COLUMN.soleProprietor,
        random.chance(0.31)
          ? LETTER_Y
          : random.chance(0.002)
            ? LETTER_X
            : LETTER_N,
      );
    this.#specialties.putGroups(row, random, isOrganization);
    this.#putDate(COLUMN.certified, this.#life.certified);
  }

  #putPerson(isWoman: boolean): void {
    const row = this.#row;
    const random = this.#random;
    row.open(COLUMN.last);
    const start = row.at;
    this.#people.putSurname(row, random);
    if (random.chance(LOWER_CASE_SHARE)) row.titleCase(start);
    row.close();
    row.open(COLUMN.first);
    this.#people.putGivenName(row, random, isWoman);
    if (random.chance(NICKNAME_SHARE))
      row.putWord(this.#nicknames, random.below(this.#nicknames.size));
    row.close();
    if (random.chance(MIDDLE_SHARE)) {
      row.open(COLUMN.middle);
      if (random.chance(MASKED_SHARE))
        row.putWord(MASKS, random.below(MASKS.size));
      else this.#people.putMiddleName(row, random, isWoman);
      row.close();
    }
    if (random.chance(PREFIX_SHARE))
      this.#putWord(
        COLUMN.prefix,
        isWoman ? this.#womensPrefixes : this.#mensPrefixes,
      );
    if (!isWoman && random.chance(SUFFIX_SHARE))
      this.#putWord(COLUMN.suffix, this.#suffixes);
    if (random.chance(MASKED_SHARE)) this.#putWord(COLUMN.credential, MASKS);
    else this.#specialties.putCredential(row, random, COLUMN.credential);
    if (!random.chance(OTHER_NAME_SHARE)) return;
    row.open(COLUMN.otherLast);
    this.#people.putSurname(row, random);
    row.close();
    row.open(COLUMN.otherFirst);
    this.#people.putGivenName(row, random, isWoman);
    row.close();
    // 1: former name; 2: professional name.
    this.#putByte(
      COLUMN.otherLastType,
      DIGIT_1 + (random.chance(0.85) ? 0 : 1),
    );
  }

  #putOrganization(trade: Trade, place: number): void {
    const row = this.#row;
    const random = this.#random;
    row.open(COLUMN.employer);
    row.putWord(MASKS, UNAVAILABLE);
    row.close();
    row.open(COLUMN.organization);
    const start = row.at;
    this.organizations.put(row, random, trade, place);
    if (random.chance(LOWER_CASE_SHARE)) row.titleCase(start);
    row.close();
    this.#hasOtherName = random.chance(OTHER_ORGANIZATION_SHARE);
    if (!this.#hasOtherName) return;
    row.open(COLUMN.otherOrganization);
    this.organizations.put(row, random, trade, place);
    row.close();
    // 3: doing business as; 4: former legal business name; 5: other.
    this.#putByte(
      COLUMN.otherOrganizationType,
      DIGIT_1 + 2 + (random.chance(0.85) ? 0 : 1 + random.below(2)),
    );
  }

  #putDates(index: number): void {
    const life = this.#life;
    this.#putDate(COLUMN.enumerated, life.enumerated);
    this.#putDate(COLUMN.updated, life.updated);
    this.#deactivations?.putReason(this.#row, life, index);
    this.#putDate(COLUMN.deactivated, life.deactivated);
    this.#putDate(COLUMN.reactivated, life.reactivated);
  }

  #putOfficial(area: number): void {
    const row = this.#row;
    const random = this.#random;
    const isWoman = random.chance(0.5);
    row.open(COLUMN.officialLast);
    this.#people.putSurname(row, random);
    row.close();
    row.open(COLUMN.officialFirst);
    this.#people.putGivenName(row, random, isWoman);
    row.close();
    if (random.chance(0.32)) {
      row.open(COLUMN.officialMiddle);
      this.#people.putMiddleName(row, random, isWoman);
      row.close();
    }
    row.open(COLUMN.officialTitle);
    row.putWord(this.#titles, this.#titleRanks.draw(random));
    row.close();
    putTelephone(row, random, COLUMN.officialTelephone, area);
  }

  #putOwnership(trade: Trade): void {
    const row = this.#row;
    const random = this.#random;
    const isSubpart = random.chance(SUBPART_SHARE);
    this.#putByte(COLUMN.subpart, isSubpart ? LETTER_Y : LETTER_N);
    if (isSubpart) {
      row.open(COLUMN.parentName);
      this.organizations.putChain(row, random, trade);
      row.close();
      row.open(COLUMN.parentTaxNumber);
      row.putWord(MASKS, UNAVAILABLE);
      row.close();
    }
    if (random.chance(0.23))
      this.#putWord(COLUMN.officialPrefix, this.#mensPrefixes);
    if (random.chance(0.39))
      this.#specialties.putCredential(row, random, COLUMN.officialCredential);
  }

  #putWord(column: number, pool: WordPool): void {
    this.#row.open(column);
    this.#row.putWord(pool, this.#random.below(pool.size));
    this.#row.close();
  }

  #putByte(column: number, byte: number): void {
    this.#row.open(column);
    this.#row.putByte(byte);
    this.#row.close();
  }

  #putDate(column: number, day: number): void {
    if (day === NEVER) return;
    this.#row.open(column);
    this.#row.at = this.#dates.put(this.#row.bytes, this.#row.at, day);
    this.#row.close();
  }
}
