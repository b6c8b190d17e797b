import {
  DIRECTIONS,
  FOREIGN_PLACES,
  ORDINALS,
  STREET_KINDS,
  STREET_NAMES,
  UNITS,
} from "./address-words.ts";
import type { CsvRow } from "../csv-row.ts";
import type { PlaceMap } from "./place-map.ts";
import { mix, Random } from "../random.ts";
import { SkewedChoice, zipfWeights } from "../skewed-choice.ts";
import { WordPool } from "../names/word-pool.ts";

/** The eight columns of an address, relative to its first line. */
const LINE_2 = 1;
const CITY = 2;
const STATE = 3;
const TELEPHONE = 6;
const FAX = 7;

/** Rare features of the real file, each with its share of addresses. */
const FOREIGN_SHARE = 0.0004;
const LOWER_CASE_SHARE = 0.00015;
const MASKED_LINE_SHARE = 0.0005;
const ODD_WHITE_SPACE_SHARE = 0.00002;
const STATE_NAME_SHARE = 0.003;
const FIVE_DIGIT_SHARE = 0.053;
const DASHED_SHARE = 0.001;
const NO_COUNTRY_SHARE = 0.0002;

const SPACE = 0x20;
const HYPHEN = 0x2d;
const DIGIT_0 = 0x30;
const LETTER_A = 0x41;

const MILITARY = ["AA", "AE", "AP"];
/** Some addresses of these states spell out the name. */
const STATE_NAMES: Readonly<Record<string, string>> = {
  CA: "CALIFORNIA",
  FL: "FLORIDA",
  IL: "ILLINOIS",
  NY: "New York",
  PR: "PUERTO RICO",
  TX: "TEXAS",
};

/** The contents of `WORDS`, by index. */
const WORDS = new WordPool([
  "PO BOX ",
  "US",
  "UM",
  "<UNAVAIL>",
  "--",
  "\t",
  "\n",
  "PSC ",
  " BOX ",
]);
const PO_BOX = 0;
const US = 1;
const UM = 2;
const UNAVAILABLE = 3;
const DASHES = 4;
const TAB = 5;
const LINE_FEED = 6;
const PSC = 7;
const BOX = 8;

/** Added to the index in FOREIGN_PLACES for an address outside the U.S. */
const FOREIGN = 1 << 24;

/** The shares of addresses with a telephone number, with a fax number, and in mixed case; 0 if absent. */
export interface AddressShares {
  telephone: number;
  fax: number;
  mixedCase?: number;
  /** Whether the country is to the left of the postal code. */
  isCountryFirst?: boolean;
}

/**
 * Draws places and writes addresses. The same place and sequence number give the same street, spelling and telephone
 * number.
 */
