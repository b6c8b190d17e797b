import { ngramOf } from "./ngram-index.ts";
import { PREFIX, MAX_FREQUENT_NGRAM_BYTES } from "./ngram-tree.ts";
import { BitSet, wordsFor } from "../bytes/bitset.ts";
import { indexIn } from "../bytes/sorted.ts";
import { SECTIONS } from "../container/descriptors.ts";
import { openGroup, type Sections } from "../container/sections.ts";
import type { SectionWriter } from "../container/section-writer.ts";

/**
 * Frequent n-grams (FORMAT.md, "Frequent n-grams"): one to three bytes of words, or of the start of words, that occur
 * in so many names that merging lists of documents would be slow. For each, the number of documents per block is
 * stored; for the most frequent, the set of documents too.
 */

/** N-grams that fewer than one document in this many have are not stored. */
export const COUNTED_SHARE = 128;
/** N-grams that at least one document in this many has are stored with their set. */
const LISTED_SHARE = 16;
/** Documents per block. */
export const NGRAM_BLOCK = 2048;

/** The places where an n-gram occurs. */
export interface FrequentNgram {
  /** The number of documents that have it. */
  docCount: number;
  /** The number of documents that have it, per block. */
  counts: Uint16Array;
  /** The documents that have it, if stored. */
  docs: BitSet | null;
}

export interface NumberedNgram {
  /** FORMAT.md, "Frequent n-grams". */
  number: number;
  ngram: FrequentNgram;
}

/** Writes the sections `piece.*`; n-grams must be ascending. */
export function writeFrequentNgrams(
  writer: SectionWriter,
  ngrams: readonly NumberedNgram[],
): void {
  writer.begin(SECTIONS.frequentNgrams.sets);
  for (const { ngram } of ngrams) {
    const { docs } = ngram;
    if (docs === null) continue;
    const { buffer, byteLength, byteOffset } = docs.bits;
    writer.append(new Uint8Array(buffer, byteOffset, byteLength));
  }
  writer.end();
  writer.write(
    SECTIONS.frequentNgrams.numbers,
    Uint32Array.from(ngrams, ({ number }) => number),
  );
  writer.write(
    SECTIONS.frequentNgrams.docs,
    Uint32Array.from(ngrams, ({ ngram }) => ngram.docCount),
  );
  const counts = ngrams.map(({ ngram }) => ngram.counts);
  writer.write(SECTIONS.frequentNgrams.counts, ...counts);
}

/** Reads the frequent n-grams of a snapshot. */
export class FrequentNgrams {
  /** The stored n-grams, ascending. */
  readonly #numbers: Uint32Array;
  readonly #docCount: number;
  readonly #docs: Uint32Array;
  readonly #counts: Uint16Array;
  /** Per n-gram its set, or null. */
  readonly #sets: readonly (BitSet | null)[];

  constructor(sections: Sections, docCount: number) {
    this.#docCount = docCount;
    const {
      counts,
      docs: docCounts,
      numbers,
      sets,
    } = openGroup(sections, SECTIONS.frequentNgrams);
    this.#numbers = numbers;
    this.#docs = docCounts;
    this.#counts = counts;
    const words = wordsFor(docCount);
    let at = 0;
    this.#sets = Array.from(this.#docs, (docs) => {
      if (!isListed(docs, docCount)) return null;
      const set = new BitSet(docCount, sets.subarray(at, at + words));
      at += words;
      return set;
    });
  }

  /** Finds the entry of a short word, or of a prefix of words; null if it is not stored. */
  find(word: Uint8Array, isPrefix: boolean): FrequentNgram | null {
    const ngram = ngramNumber(word, isPrefix);
    if (ngram === null) return null;
    const index = indexIn(this.#numbers, ngram);
    return index < 0 ? null : this.#at(index);
  }

  #at(index: number): FrequentNgram {
    const blocks = blocksFor(this.#docCount);
    return {
      docCount: this.#docs[index]!,
      counts: this.#counts.subarray(index * blocks, (index + 1) * blocks),
      docs: this.#sets[index]!,
    };
  }
}

export function isCounted(docs: number, docCount: number): boolean {
  return docs * COUNTED_SHARE >= docCount;
}

export function isListed(docs: number, docCount: number): boolean {
  return docs * LISTED_SHARE >= docCount;
}

/** Returns the number of blocks for a number of documents. */
export function blocksFor(docCount: number): number {
  return Math.ceil(docCount / NGRAM_BLOCK);
}

/** Returns the number of a short word, or of a prefix of words; null if it is too long. */
function ngramNumber(word: Uint8Array, isPrefix: boolean): number | null {
  if (word.length > MAX_FREQUENT_NGRAM_BYTES) return null;
  return ngramOf(word) + (isPrefix ? PREFIX : 0);
}

/** Returns how many members of a set of documents are in each block. */
export function countBlocks(set: BitSet, docCount: number): Uint16Array {
  return new Uint16Array(blocksFor(docCount)).map((_, block) =>
    set.count(
      block * NGRAM_BLOCK,
      Math.min(docCount, (block + 1) * NGRAM_BLOCK),
    ),
  );
}
