import { lowerBound } from "../bytes/sorted.ts";
import type { RunColumns } from "../postings/doc-runs.ts";
import { blocksFor, NGRAM_BLOCK } from "./frequent-ngrams.ts";

/**
 * The borders of a snapshot's blocks, each with the nearest border of a block of the base: border `n` is before block
 * `n`, and the last one is the end.
 */
export class AlignedBlocks {
  /** The base's border. */
  readonly base: Uint32Array;
  /** The first document that is behind it. */
  readonly docs: Uint32Array;
  /** How many rows and how many documents of the base that are gone are before it. */
  readonly rows: Uint32Array;
  readonly gone: Uint32Array;

  constructor(runs: RunColumns, docOfRow: Uint32Array) {
    const { baseCount, count } = runs;
    const docs = docsAtBorders(runs);
    const last = docs.length - 1;
    const blocks = blocksFor(count);
    this.base = new Uint32Array(blocks + 1);
    this.base[blocks] = last;
    for (let block = 1, at = 0; block < blocks; block++) {
      const doc = block * NGRAM_BLOCK;
      while (
        at < last &&
        Math.abs(docs[at + 1]! - doc) <= Math.abs(docs[at]! - doc)
      )
        at++;
      this.base[block] = at;
    }
    this.docs = this.base.map((border) => docs[border]!);
    this.rows = this.docs.map((doc) => lowerBound(docOfRow, doc));
    this.gone = this.base.map((border, block) => {
      const before = Math.min(border * NGRAM_BLOCK, baseCount);
      return before - (this.docs[block]! - this.rows[block]!);
    });
  }
}

/** For each border of the base, where the documents before it end. */
function docsAtBorders({
  baseCount,
  count,
  docs,
  sources,
}: RunColumns): Uint32Array {
  const borders = new Uint32Array(blocksFor(baseCount) + 1).fill(count);
  borders[0] = 0;
  let border = 1;
  for (let run = 0; run < sources.length; run++) {
    const source = sources[run]!;
    if (source >= baseCount) continue;
    const end = source + (docs[run + 1] ?? count) - docs[run]!;
    for (; border * NGRAM_BLOCK < end; border++)
      borders[border] = docs[run]! + Math.max(0, border * NGRAM_BLOCK - source);
  }
  return borders;
}
