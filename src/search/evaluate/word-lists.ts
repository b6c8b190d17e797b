import { lowerBound } from "../../snapshot/bytes/sorted.ts";
import { BitSet } from "../../snapshot/bytes/bitset.ts";
import {
  NGRAM_BYTES,
  type PlacedEntries,
} from "../../snapshot/ngrams/ngram-index.ts";
import { ALL_DOCS, eachDocs } from "../filters/docs-of-entries.ts";
import { Tier } from "../filters/text-filter.ts";
import type { NameField } from "../../snapshot/names/name-index.ts";
import { itemsOf, type Postings } from "../../snapshot/postings/postings.ts";

/** Testing a document by its value in a column, and reading the start of an entry's list, in nanoseconds, about. */
const SCANNED_DOC = 2;
const READ_LIST = 15;
/** Reading a document's value in a column costs as much as looking up this many documents in a set. */
const COLUMN_DOCS = 4;

/** The lists of the entries of one field that contain a word, by tier. They are found when they are needed. */
export class WordLists {
  readonly #field: NameField;
  readonly #word: Uint8Array;
  /** The entry of each document; null for a field with several entries for one document. */
  readonly #column: Uint32Array | null;
  #placed: PlacedEntries | undefined;

  constructor(field: NameField, word: Uint8Array, column: Uint32Array | null) {
    this.#field = field;
    this.#word = word;
    this.#column = column;
  }

  /** The total length of the lists of both tiers. */
  get length(): number {
    const { ngrams } = this.#field;
    return this.#word.length === NGRAM_BYTES
      ? ngrams.docBound(this.#word)
      : this.lengthOf(Tier.wordPrefix) + this.lengthOf(Tier.substring);
  }

  /** The total length of the lists of a tier. */
  lengthOf(tier: number): number {
    const { docs, ngrams } = this.#field;
    if (this.#word.length !== NGRAM_BYTES)
      return totalLength(docs, this.#entries(tier));
    const starting = ngrams.startBound(this.#word);
    return tier === Tier.wordPrefix ? starting : this.length - starting;
  }

  /**
   * How many documents are in lists of two fields, each of which has one entry for a document. `seen` is empty, and
   * stays so.
   */
  countShared(other: WordLists, seen: BitSet): number {
    const [few, many] =
      this.length < other.length ? [this, other] : [other, this];
    if (few.length === 0) return 0;
    if (few.length * COLUMN_DOCS < many.length) return few.#countIn(many);
    return emptiedIfItThrows(seen, () => few.#countMarked(many, seen));
  }

  /** The same by marking the documents of these lists. */
  #countMarked(other: WordLists, seen: BitSet): number {
    this.#eachDocs((items, from, to) => seen.addAll(items, from, to));
    const { bits } = seen;
    let shared = 0;
    other.#eachDocs((items, from, to) => {
      for (let at = from; at < to; at++) {
        const doc = items[at]!;
        shared += (bits[doc >>> 5]! >>> (doc & 31)) & 1;
      }
    });
    this.#eachDocs((items, from, to) => seen.forget(items, from, to));
    return shared;
  }

  /** The same by the other field's column. */
  #countIn(other: WordLists): number {
    const column = other.#column;
    if (column === null) throw new Error("Documents have several entries");
    const { bits } = other.#entrySet();
    let shared = 0;
    this.#eachDocs((items, from, to) => {
      for (let at = from; at < to; at++) {
        const entry = column[items[at]!]!;
        shared += (bits[entry >>> 5]! >>> (entry & 31)) & 1;
      }
    });
    return shared;
  }

  /** How many documents are in the lists, some in several of them. `seen` is empty, and stays so. */
  countDistinct(seen: BitSet): number {
    return this.length === 0
      ? 0
      : emptiedIfItThrows(seen, () => this.#countDistinct(seen));
  }

  #countDistinct(seen: BitSet): number {
    const { docs } = this.#field;
    const longest = this.#longest();
    const longestDocs = itemsOf(docs, longest);
    const { bits } = seen;
    let added = 0;
    this.#eachDocs((items, from, to) => {
      for (let at = from; at < to; at++) {
        const doc = items[at]!;
        const word = bits[doc >>> 5]!;
        const mask = 1 << (doc & 31);
        added += 1 - ((word >>> (doc & 31)) & 1);
        bits[doc >>> 5] = word | mask;
      }
    }, longest);
    let count = longestDocs.length + added;
    if (added > 0)
      for (let at = 0; at < longestDocs.length; at++) {
        const doc = longestDocs[at]!;
        count -= (bits[doc >>> 5]! >>> (doc & 31)) & 1;
      }
    this.#eachDocs((items, from, to) => seen.forget(items, from, to), longest);
    return count;
  }

  /** Passes on the documents below `end` in the lists of a tier. */
  eachBelow(
    end: number,
    tier: number,
    take: (items: Uint32Array, from: number, to: number) => void,
  ): void {
    if (this.lengthOf(tier) === 0) return;
    const entries = this.#entries(tier);
    const column = this.#column;
    if (column === null || entries.length * READ_LIST < end * SCANNED_DOC)
      return eachDocs(this.#field.docs, entries, { from: 0, to: end }, take);
    const { bits } = BitSet.of(this.#field.ngrams.entryCount + 1, entries);
    const found = new Uint32Array(end);
    let count = 0;
    // No branch depends on the values.
    for (let doc = 0; doc < end; doc++) {
      const entry = column[doc]!;
      found[count] = doc;
      count += (bits[entry >>> 5]! >>> (entry & 31)) & 1;
    }
    take(found, 0, count);
  }

  #entries(tier: number): Uint32Array {
    this.#placed ??= this.#field.ngrams.placed(this.#word);
    const { atWord, inside } = this.#placed;
    return tier === Tier.wordPrefix ? atWord : inside;
  }

  /** The entry with the longest list. */
  #longest(): number {
    const { starts } = this.#field.docs;
    let longest = 0;
    let most = 0;
    for (const entries of this.#all())
      for (let i = 0; i < entries.length; i++) {
        const entry = entries[i]!;
        const length = starts[entry + 1]! - starts[entry]!;
        if (length <= most) continue;
        most = length;
        longest = entry;
      }
    return longest;
  }

  /** Passes on the lists of all entries but `left`. */
  #eachDocs(
    take: (items: Uint32Array, from: number, to: number) => void,
    left = 0,
  ): void {
    const { docs } = this.#field;
    for (const entries of this.#all()) {
      const at = lowerBound(entries, left);
      const past = entries[at] === left ? at + 1 : at;
      eachDocs(docs, entries.subarray(0, at), ALL_DOCS, take);
      eachDocs(docs, entries.subarray(past), ALL_DOCS, take);
    }
  }

  #all(): Uint32Array[] {
    return [this.#entries(Tier.wordPrefix), this.#entries(Tier.substring)];
  }

  #entrySet(): BitSet {
    const set = new BitSet(this.#field.ngrams.entryCount + 1);
    for (const entries of this.#all()) set.addAll(entries, 0, entries.length);
    return set;
  }
}

function totalLength({ starts }: Postings, entries: Uint32Array): number {
  let sum = 0;
  for (let i = 0; i < entries.length; i++)
    sum += starts[entries[i]! + 1]! - starts[entries[i]!]!;
  return sum;
}

/** Later searches expect an empty set. */
function emptiedIfItThrows(seen: BitSet, count: () => number): number {
  try {
    return count();
  } catch (error) {
    seen.clear();
    throw error;
  }
}
