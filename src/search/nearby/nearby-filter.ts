import { ALL_KINDS, type Kinds } from "../../snapshot/postings/kinds.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { Membership } from "../filters/text-filter.ts";
import type { ZipRanges } from "../../snapshot/places/located-zips.ts";

/** The filters of a nearby query, document by document. */
export class NearbyFilter {
  readonly #kinds: Kinds;
  readonly #mask: number;
  readonly #set: BitSet | null;
  readonly #column: Uint16Array | null;
  /** Further conditions. */
  readonly #further: readonly Membership[];

  /** `mask` has the admitted kinds as bits. */
  constructor(
    kinds: Kinds,
    mask: number,
    [first, ...further]: readonly Membership[],
  ) {
    this.#kinds = kinds;
    this.#mask = mask;
    this.#set = first?.set ?? null;
    this.#column = first?.column ?? null;
    this.#further = further;
  }

  admits(doc: number): boolean {
    if (
      this.#mask !== ALL_KINDS &&
      ((this.#mask >>> this.#kinds.column[doc]!) & 1) === 0
    )
      return false;
    if (this.#set === null) return true;
    const column = this.#column;
    if (!this.#set.has(column === null ? doc : column[doc]!)) return false;
    for (let i = 0; i < this.#further.length; i++) {
      const each = this.#further[i]!;
      if (!each.set.has(each.column === null ? doc : each.column[doc]!))
        return false;
    }
    return true;
  }

  /** Counts the documents of a ZIP that pass. */
  countAt({ from, starts, to }: ZipRanges, index: number): number {
    let count = 0;
    const end = starts[index + 1]!;
    for (let range = starts[index]!; range < end; range++)
      count += this.#count(from[range]!, to[range]!);
    return count;
  }

  /** Counts the documents `from` to `to` - 1 that pass. */
  #count(from: number, to: number): number {
    const kinds = this.#kinds;
    const mask = this.#mask;
    const column = this.#column;
    let count = 0;
    if (this.#further.length > 0) {
      for (let doc = from; doc < to; doc++) if (this.admits(doc)) count++;
      return count;
    }
    if (this.#set === null) return kinds.count(from, to, mask);
    if (column === null) {
      const members = this.#set.count(from, to);
      if (members === 0 || mask === ALL_KINDS) return members;
    }
    const { bits } = this.#set;
    const kindOf = kinds.column;
    for (let doc = from; doc < to; doc++) {
      const number = column === null ? doc : column[doc]!;
      count +=
        (bits[number >>> 5]! >>> (number & 31)) & (mask >>> kindOf[doc]!) & 1;
    }
    return count;
  }
}
