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
 * `docOfRow` the document of each item in the rows' lists; both ascend.
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
  const baseItems = base.items;
  let to = 0;
  let old = 1;
  for (let number = 1; number <= count; number++) {
    starts[number] = to;
    let next = rows.starts[number]!;
    const end = rows.starts[number + 1]!;
    if (old < fromBase.length && fromBase[old] === number) {
      const past = base.starts[old + 1]!;
      let at = base.starts[old]!;
      for (; at < past && next < end; at++) {
        const doc = moved.now(baseItems[at]!);
        if (doc === NO_DOC) continue;
        for (; next < end && docOfRow[rows.items[next]!]! < doc; next++)
          items[to++] = docOfRow[rows.items[next]!]!;
        items[to++] = doc;
      }
      for (; at < past; at++) {
        const doc = moved.now(baseItems[at]!);
        items[to] = doc;
        if (doc !== NO_DOC) to++;
      }
      old++;
    }
    for (; next < end; next++) items[to++] = docOfRow[rows.items[next]!]!;
  }
  starts[count + 1] = to;
  return { starts, items: items.subarray(0, to) };
}
