import type { CsvRow } from "../csv-row.ts";
import {
  ACCENTED_GIVEN_NAMES,
  COMMON_MENS_NAMES,
  COMMON_WOMENS_NAMES,
  GIVEN_MIDDLES,
  GIVEN_STARTS,
  MENS_ENDS,
  WOMENS_ENDS,
} from "./given-name-words.ts";
import { JoinedNames } from "./joined-names.ts";
import type { Random } from "../random.ts";
import { SkewedChoice, zipfWeights } from "../skewed-choice.ts";
import {
  ACCENTED_SURNAMES,
  COMMON_SURNAMES,
  SURNAME_ENDS,
  SURNAME_MIDDLES,
  SURNAME_PARTICLES,
  SURNAME_STARTS,
} from "./surname-words.ts";
import { WordPool } from "./word-pool.ts";

const SPACE = 0x20;
const HYPHEN = 0x2d;
const LETTER_A = 0x41;

/** Shares of the ways to create a name; the rest up to 1 are invented names. */
const COMMON_SURNAME_SHARE = 0.32;
const ACCENTED_SHARE = 0.001;
const PARTICLE_SHARE = 0.03;
const TWO_SURNAMES_SHARE = 0.045;
const COMMON_GIVEN_SHARE = 0.66;
const TWO_GIVEN_SHARE = 0.013;
const MIDDLE_INITIAL_SHARE = 0.25;

/** Writes names of people who do not exist. Common names are as common as in the registry; all others are invented. */
export class PersonNames {
  readonly #commonSurnames = new WordPool(COMMON_SURNAMES);
  readonly #surnameRanks = new SkewedChoice(
    zipfWeights(COMMON_SURNAMES.length, 10),
  );
  readonly #accentedSurnames = new WordPool(ACCENTED_SURNAMES);
  readonly #particles = new WordPool(SURNAME_PARTICLES);
  readonly #inventedSurnames = new JoinedNames(
    SURNAME_STARTS,
    SURNAME_MIDDLES,
    SURNAME_ENDS,
    700_000,
  );
  readonly #women = new GivenNames(COMMON_WOMENS_NAMES, WOMENS_ENDS);
  readonly #men = new GivenNames(COMMON_MENS_NAMES, MENS_ENDS);

  putSurname(row: CsvRow, random: Random): void {
    this.#putOneSurname(row, random);
    if (!random.chance(TWO_SURNAMES_SHARE)) return;
    row.putByte(random.chance(0.4) ? HYPHEN : SPACE);
    this.#putOneSurname(row, random);
  }

  putGivenName(row: CsvRow, random: Random, isWoman: boolean): void {
    (isWoman ? this.#women : this.#men).put(row, random);
  }

  putMiddleName(row: CsvRow, random: Random, isWoman: boolean): void {
    if (random.chance(MIDDLE_INITIAL_SHARE))
      row.putByte(LETTER_A + random.below(26));
    else (isWoman ? this.#women : this.#men).putOne(row, random);
  }

  #putOneSurname(row: CsvRow, random: Random): void {
    const way = random.fraction();
    if (way < COMMON_SURNAME_SHARE) {
      row.putWord(this.#commonSurnames, this.#surnameRanks.draw(random));
    } else if (way < COMMON_SURNAME_SHARE + ACCENTED_SHARE) {
      row.putWord(
        this.#accentedSurnames,
        random.below(this.#accentedSurnames.size),
      );
    } else {
      if (random.chance(PARTICLE_SHARE))
        row.putWord(this.#particles, random.below(this.#particles.size));
      this.#inventedSurnames.put(row, random);
    }
  }
}

class GivenNames {
  readonly #common: WordPool;
  readonly #ranks: SkewedChoice;
  readonly #accented = new WordPool(ACCENTED_GIVEN_NAMES);
  readonly #invented: JoinedNames;

  constructor(common: readonly string[], ends: readonly string[]) {
    this.#common = new WordPool(common);
    this.#ranks = new SkewedChoice(zipfWeights(common.length, 15));
    this.#invented = new JoinedNames(
      GIVEN_STARTS,
      GIVEN_MIDDLES,
      ends,
      165_000,
    );
  }

  put(row: CsvRow, random: Random): void {
    this.putOne(row, random);
    if (!random.chance(TWO_GIVEN_SHARE)) return;
    row.putByte(random.chance(0.25) ? HYPHEN : SPACE);
    this.putOne(row, random);
  }

  putOne(row: CsvRow, random: Random): void {
    const way = random.fraction();
    if (way < COMMON_GIVEN_SHARE)
      row.putWord(this.#common, this.#ranks.draw(random));
    else if (way < COMMON_GIVEN_SHARE + ACCENTED_SHARE)
      row.putWord(this.#accented, random.below(this.#accented.size));
    else this.#invented.put(row, random);
  }
}