export class AddressWriter {
  readonly #seed: number;
  readonly #places: PlaceMap;
  readonly #random = new Random();
  readonly #streets = new WordPool(STREET_NAMES);
  readonly #streetRanks = new SkewedChoice(zipfWeights(STREET_NAMES.length, 8));
  readonly #kinds = new WordPool(STREET_KINDS);
  readonly #kindRanks = new SkewedChoice(zipfWeights(STREET_KINDS.length, 1));
  readonly #directions = new WordPool(DIRECTIONS);
  readonly #ordinals = new WordPool(ORDINALS);
  readonly #units = new WordPool(UNITS);
  readonly #unitRanks = new SkewedChoice(zipfWeights(UNITS.length, 0));
  readonly #stateNames: readonly (readonly [state: number, word: number])[];
  readonly #stateNamePool = new WordPool(Object.values(STATE_NAMES));
  readonly #military: ReadonlySet<number>;
  readonly #foreignCities = new WordPool(
    FOREIGN_PLACES.map(({ city }) => city),
  );
  readonly #foreignStates = new WordPool(
    FOREIGN_PLACES.map(({ state }) => state),
  );
  readonly #foreignCountries = new WordPool(
    FOREIGN_PLACES.map(({ country }) => country),
  );

  constructor(seed: number, places: PlaceMap) {
    this.#seed = seed;
    this.#places = places;
    this.#military = new Set(
      MILITARY.map((code) => places.stateCodes.indexOf(code)),
    );
    this.#stateNames = Object.keys(STATE_NAMES).map(
      (code, word) => [places.stateCodes.indexOf(code), word] as const,
    );
  }

  /** Any place, occasionally one abroad. */
  drawPlace(random: Random): number {
    if (random.chance(FOREIGN_SHARE))
      return FOREIGN + random.below(FOREIGN_PLACES.length);
    return this.#places.draw(random);
  }

  /** Another place in the same state, or in the same country abroad. */
  drawPlaceNear(random: Random, place: number): number {
    return place >= FOREIGN
      ? place
      : this.#places.drawInState(random, this.#places.stateOf(place));
  }

  /** The number of a place's state, for licenses: abroad, the first one. */
  stateOf(place: number): number {
    return place >= FOREIGN ? 0 : this.#places.stateOf(place);
  }

  /** The telephone area code of a place. */
  areaOf(place: number): number {
    return areaCode(place >= FOREIGN ? 0 : this.#places.zipOf(place));
  }

  /** A place for names: for a place abroad, some place in the U.S. */
  namedPlace(place: number): number {
    return place >= FOREIGN ? place - FOREIGN : place;
  }

  /** Writes the eight columns from `column` on. */
  put(
    row: CsvRow,
    column: number,
    place: number,
    stream: number,
    index: number,
    shares: AddressShares,
  ): void {
    const random = this.#random;
    random.restart(this.#seed, stream, index);
    const { isCountryFirst = false, mixedCase } = shares;
    const columns = { state: column + STATE, isCountryFirst };
    const isMixedCase = mixedCase !== undefined && random.chance(mixedCase);
    row.open(column);
    const street = row.at;
    this.#putStreet(row, random, place);
    if (isMixedCase) row.titleCase(street);
    row.close();
    this.#putSecondLine(row, random, column + LINE_2);
    row.open(column + CITY);
    const city = row.at;
    this.#putCity(row, random, place);
    if (isMixedCase) row.titleCase(city);
    row.close();
    if (place >= FOREIGN)
      this.#putForeignPlace(row, random, columns, place - FOREIGN);
    else this.#putPlace(row, random, columns, place);
    const area = this.areaOf(place);
    if (random.chance(shares.telephone))
      putTelephone(row, random, column + TELEPHONE, area);
    if (random.chance(shares.fax))
      putTelephone(row, random, column + FAX, area);
  }

  #putStreet(row: CsvRow, random: Random, place: number): void {
    if (place < FOREIGN && this.#military.has(this.#places.stateOf(place))) {
      row.putWord(WORDS, PSC);
      row.putNumber(1 + random.below(900));
      row.putWord(WORDS, BOX);
      row.putNumber(1 + random.below(9999));
      return;
    }
    if (random.chance(0.03)) {
      row.putWord(WORDS, PO_BOX);
      row.putNumber(1 + random.below(99_999));
      return;
    }
    row.putNumber(1 + random.below(random.chance(0.6) ? 2000 : 19_999));
    // A tab or a line end inside a value is rare, but readers must handle it.
    const odd = random.fraction();
    if (odd < ODD_WHITE_SPACE_SHARE) row.putWord(WORDS, TAB);
    else if (odd < 2 * ODD_WHITE_SPACE_SHARE) row.putWord(WORDS, LINE_FEED);
    else row.putByte(SPACE);
    if (random.chance(0.3)) {
      row.putWord(this.#directions, random.below(this.#directions.size));
      row.putByte(SPACE);
    }
    if (random.chance(0.1))
      row.putWord(this.#ordinals, random.below(this.#ordinals.size));
    else row.putWord(this.#streets, this.#streetRanks.draw(random));
    row.putByte(SPACE);
    row.putWord(this.#kinds, this.#kindRanks.draw(random));
  }

  #putSecondLine(row: CsvRow, random: Random, column: number): void {
    if (random.chance(0.36)) {
      row.open(column);
      row.putWord(this.#units, this.#unitRanks.draw(random));
      row.putNumber(1 + random.below(random.chance(0.5) ? 40 : 900));
      if (random.chance(0.1)) row.putByte(LETTER_A + random.below(6));
      row.close();
    } else if (random.chance(MASKED_LINE_SHARE)) {
      row.open(column);
      row.putWord(WORDS, random.chance(0.5) ? UNAVAILABLE : DASHES);
      row.close();
    }
  }

  #putCity(row: CsvRow, random: Random, place: number): void {
    if (place >= FOREIGN) {
      row.putWord(this.#foreignCities, place - FOREIGN);
      return;
    }
    const start = row.at;
    row.putWord(
      this.#places.spellings,
      this.#places.drawSpelling(random, place),
    );
    if (random.chance(LOWER_CASE_SHARE)) row.titleCase(start);
  }

  /** State, postal code and country. */
  #putPlace(
    row: CsvRow,
    random: Random,
    columns: PlaceColumns,
    place: number,
  ): void {
    const state = this.#places.stateOf(place);
    row.open(columns.state);
    const spelledOut = random.chance(STATE_NAME_SHARE)
      ? this.#stateNames.find(([number]) => number === state)
      : undefined;
    if (spelledOut === undefined) row.putWord(this.#places.states, state);
    else row.putWord(this.#stateNamePool, spelledOut[1]);
    row.close();
    if (columns.isCountryFirst) putHomeCountry(row, random, columns.state + 1);
    row.open(columns.state + (columns.isCountryFirst ? 2 : 1));
    row.putNumber(this.#places.zipOf(place), 5);
    if (!random.chance(FIVE_DIGIT_SHARE)) {
      if (random.chance(DASHED_SHARE)) row.putByte(HYPHEN);
      row.putNumber(1 + random.below(9998), 4);
    }
    row.close();
    if (!columns.isCountryFirst) putHomeCountry(row, random, columns.state + 2);
  }

  #putForeignPlace(
    row: CsvRow,
    random: Random,
    columns: PlaceColumns,
    foreign: number,
  ): void {
    row.open(columns.state);
    row.putWord(this.#foreignStates, foreign);
    row.close();
    if (columns.isCountryFirst)
      this.#putForeignCountry(row, columns.state + 1, foreign);
    row.open(columns.state + (columns.isCountryFirst ? 2 : 1));
    for (const character of FOREIGN_PLACES[foreign]!.postalCode) {
      if (character === "9") row.putByte(DIGIT_0 + random.below(10));
      else if (character === "A") row.putByte(LETTER_A + random.below(26));
      else row.putByte(SPACE);
    }
    row.close();
    if (!columns.isCountryFirst)
      this.#putForeignCountry(row, columns.state + 2, foreign);
  }

  #putForeignCountry(row: CsvRow, column: number, foreign: number): void {
    row.open(column);
    row.putWord(this.#foreignCountries, foreign);
    row.close();
  }
}

/** The column of the state; the next two have postal code and country. */
interface PlaceColumns {
  readonly state: number;
  readonly isCountryFirst: boolean;
}

function putHomeCountry(row: CsvRow, random: Random, column: number): void {
  if (random.chance(NO_COUNTRY_SHARE)) return;
  row.open(column);
  row.putWord(WORDS, random.chance(0.0002) ? UM : US);
  row.close();
}

/** An invented number: 555-0100 to 555-0199 are not assigned in any area. */
export function putTelephone(
  row: CsvRow,
  random: Random,
  column: number,
  area: number,
): void {
  row.open(column);
  row.putNumber(area);
  row.putNumber(5_550_100 + random.below(100));
  row.close();
}

/** A three-digit area code for a ZIP's region; never one that ends in 11. */
function areaCode(zip: number): number {
  const code = 201 + ((mix(Math.floor(zip / 100)) >>> 0) % 780);
  return code % 100 === 11 ? code + 1 : code;
}
