import { columnNumber, type CsvRow } from "../csv-row.ts";
import type { Trade } from "../names/organization-words.ts";
import type { PlaceMap } from "../places/place-map.ts";
import type { Random } from "../random.ts";
import { SkewedChoice } from "../skewed-choice.ts";
import { SpecialtyMix } from "./specialty-mix.ts";
import { specialtyRule } from "./specialty-rules.ts";
import { WordPool } from "../names/word-pool.ts";

const SLOTS = 15;
/** The number of providers per 1,000 with one taxonomy, two, and so on: 1.3 on average. */
const SLOT_WEIGHTS = [
  840, 100, 30, 12, 5, 3, 2, 1.5, 1, 0.8, 0.6, 0.5, 0.5, 0.6, 1,
];

const FIRST_CODE = columnNumber("Healthcare Provider Taxonomy Code_1");
const CODE_COLUMNS =
  columnNumber("Healthcare Provider Taxonomy Code_2") - FIRST_CODE;
const LICENSE = 1;
const LICENSE_STATE = 2;
const SWITCH = 3;
const FIRST_IDENTIFIER = columnNumber("Other Provider Identifier_1");
const IDENTIFIER_COLUMNS =
  columnNumber("Other Provider Identifier_2") - FIRST_IDENTIFIER;
const IDENTIFIER_TYPE = 1;
const IDENTIFIER_STATE = 2;
const IDENTIFIER_ISSUER = 3;
const FIRST_GROUP = columnNumber("Healthcare Provider Taxonomy Group_1");

const FIRST_SLOT_PRIMARY_SHARE = 0.55;
const NO_PRIMARY_SHARE = 0.0015;
const UNANSWERED_SHARE = 0.0005;
const PERSON_LICENSE_SHARE = 0.685;
const ORGANIZATION_LICENSE_SHARE = 0.1;
const IDENTIFIER_SHARE = 0.16;
const PERSON_GROUP_SHARE = 0.026;
const ORGANIZATION_GROUP_SHARE = 0.4;

const LETTER_A = 0x41;
const LETTER_N = 0x4e;
const LETTER_X = 0x58;
const LETTER_Y = 0x59;
const NO_SLOT = -1;

const GROUPS = new WordPool([
  "193400000X SINGLE SPECIALTY GROUP",
  "193200000X MULTI-SPECIALTY GROUP",
]);
const IDENTIFIER_TYPES = new WordPool(["05", "01"]);
const ISSUERS = new WordPool([
  "MEDICAID",
  "BCBS",
  "BLUE CROSS",
  "RAILROAD MEDICARE",
  "PTAN",
  "CHAMPUS",
  "WORKERS COMP",
]);

/** Draws a provider's taxonomies and writes their columns: codes, licenses, switches, groups, other identifiers. */
export class SpecialtyColumns {
  readonly #mix: SpecialtyMix;
  readonly #states: WordPool;
  readonly #slotChoice = new SkewedChoice(SLOT_WEIGHTS);
  readonly #trades: readonly Trade[];
  readonly #credentials: readonly WordPool[];
  readonly #credentialIsBlank: readonly (readonly boolean[])[];
  /** What was drawn: code numbers by slot, the number of slots, and the primary slot. */
  readonly #codes = new Uint32Array(SLOTS);
  #count = 1;
  #yesSlot = 0;
  #primary = 0;

