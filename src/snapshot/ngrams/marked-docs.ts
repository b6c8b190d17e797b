import { countOf } from "../dictionary/dictionary.ts";
import { ones, wordsFor } from "../bytes/bitset.ts";
import { release } from "../bytes/release.ts";
import type { Names } from "../names/name-index.ts";
import { NGRAM_BLOCK } from "./frequent-ngrams.ts";
import type { EntryNgrams, NgramTree } from "./ngram-tree.ts";

/** Documents whose entries are looked up together. */
const BATCH = 256;

/** The name columns of documents, or of rows. */
export type NameColumns = Pick<Names, "first" | "name">;

/**
 * Which of up to NGRAM_BLOCK items that follow each other have which of some n-grams. Names of organizations are read as
 * they come: few of a week's documents are read, so finding the words of all names would take longer.
 */
export class MarkedDocs {
  readonly #tree: NgramTree;
  readonly #names: Omit<Names, "first" | "name">;
  /** Per n-gram, 1 if it is marked. */
  readonly #isMarked: Uint8Array;
  /** The n-grams that are marked, in tree order. */
  readonly #marked: Uint32Array;
  readonly #lists: EntryNgrams;
  /** One set of items per n-gram, each of `#words` words. */
  readonly #bits: Uint32Array;
  #words = 0;
  /** Start and end of the lists of a batch: two entries for each item. */
  readonly #firsts = new Uint32Array(2 * BATCH);
  readonly #ends = new Uint32Array(2 * BATCH);
  readonly #loaded = new Uint32Array(2 * BATCH);
  /** The n-grams of one organization. */
  #found: Uint16Array | Uint32Array;

  /** If an n-gram is marked, those must be that contain it. */
  constructor(
    names: Omit<Names, "first" | "name">,
    tree: NgramTree,
    isMarked: Uint8Array,
  ) {
    this.#names = names;
    this.#tree = tree;
    this.#isMarked = isMarked;
    this.#marked = Uint32Array.from(isMarked.keys()).filter(
      (ngram) => isMarked[ngram] === 1,
    );
    this.#lists = withOnly(
      tree.lists([names.lastNames, names.firstNames]),
      isMarked,
    );
    this.#bits = new Uint32Array(tree.size * wordsFor(NGRAM_BLOCK));
    this.#found = tree.emptyList(BATCH);
  }

  /** Marks the n-grams of the items `from` to `to` - 1. */
  mark(columns: NameColumns, from: number, to: number): void {
    this.#words = wordsFor(to - from);
    this.#bits.fill(0, 0, this.#tree.size * this.#words);
    for (let at = from; at < to; at += BATCH)
      this.#markBatch(columns, from, at, Math.min(to, at + BATCH));
    this.#spread();
  }

  /** Adds to `sums`, for each n-gram that is marked, how many of the items have it, times `sign`. */
  tally(sums: Int32Array, sign: number): void {
    const bits = this.#bits;
    const words = this.#words;
    for (const ngram of this.#marked) {
      const from = ngram * words;
      let count = 0;
      for (let at = from; at < from + words; at++) count += ones(bits[at]!);
      sums[ngram]! += sign * count;
    }
  }

  /** Frees the memory. Nothing can be marked afterwards. */
  release(): void {
    const { ngrams, starts } = this.#lists;
    release(ngrams, starts);
  }

  #markBatch(
    { first, name }: NameColumns,
    origin: number,
    from: number,
    to: number,
  ): void {
    const { ngrams, starts } = this.#lists;
    const firsts = this.#firsts;
    const ends = this.#ends;
    const lastCount = countOf(this.#names.lastNames);
    const count = 2 * (to - from);
    for (let item = from; item < to; item++) {
      const number = name[item]!;
      const at = 2 * (item - from);
      if (number > lastCount) {
        this.#markOrganization(number - lastCount, item - origin);
        firsts[at] = ends[at] = firsts[at + 1] = ends[at + 1] = 0;
        continue;
      }
      const given = first[item]!;
      const entry = given === 0 ? 0 : lastCount + given;
      firsts[at] = starts[number]!;
      ends[at] = starts[number + 1]!;
      firsts[at + 1] = starts[entry]!;
      ends[at + 1] = starts[entry + 1]!;
    }
    // Lists are far apart in memory: one element of each is read first, so the processor loads several in parallel.
    const loaded = this.#loaded;
    for (let i = 0; i < count; i++) loaded[i] = ngrams[firsts[i]!]!;
    const bits = this.#bits;
    const words = this.#words;
    for (let i = 0; i < count; i++) {
      const item = from - origin + (i >>> 1);
      const bit = 1 << (item & 31);
      const word = item >>> 5;
      const end = ends[i]!;
      for (let at = firsts[i]!; at < end; at++)
        bits[ngrams[at]! * words + word]! |= bit;
    }
  }

  #markOrganization(number: number, item: number): void {
    const { organizations } = this.#names;
    const { offsets } = organizations;
    const room = 2 * (offsets[number + 1]! - offsets[number]!);
    if (this.#found.length < room) this.#found = this.#tree.emptyList(2 * room);
    const found = this.#found;
    const count = this.#tree.list(organizations, number, found, 0);
    const bits = this.#bits;
    const words = this.#words;
    const bit = 1 << (item & 31);
    const word = item >>> 5;
    for (let at = 0; at < count; at++)
      if (this.#isMarked[found[at]!] === 1)
        bits[found[at]! * words + word]! |= bit;
  }

  /** Adds to each n-gram's items those of the longer n-grams that contain it. */
  #spread(): void {
    const { inside, shorter } = this.#tree;
    for (let at = this.#marked.length - 1; at >= 0; at--) {
      const ngram = this.#marked[at]!;
      this.#add(ngram, shorter[ngram]!);
      this.#add(ngram, inside[ngram]!);
    }
  }

  #add(ngram: number, to: number): void {
    if (ngram === to || this.#isMarked[to] === 0) return;
    const bits = this.#bits;
    const words = this.#words;
    for (let i = 0; i < words; i++)
      bits[to * words + i]! |= bits[ngram * words + i]!;
  }
}

/** The lists without the n-grams that are not marked, in the same memory. */
function withOnly(
  { ngrams, starts }: EntryNgrams,
  isMarked: Uint8Array,
): EntryNgrams {
  let to = 0;
  let at = 0;
  for (let entry = 0; entry < starts.length; entry++) {
    for (; at < starts[entry]!; at++)
      if (isMarked[ngrams[at]!] === 1) ngrams[to++] = ngrams[at]!;
    starts[entry] = to;
  }
  return { starts, ngrams };
}
