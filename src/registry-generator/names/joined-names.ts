import type { CsvRow } from "../csv-row.ts";
import type { Random } from "../random.ts";
import { WordPool } from "./word-pool.ts";

/** Flattens the head of the power law, so no invented name is as common as SMITH. */
const HEAD = 0.06;
/**
 * A prime that is coprime to the number of names of any length, so names of neighboring ranks are not spelled alike.
 */
const STRIDE = 1_000_003;

/** Invented names: a start, up to two middles and an end. */
export class JoinedNames {
  readonly #starts: WordPool;
  readonly #middles: WordPool;
  readonly #ends: WordPool;
  readonly #short: number;
  readonly #medium: number;
  readonly #variety: number;

  /** `variety` is the number of different names, short ones first. */
  constructor(
    starts: readonly string[],
    middles: readonly string[],
    ends: readonly string[],
    variety: number,
  ) {
    this.#starts = new WordPool(starts);
    this.#middles = new WordPool(middles);
    this.#ends = new WordPool(ends);
    this.#short = starts.length * ends.length;
    this.#medium = this.#short * middles.length;
    this.#variety = variety;
  }

  /** Low ranks are drawn far more often: the density falls with rank to the power of −3/4, flattened at the head. */
  put(row: CsvRow, random: Random): void {
    const fraction = HEAD + (1 - HEAD) * random.fraction();
    const rank = Math.floor(
      this.#variety * fraction * fraction * fraction * fraction,
    );
    if (rank < this.#short) {
      this.#join(row, spread(rank, this.#short), 0);
    } else if (rank < this.#short + this.#medium) {
      this.#join(row, spread(rank - this.#short, this.#medium), 1);
    } else {
      const longest = this.#medium * this.#middles.size;
      this.#join(
        row,
        spread((rank - this.#short - this.#medium) % longest, longest),
        2,
      );
    }
  }

  #join(row: CsvRow, name: number, middles: number): void {
    let rest = name;
    const end = rest % this.#ends.size;
    rest = Math.floor(rest / this.#ends.size);
    row.putWord(this.#starts, rest % this.#starts.size);
    rest = Math.floor(rest / this.#starts.size);
    for (let i = 0; i < middles; i++) {
      row.putWord(this.#middles, rest % this.#middles.size);
      rest = Math.floor(rest / this.#middles.size);
    }
    row.putWord(this.#ends, end);
  }
}

/** Moves a rank to another one below `count`, one to one. */
function spread(rank: number, count: number): number {
  return (rank * STRIDE) % count;
}
