import type { Postings } from "./postings.ts";

/** Marks a document of the base that a row replaced. */
export const NO_DOC = 0xffffffff;

/** Documents of the base per block: few enough blocks to stay in the processor's cache. */
const BLOCK_BITS = 5;
const BLOCK_DOCS = 1 << BLOCK_BITS;

/** Added to the index of a block whose documents are not consecutive any more. */
const SPLIT = 0x8000_0000;

/** New numbers of the base's documents. */
export class MovedDocs {
  /** New document by old document, or `NO_DOC`; ascending except for these. */
  readonly docs: Uint32Array;
  /** Per block, the new number of its first document, or, plus `SPLIT`, its index among the split ones. */
  readonly #blocks: Uint32Array;
  /** The documents of split blocks: a seventh of all for a week, so they stay in the cache. */
  readonly #split: Uint32Array;

  constructor(docs: Uint32Array) {
    this.docs = docs;
    const blocks = new Uint32Array(Math.ceil(docs.length / BLOCK_DOCS));
    let splits = 0;
    for (let block = 0; block < blocks.length; block++) {
      const from = block << BLOCK_BITS;
      const to = Math.min(docs.length, from + BLOCK_DOCS);
      const first = docs[from]!;
      let doc = from + 1;
      if (first !== NO_DOC)
        while (doc < to && docs[doc] === first + doc - from) doc++;
      blocks[block] = first !== NO_DOC && doc === to ? first : SPLIT + splits++;
    }
    const split = new Uint32Array(splits * BLOCK_DOCS);
    blocks.forEach((first, block) => {
      if (first < SPLIT) return;
      const from = block << BLOCK_BITS;
      const to = (first - SPLIT) << BLOCK_BITS;
      split.set(docs.subarray(from, from + BLOCK_DOCS), to);
    });
    this.#blocks = blocks;
    this.#split = split;
  }

  /** The new number of a document of the base, or `NO_DOC`. */
  now(doc: number): number {
    const first = this.#blocks[doc >>> BLOCK_BITS]!;
    const at = doc & (BLOCK_DOCS - 1);
    return first < SPLIT
      ? first + at
      : this.#split[((first - SPLIT) << BLOCK_BITS) + at]!;
  }
}

/**
 * Merges the lists of the base with those of the rows. `fromBase` has the new number of each number of the base,
 * `docOfRow` the document of each item in the rows' lists; both ascend. Overwrites the base's items.
 */
export function mergePostings(
  base: Postings,
  fromBase: Uint32Array,
  rows: Postings,
  moved: MovedDocs,
  docOfRow: Uint32Array,
): Postings {
  const starts = new Uint32Array(rows.starts.length);
  const count = starts.length - 2;
  const items = new Uint32Array(base.items.length + rows.items.length);
  const kept = new KeptItems(base.items, moved, items);
  let old = 1;
  for (let number = 1; number <= count; number++) {
    const isOld = old < fromBase.length && fromBase[old] === number;
    const from = base.starts[old]!;
    const past = isOld ? base.starts[++old]! : from;
    starts[number] = kept.placeOf(from);
    let next = rows.starts[number]!;
    const end = rows.starts[number + 1]!;
    if (next === end) {
      kept.pass(past);
      continue;
    }
    for (let at = from; at < past; at++) {
      const doc = base.items[at]!;
      if (doc === NO_DOC) continue;
      for (; next < end && docOfRow[rows.items[next]!]! < doc; next++)
        kept.insert(at, docOfRow[rows.items[next]!]!);
    }
    for (; next < end; next++) kept.insert(past, docOfRow[rows.items[next]!]!);
    kept.pass(past);
  }
  starts[count + 1] = kept.end();
  return { starts, items: items.subarray(0, starts[count + 1]) };
}

/** The base's items with their new numbers, copied in the longest possible runs; those that are gone are left out. */
class KeptItems {
  readonly #items: Uint32Array;
  readonly #target: Uint32Array;
  /** Where items are gone, and the first of these that was not passed. */
  readonly #gone: number[] = [];
  #nextGone = 0;
  /** How many items were copied or left out, and the end of the target. */
  #done = 0;
  #to = 0;

  constructor(items: Uint32Array, moved: MovedDocs, target: Uint32Array) {
    this.#items = items;
    this.#target = target;
    for (let at = 0; at < items.length; at++) {
      const doc = moved.now(items[at]!);
      items[at] = doc;
      if (doc === NO_DOC) this.#gone.push(at);
    }
  }

  /** Where the item `at` is in the target; all that are gone before it must have been passed. */
  placeOf(at: number): number {
    return this.#to + at - this.#done;
  }

  /** Passes the items before `end`. */
  pass(end: number): void {
    for (;;) {
      const gone = this.#gone[this.#nextGone];
      if (gone === undefined || gone >= end) return;
      this.#copy(gone);
      this.#done++;
      this.#nextGone++;
    }
  }

  /** Puts a document before the item `at`. */
  insert(at: number, doc: number): void {
    this.pass(at);
    this.#copy(at);
    this.#target[this.#to++] = doc;
  }

  /** Copies the rest. Returns the end of the target. */
  end(): number {
    this.pass(this.#items.length);
    this.#copy(this.#items.length);
    return this.#to;
  }

  #copy(end: number): void {
    if (end === this.#done) return;
    this.#target.set(this.#items.subarray(this.#done, end), this.#to);
    this.#to += end - this.#done;
    this.#done = end;
  }
}
