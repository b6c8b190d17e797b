import { BitSet } from "../bytes/bitset.ts";
import { release } from "../bytes/release.ts";
import { SECTIONS } from "../container/descriptors.ts";
import type { DiskSections } from "../container/disk-sections.ts";
import { openGroup } from "../container/sections.ts";
import { Dictionary } from "../dictionary/dictionary.ts";
import {
  blocksFor,
  COUNTED_SHARE,
  isCounted,
  isListed,
} from "./frequent-ngrams.ts";
import { NgramIndex, openNgrams } from "./ngram-index.ts";
import { MAX_FREQUENT_NGRAM_BYTES, PREFIX } from "./ngram-tree.ts";

const { counts, docs, numbers, sets } = SECTIONS.frequentNgrams;
const NAME_FIELDS = [
  ["last", SECTIONS.lastNames, SECTIONS.nameDocs],
  ["first", SECTIONS.firstNames, SECTIONS.firstDocs],
  ["word", SECTIONS.organizationWords, SECTIONS.wordDocs],
] as const;

/** The frequent n-grams of a base. */
export class StoredNgrams {
  /** Ascending. */
  readonly numbers: Uint32Array;
  readonly #base: DiskSections;
  readonly #baseCount: number;
  readonly #blocks: number;
  readonly #counts: Uint16Array;
  /** For the n-grams with a set: its place, and the documents that have them. */
  readonly #places = new Map<number, number>();
  readonly #docs = new Map<number, number>();

  constructor(base: DiskSections, baseCount: number) {
    this.#base = base;
    this.#baseCount = baseCount;
    this.#blocks = blocksFor(baseCount);
    this.numbers = base.get(numbers);
    this.#counts = base.get(counts);
    base.get(docs).forEach((docCount, index) => {
      if (!isListed(docCount, baseCount)) return;
      this.#places.set(this.numbers[index]!, this.#places.size);
      this.#docs.set(this.numbers[index]!, docCount);
    });
  }

  /** How many documents in the blocks `from` to `to` - 1 have an n-gram, by its index. */
  count(index: number, from: number, to: number): number {
    const first = index * this.#blocks;
    let count = 0;
    for (let at = first + from; at < first + to; at++)
      count += this.#counts[at]!;
    return count;
  }

  /** The place of an n-gram's set among the sets; null if none is stored. */
  placeOfSet(number: number): number | null {
    return this.#places.get(number) ?? null;
  }

  /** How many of the base's documents have an n-gram with a set. */
  docs(number: number): number {
    return this.#docs.get(number)!;
  }

  /** The base's documents with each of these n-grams, from the lists of the names that contain it. */
  listed(wanted: readonly number[]): Map<number, BitSet> {
    const found = new Map(
      wanted.map((number) => [number, new BitSet(this.#baseCount)]),
    );
    if (found.size === 0) return found;
    for (const [of, entries, group] of NAME_FIELDS) {
      const dictionary = Dictionary.open(this.#base, entries);
      const ngrams = openNgrams(this.#base, SECTIONS.ngrams[of]);
      const index = new NgramIndex(dictionary, ngrams);
      const { items, starts } = openGroup(this.#base, group);
      for (const [number, set] of found) {
        const bytes = bytesOf(number);
        const containing =
          (number & PREFIX) === 0
            ? index.containing(bytes)
            : index.startingWith(bytes);
        for (const entry of containing)
          set.addAll(items, starts[entry]!, starts[entry + 1]!);
      }
      release(items);
    }
    return found;
  }

  /**
   * The n-grams that are not stored but may be frequent after `added` documents were added or changed, each with a bound
   * for the number of documents that have it in the base.
   */
  others(docCount: number, added: number): Map<number, number> {
    const stored = new Set(this.numbers);
    const most = Math.max(0, Math.ceil(this.#baseCount / COUNTED_SHARE) - 1);
    const others = new Map<number, number>();
    for (const [number, bound] of this.#bounds())
      if (!stored.has(number) && isCounted(bound + added, docCount))
        others.set(number, Math.min(bound, most));
    return others;
  }

  /** How often n-grams of up to three bytes occur in names, from the n-grams of four bytes that start with them. */
  #bounds(): Map<number, number> {
    const bounds = new Map<number, number>();
    for (const { begin, inside } of Object.values(SECTIONS.ngrams))
      for (const [group, mark] of [
        [inside, 0],
        [begin, PREFIX],
      ] as const) {
        const docsOf = this.#base.get(group.docs);
        this.#base.get(group.ngrams).forEach((ngram, index) => {
          for (let length = 1; length <= MAX_FREQUENT_NGRAM_BYTES; length++) {
            const unit = 2 ** (8 * (MAX_FREQUENT_NGRAM_BYTES + 1 - length));
            const first = Math.floor(ngram / unit);
            if (first % 256 === 0) return;
            const number = first * unit + mark;
            bounds.set(number, (bounds.get(number) ?? 0) + docsOf[index]!);
          }
        });
      }
    return bounds;
  }
}

/** Reads a stored set of a base by its place. */
export function readStoredSet(
  base: DiskSections,
  place: number,
  set: BitSet,
): void {
  const { buffer, byteLength } = set.bits;
  base.readAt(sets, new Uint8Array(buffer), place * byteLength);
}

/** The bytes of an n-gram. */
function bytesOf(number: number): Uint8Array {
  const bytes = Buffer.alloc(MAX_FREQUENT_NGRAM_BYTES + 1);
  bytes.writeUInt32BE(number - (number & PREFIX));
  return bytes.subarray(0, bytes.indexOf(0));
}
