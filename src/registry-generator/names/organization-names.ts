import type { CsvRow } from "../csv-row.ts";
import {
  LEGAL_FORM_WEIGHTS,
  LEGAL_FORMS,
  ORGANIZATION_ADJECTIVES,
  TRADES,
  type Trade,
} from "./organization-words.ts";
import type { PersonNames } from "./person-names.ts";
import type { PlaceMap } from "../places/place-map.ts";
import { Random } from "../random.ts";
import { SkewedChoice, zipfWeights } from "../skewed-choice.ts";
import { WordPool } from "./word-pool.ts";

/** Chains: organizations that the registry lists many times under one name, once per location. */
const CHAINS_PER_TRADE = 9000;
const CHAIN_SHARE = 0.5;
const CHAIN_STREAM = 0x0c4a0000;
const TITLES = new WordPool([
  " MD",
  " DDS",
  " DO",
  " DPM",
  " M.D.",
  " LCSW",
  " DC",
]);
const SPACE = 0x20;

interface TradePools {
  fields: WordPool;
  kinds: WordPool;
}

/** Writes invented organization names that fit the trade and the place. */
export class OrganizationNames {
  readonly #seed: number;
  readonly #people: PersonNames;
  readonly #places: PlaceMap;
  readonly #adjectives = new WordPool(ORGANIZATION_ADJECTIVES);
  readonly #adjectiveRanks = new SkewedChoice(
    zipfWeights(ORGANIZATION_ADJECTIVES.length, 30),
  );
  readonly #forms = new WordPool(LEGAL_FORMS);
  readonly #formRanks = new SkewedChoice(LEGAL_FORM_WEIGHTS);
  readonly #chainRanks = new SkewedChoice(zipfWeights(CHAINS_PER_TRADE, 5));
  readonly #trades = new Map<string, TradePools>();
  readonly #tradeNumbers = new Map<string, number>();
  readonly #chainRandom = new Random();

  constructor(seed: number, people: PersonNames, places: PlaceMap) {
    this.#seed = seed;
    this.#people = people;
    this.#places = places;
    for (const [trade, { fields, kinds }] of Object.entries(TRADES)) {
      this.#tradeNumbers.set(trade, this.#trades.size);
      this.#trades.set(trade, {
        fields: new WordPool(fields),
        kinds: new WordPool(kinds),
      });
    }
  }

  put(row: CsvRow, random: Random, trade: Trade, place: number): void {
    if (random.chance(CHAIN_SHARE)) this.putChain(row, random, trade);
    else this.#putOwnName(row, random, trade, place);
  }

  /** The name of a chain in this trade. */
  putChain(row: CsvRow, random: Random, trade: Trade): void {
    const chain = this.#chainRanks.draw(random);
    this.#chainRandom.restart(
      this.#seed,
      CHAIN_STREAM + (this.#tradeNumbers.get(trade) ?? 0),
      chain,
    );
    this.#putOwnName(
      row,
      this.#chainRandom,
      trade,
      this.#places.draw(this.#chainRandom),
    );
  }

  #putOwnName(row: CsvRow, random: Random, trade: Trade, place: number): void {
    const way = random.fraction();
    if (way < 0.3) {
      row.putWord(this.#adjectives, this.#adjectiveRanks.draw(random));
      // Half of these have a second word: BLUE SKY HARBOR DENTAL GROUP.
      if (random.chance(0.5)) {
        row.putByte(SPACE);
        row.putWord(this.#adjectives, this.#adjectiveRanks.draw(random));
      }
      this.#putTrade(row, random, trade);
    } else if (way < 0.52) {
      this.#people.putSurname(row, random);
      this.#putTrade(row, random, trade);
    } else if (way < 0.74) {
      row.putWord(
        this.#places.spellings,
        this.#places.drawSpelling(random, place),
      );
      this.#putTrade(row, random, trade);
    } else if (way < 0.88) {
      this.#people.putGivenName(row, random, random.chance(0.5));
      row.putByte(SPACE);
      this.#people.putSurname(row, random);
      row.putWord(TITLES, random.below(TITLES.size));
    } else if (way < 0.97) {
      this.#people.putSurname(row, random);
      row.putWord(JOINTS, AND);
      this.#people.putSurname(row, random);
      this.#putTrade(row, random, trade);
    } else if (way < 0.998) {
      this.#putKind(row, random, trade);
      row.putWord(JOINTS, OF);
      row.putWord(
        this.#places.spellings,
        this.#places.drawSpelling(random, place),
      );
    } else {
      row.putWord(JOINTS, OPENING_QUOTE);
      row.putWord(this.#adjectives, this.#adjectiveRanks.draw(random));
      row.putWord(JOINTS, CLOSING_QUOTE);
      this.#putTrade(row, random, trade);
    }
    row.putWord(this.#forms, this.#formRanks.draw(random));
  }

  #putTrade(row: CsvRow, random: Random, trade: Trade): void {
    row.putByte(SPACE);
    this.#putKind(row, random, trade);
  }

  /** `CHILDREN'S HOSPITAL`, `FAMILY DENTISTRY GROUP`. */
  #putKind(row: CsvRow, random: Random, trade: Trade): void {
    const pools = this.#trades.get(trade);
    if (pools === undefined) throw new Error(`There is no trade ${trade}.`);
    row.putWord(pools.fields, random.below(pools.fields.size));
    row.putByte(SPACE);
    row.putWord(pools.kinds, random.below(pools.kinds.size));
  }
}

const JOINTS = new WordPool([" & ", " OF ", 'THE "', '"']);
const AND = 0;
const OF = 1;
const OPENING_QUOTE = 2;
const CLOSING_QUOTE = 3;
