import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { Dictionary } from "../../snapshot/dictionary/dictionary.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";
import type { NamedDocs } from "./namesakes.ts";

/** Documents of a set, in the order of their names in a dictionary. */
export class MembersByName {
  readonly #nameDocs: Postings;
  readonly #set: BitSet;
  readonly #names: Dictionary;
  readonly #base: number;
  readonly #docs: Uint32Array;
  readonly #entries: Uint32Array;
  #count = 0;

  /** With room for `most` documents. The number of an entry is `base` more. */
  constructor(
    nameDocs: Postings,
    set: BitSet,
    names: Dictionary,
    base: number,
    most: number,
  ) {
    this.#nameDocs = nameDocs;
    this.#set = set;
    this.#names = names;
    this.#base = base;
    this.#docs = new Uint32Array(most);
    this.#entries = new Uint32Array(most);
  }

  /** Adds the documents with the numbers `from` to `to` - 1. */
  add(from: number, to: number): void {
    const { items, starts } = this.#nameDocs;
    const { bits } = this.#set;
    const base = this.#base;
    const docs = this.#docs;
    const entries = this.#entries;
    let count = this.#count;
    for (let number = from; number < to; number++) {
      for (let at = starts[number]!; at < starts[number + 1]!; at++) {
        const doc = items[at]!;
        if (((bits[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
        docs[count] = doc;
        entries[count++] = number - base;
      }
    }
    this.#count = count;
  }

  /** What was added. */
  get found(): NamedDocs {
    return {
      names: this.#names,
      docs: this.#docs.subarray(0, this.#count),
      entries: this.#entries.subarray(0, this.#count),
    };
  }
}
