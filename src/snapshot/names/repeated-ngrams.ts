import { BitSet } from "../bytes/bitset.ts";
import { withRoom } from "../bytes/growable.ts";
import { indexIn, sortedDistinct } from "../bytes/sorted.ts";
import { SECTIONS } from "../container/descriptors.ts";
import type { ArraysOf } from "../container/section.ts";
import { openGroup, type Sections } from "../container/sections.ts";
import {
  NGRAM_BYTES,
  ngramOf,
  type NgramIndex,
} from "../ngrams/ngram-index.ts";
import type { NameField, NameFields } from "./name-index.ts";

const NOTHING = new Uint32Array(0);

/** The documents of each repeated n-gram. */
export type RepeatedLists = ArraysOf<typeof SECTIONS.repeatedNgrams>;

/**
 * The documents with n-grams that several of their names contain (FORMAT.md, "Repeated n-grams"): a last and a first
 * name, or several words of an organization name.
 */
export class RepeatedNgrams {
  readonly lists: RepeatedLists;

  constructor(lists: RepeatedLists) {
    this.lists = lists;
  }

  /** Null if the file lacks them. */
  static open(sections: Sections): RepeatedNgrams | null {
    return sections.has(SECTIONS.repeatedNgrams.ngrams)
      ? new RepeatedNgrams(openGroup(sections, SECTIONS.repeatedNgrams))
      : null;
  }

  /**
   * The documents of the rarest repeated n-gram of a word of at least `NGRAM_BYTES`, ascending. No other
   * document has several names with the word. If the word has `NGRAM_BYTES`, a document is in the list once for each name
   * with the word after the first.
   */
  docsOfWord(word: Uint8Array): Uint32Array {
    let rarest = this.lists.docs;
    for (let at = 0; at + NGRAM_BYTES <= word.length; at++) {
      const docs = this.docsOfNgram(
        ngramOf(word.subarray(at, at + NGRAM_BYTES)),
      );
      if (docs.length < rarest.length) rarest = docs;
    }
    return rarest;
  }

  docsOfNgram(ngram: number): Uint32Array {
    const { docs, ngrams, starts } = this.lists;
    const index = indexIn(ngrams, ngram);
    return index < 0
      ? NOTHING
      : docs.subarray(starts[index], starts[index + 1]);
  }
}

/** Lists the repeated n-grams of documents from their fields and the column `name`. */
export function listRepeatedNgrams(
  { first: firstNames, last: lastNames, word: words }: NameFields,
  name: Uint32Array,
): RepeatedLists {
  const people = new PeopleFinder(lastNames.ngrams, firstNames, name);
  const organizations = new OrganizationFinder(words, name.length);
  const collected = new CollectedLists();
  for (const ngram of distinct(
    firstNames.ngrams.sections.inside.ngrams,
    words.ngrams.sections.inside.ngrams,
  )) {
    // Those with a zero are the last bytes of words, fewer than four.
    if ((ngram & 0xff) === 0) continue;
    collected.add(ngram, people.find(ngram), organizations.find(ngram));
  }
  return collected.lists();
}

/** Lists of documents by n-gram, added in ascending order of n-gram. */
class CollectedLists {
  readonly #ngrams: number[] = [];
  readonly #starts: number[] = [0];
  #docs: Uint32Array = new Uint32Array(0);
  #count = 0;

  /** Adds the documents of an n-gram, which are in any order. */
  add(ngram: number, ...found: readonly Uint32Array[]): void {
    const start = this.#count;
    for (const docs of found) {
      this.#docs = withRoom(this.#docs, this.#count + docs.length);
      this.#docs.set(docs, this.#count);
      this.#count += docs.length;
    }
    if (this.#count === start) return;
    this.#docs.subarray(start, this.#count).sort();
    this.#ngrams.push(ngram);
    this.#starts.push(this.#count);
  }

  lists(): RepeatedLists {
    return {
      ngrams: Uint32Array.from(this.#ngrams),
      starts: Uint32Array.from(this.#starts),
      docs: this.#docs.slice(0, this.#count),
    };
  }
}

/** The distinct values of two arrays, ascending. */
function distinct(some: Uint32Array, others: Uint32Array): Uint32Array {
  const all = new Uint32Array(some.length + others.length);
  all.set(some);
  all.set(others, some.length);
  return sortedDistinct(all);
}

/** Finds people whose last and first names contain an n-gram. */
class PeopleFinder {
  readonly #lastNames: NgramIndex;
  readonly #firstNames: NameField;
  /** The column `name`. */
  readonly #name: Uint32Array;
  /** Empty between calls. */
  readonly #containing: BitSet;
  #docs: Uint32Array = new Uint32Array(0);

  constructor(lastNames: NgramIndex, firstNames: NameField, name: Uint32Array) {
    this.#lastNames = lastNames;
    this.#firstNames = firstNames;
    this.#name = name;
    this.#containing = new BitSet(lastNames.entryCount + 1);
  }

  /** The documents, in any order. The array is valid until the next call. */
  find(ngram: number): Uint32Array {
    const {
      docs: { items, starts },
      ngrams,
    } = this.#firstNames;
    const firsts = ngrams.entriesOf(ngram);
    const lasts = this.#lastNames.entriesOf(ngram);
    if (lasts.length === 0) return NOTHING;
    const name = this.#name;
    const { bits } = this.#containing;
    this.#containing.addAll(lasts, 0, lasts.length);
    let count = 0;
    for (const first of firsts) {
      const end = starts[first + 1]!;
      this.#docs = withRoom(this.#docs, count + end - starts[first]!);
      const docs = this.#docs;
      // No branch depends on the names, so the processor can wait for several of them at a time.
      for (let at = starts[first]!; at < end; at++) {
        const doc = items[at]!;
        const last = name[doc]!;
        docs[count] = doc;
        count += (bits[last >>> 5]! >>> (last & 31)) & 1;
      }
    }
    this.#containing.forget(lasts, 0, lasts.length);
    return this.#docs.subarray(0, count);
  }
}

/** Finds organizations with an n-gram in several words of their names. */
class OrganizationFinder {
  readonly #words: NameField;
  /** Empty between calls. */
  readonly #seen: BitSet;
  #docs: Uint32Array = new Uint32Array(0);

  constructor(words: NameField, docCount: number) {
    this.#words = words;
    this.#seen = new BitSet(docCount);
  }

  /** The documents, once per word after the first, in any order. The array is valid until the next call. */
  find(ngram: number): Uint32Array {
    const entries = this.#words.ngrams.entriesOf(ngram);
    if (entries.length < 2) return NOTHING;
    const { items, starts } = this.#words.docs;
    const { bits } = this.#seen;
    let count = 0;
    for (const entry of entries) {
      const end = starts[entry + 1]!;
      this.#docs = withRoom(this.#docs, count + end - starts[entry]!);
      const docs = this.#docs;
      for (let at = starts[entry]!; at < end; at++) {
        const doc = items[at]!;
        const bit = doc & 31;
        const seen = bits[doc >>> 5]!;
        docs[count] = doc;
        count += (seen >>> bit) & 1;
        bits[doc >>> 5] = seen | (1 << bit);
      }
    }
    for (const entry of entries)
      this.#seen.forget(items, starts[entry]!, starts[entry + 1]!);
    return this.#docs.subarray(0, count);
  }
}
