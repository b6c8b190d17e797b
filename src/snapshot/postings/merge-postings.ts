import type { Postings } from "./postings.ts";

/** Marks a document of the base that a row replaced. */
export const NO_DOC = 0xffffffff;

/** Documents of the base per block: few enough blocks to stay in the processor's cache. */
const BLOCK_BITS = 5;
const BLOCK_DOCS = 1 << BLOCK_BITS;

/** New numbers of the base's documents. */
export class MovedDocs {
  /** New document by old document, or `NO_DOC`; ascending except for these. */
  readonly docs: Uint32Array;
  /**
   * Per block, the new number of its first document; `NO_DOC` if the block's documents are not consecutive any more.
   */
  readonly blocks: Uint32Array;

  constructor(docs: Uint32Array) {
    this.docs = docs;
    this.blocks = new Uint32Array(Math.ceil(docs.length / BLOCK_DOCS));
    for (let block = 0; block < this.blocks.length; block++) {
      const from = block << BLOCK_BITS;
      const to = Math.min(docs.length, from + BLOCK_DOCS);
      const first = docs[from]!;
      let doc = from + 1;
      while (doc < to && docs[doc] === first + doc - from) doc++;
      this.blocks[block] = doc < to ? NO_DOC : first;
    }
  }

  /** The new number of a document of the base, or `NO_DOC`. */
  now(doc: number): number {
    const first = this.blocks[doc >>> BLOCK_BITS]!;
    return first === NO_DOC
      ? this.docs[doc]!
      : first + (doc & (BLOCK_DOCS - 1));
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
      for (let at = base.starts[old]!; at < past; at++) {
        const doc = moved.now(baseItems[at]!);
        if (doc === NO_DOC) continue;
        for (; next < end && docOfRow[rows.items[next]!]! < doc; next++)
          items[to++] = docOfRow[rows.items[next]!]!;
        items[to++] = doc;
      }
      old++;
    }
    for (; next < end; next++) items[to++] = docOfRow[rows.items[next]!]!;
  }
  starts[count + 1] = to;
  return { starts, items: items.subarray(0, to) };
}