  constructor(codes: readonly string[], places: PlaceMap) {
    this.#mix = new SpecialtyMix(codes);
    this.#states = places.states;
    const rules = codes.map(specialtyRule);
    this.#trades = rules.map(({ trade }) => trade);
    this.#credentials = rules.map(
      ({ credentials }) => new WordPool(credentials),
    );
    this.#credentialIsBlank = rules.map(({ credentials }) =>
      credentials.map((text) => text === ""),
    );
  }

  /** Draws the taxonomies of one provider, which apply to the methods below until the next draw. */
  draw(random: Random, isOrganization: boolean): void {
    this.#count = this.#slotChoice.draw(random) + 1;
    for (let slot = 0; slot < this.#count; slot++)
      this.#codes[slot] = this.#mix.draw(random, isOrganization);
    this.#yesSlot = 0;
    if (this.#count > 1 && !random.chance(FIRST_SLOT_PRIMARY_SHARE)) {
      this.#yesSlot = 1 + random.below(this.#count - 1);
    }
    if (random.chance(NO_PRIMARY_SHARE)) this.#yesSlot = NO_SLOT;
    this.#primary = this.#codes[Math.max(this.#yesSlot, 0)]!;
  }

  /** The trade of an organization with this primary taxonomy. */
  get trade(): Trade {
    return this.#trades[this.#primary]!;
  }

  /** Credentials that go with the primary taxonomy; often none. */
  putCredential(row: CsvRow, random: Random, column: number): void {
    const pool = this.#credentials[this.#primary]!;
    const word = random.below(pool.size);
    if (this.#credentialIsBlank[this.#primary]![word]!) return;
    row.open(column);
    row.putWord(pool, word);
    row.close();
  }

  /** Writes the 15 taxonomy slots and the 50 slots of other identifiers. */
  putCodes(
    row: CsvRow,
    random: Random,
    isOrganization: boolean,
    state: number,
  ): void {
    const licenseShare = isOrganization
      ? ORGANIZATION_LICENSE_SHARE
      : PERSON_LICENSE_SHARE;
    const others = random.chance(UNANSWERED_SHARE) ? LETTER_X : LETTER_N;
    for (let slot = 0; slot < this.#count; slot++) {
      const column = FIRST_CODE + slot * CODE_COLUMNS;
      row.open(column);
      row.putWord(this.#mix.pool, this.#codes[slot]!);
      row.close();
      if (random.chance(licenseShare)) {
        row.open(column + LICENSE);
        putLicense(row, random);
        row.close();
        row.open(column + LICENSE_STATE);
        row.putWord(this.#states, state);
        row.close();
      }
      row.open(column + SWITCH);
      row.putByte(slot === this.#yesSlot ? LETTER_Y : others);
      row.close();
    }
    if (random.chance(IDENTIFIER_SHARE))
      this.#putIdentifiers(row, random, state);
  }

  /** Writes taxonomy groups. */
  putGroups(row: CsvRow, random: Random, isOrganization: boolean): void {
    if (
      !random.chance(
        isOrganization ? ORGANIZATION_GROUP_SHARE : PERSON_GROUP_SHARE,
      )
    )
      return;
    const group = random.chance(0.6) ? 0 : 1;
    for (let slot = 0; slot < this.#count; slot++) {
      row.open(FIRST_GROUP + slot);
      row.putWord(GROUPS, group);
      row.close();
    }
  }

  #putIdentifiers(row: CsvRow, random: Random, state: number): void {
    const count = 1 + random.below(3);
    for (let slot = 0; slot < count; slot++) {
      const column = FIRST_IDENTIFIER + slot * IDENTIFIER_COLUMNS;
      const isOther = random.chance(0.4) ? 1 : 0;
      row.open(column);
      row.putNumber(random.below(100_000_000), 6);
      row.close();
      row.open(column + IDENTIFIER_TYPE);
      row.putWord(IDENTIFIER_TYPES, isOther);
      row.close();
      row.open(column + IDENTIFIER_STATE);
      row.putWord(this.#states, state);
      row.close();
      if (isOther === 0) continue;
      row.open(column + IDENTIFIER_ISSUER);
      row.putWord(ISSUERS, random.below(ISSUERS.size));
      row.close();
    }
  }
}

/** States use various license formats: up to three letters, and four to ten digits. */
function putLicense(row: CsvRow, random: Random): void {
  const letters = random.chance(0.55) ? 0 : 1 + random.below(3);
  for (let i = 0; i < letters; i++) row.putByte(LETTER_A + random.below(26));
  row.putNumber(
    random.below(random.chance(0.7) ? 1_000_000 : 2_000_000_000),
    4,
  );
}
