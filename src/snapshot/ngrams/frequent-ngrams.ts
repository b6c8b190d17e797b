import { ngramOf } from "./ngram-index.ts";
import { PREFIX, MAX_FREQUENT_NGRAM_BYTES } from "./ngram-tree.ts";
import { BitSet, wordsFor } from "../bytes/bitset.ts";
import { indexIn } from "../bytes/sorted.ts";
import { SECTIONS } from "../container/descriptors.ts";
import { openGroup, type Sections } from "../container/sections.ts";
import type { SectionWriter } from "../container/section-writer.ts";

/**
 * Frequent n-grams (FORMAT.md, "Pieces"): words of one to three bytes, or beginnings of words, that so many documents' names contain
 * that gathering the documents from lists would take long. For each of them it is stored how many documents of each block
 * have it; for the most common ones the documents too, as a set.
 */

/** A piece that fewer than one in so many documents have is not stored. */
export const COUNTED_SHARE = 128;
/** A piece that at least one in so many documents have is stored with its set. */
const LISTED_SHARE = 16;
/** Counts are of blocks of so many documents. */
export const NGRAM_BLOCK = 2048;

/** How often a piece occurs. */
export interface FrequentNgram {
  /** How many documents have it. */
  docCount: number;
  /** Per block of documents how many of them have it. */
  counts: Uint16Array;
  /** The documents that have it, when they are stored. */
  docs: BitSet | null;
}

export interface NumberedNgram {
  /** FORMAT.md, "Pieces". */
  number: number;
  ngram: FrequentNgram;
}

/** Writes the sections `piece.numbers`, `piece.docs`, `piece.counts` and `piece.sets`; pieces ascend by their numbers. */
export function writeFrequentNgrams(
  writer: SectionWriter,
  ngrams: readonly NumberedNgram[],
): void {
  const sets = ngrams.flatMap(({ ngram }) => ngram.docs?.bits ?? []);
  writer.write(SECTIONS.frequentNgrams.sets, ...sets);
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

/** Reads the pieces of a snapshot. */
export class FrequentNgrams {
  /** The stored pieces, ascending. */
  readonly #numbers: Uint32Array;
  readonly #docCount: number;
  readonly #docs: Uint32Array;
  readonly #counts: Uint16Array;
  /** Per piece its set, or null. */
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

  /** All stored pieces, ascending. */
  *all(): Generator<NumberedNgram, undefined> {
    for (let index = 0; index < this.#numbers.length; index++)
      yield { number: this.#numbers[index]!, ngram: this.#at(index) };
  }

  /** What is stored of a word as a piece, or of the beginning of words, null when it is not stored. */
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

/** How many blocks of documents are counted. */
export function blocksFor(docCount: number): number {
  return Math.ceil(docCount / NGRAM_BLOCK);
}

/** The number of a word as a piece, or of the beginning of words; null where it is too long for one. */
function ngramNumber(word: Uint8Array, isPrefix: boolean): number | null {
  if (word.length > MAX_FREQUENT_NGRAM_BYTES) return null;
  return ngramOf(word) + (isPrefix ? PREFIX : 0);
}

/** How many members of a set of documents are in each block. */
export function countBlocks(set: BitSet, docCount: number): Uint16Array {
  return new Uint16Array(blocksFor(docCount)).map((_, block) =>
    set.count(
      block * NGRAM_BLOCK,
      Math.min(docCount, (block + 1) * NGRAM_BLOCK),
    ),
  );
}
