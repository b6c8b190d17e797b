import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Workspace } from "../evaluate/workspace.ts";
import { Tier, type TakeDocs, type Facts } from "./text-filter.ts";
import { UntieredFilter } from "./untiered-filter.ts";

/** Providers whose number in a column is in a range. */
export class ColumnFilter extends UntieredFilter {
  readonly key: string;
  readonly bound: number;
  readonly hasDisjointLists = true;
  readonly testCost = 3;
  readonly setCost: number;
  readonly #column: Uint8Array | Uint16Array;
  readonly #range: NumberRange;

  /** `key` says what the numbers are and what the range is, `count` is the number of matches. */
  constructor(
    workspace: Workspace,
    key: string,
    column: Uint8Array | Uint16Array,
    range: NumberRange,
    count: number,
  ) {
    super(workspace);
    this.key = key;
    this.bound = count;
    this.setCost = column.length;
    this.#column = column;
    this.#range = range;
  }

  explain(): Facts {
    return { filter: this.key, documents: this.bound };
  }

  eachList(take: TakeDocs): void {
    const docs = this.matching().toArray();
    take(docs, 0, docs.length, Tier.wordPrefix);
  }

  matches(doc: number): boolean {
    const number = this.#column[doc]!;
    return number >= this.#range.from && number < this.#range.to;
  }

  protected override fill({ bits }: BitSet): void {
    const column = this.#column;
    const { from, to } = this.#range;
    // Whole words without branches: three times as fast.
    for (let doc = 0; doc < column.length;) {
      const end = Math.min(doc + 32, column.length);
      let word = 0;
      for (; doc < end; doc++) {
        const number = column[doc]!;
        word |= ((~(number - from) & (number - to)) >>> 31) << (doc & 31);
      }
      bits[(end - 1) >>> 5] = word;
    }
  }
}
