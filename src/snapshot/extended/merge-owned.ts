import { release } from "../bytes/release.ts";
import type { MergedItems } from "../names/merge-names.ts";
import { DocRuns } from "../postings/doc-runs.ts";
import { NO_DOC } from "../postings/merge-postings.ts";

/** Items of a base's documents, merged with those of an update's rows, and the document of each. */
export interface MergedOwned extends MergedItems {
  owners: Uint32Array;
}

/**
 * Merges items that are ordered by their documents. `owners` has the document in the base of each of the base's items,
 * and `docs` the document now, or `NO_DOC` if its items are gone; `docsOfRows` has the documents of the rows' items. Frees
 * `owners`.
 */
export function mergeOwned(
  base: MergedItems["base"],
  owners: Uint32Array,
  docs: Uint32Array,
  docsOfRows: Uint32Array,
): MergedOwned {
  const runs = new DocRuns(owners.length);
  const docOfRow = new Uint32Array(docsOfRows.length);
  const all = new Uint32Array(owners.length + docsOfRows.length);
  let from = 0;
  let row = 0;
  const addRowsBefore = (item: number, doc: number): void => {
    if (row === docsOfRows.length || docsOfRows[row]! > doc) return;
    runs.add(from, item);
    from = item;
    for (; row < docsOfRows.length && docsOfRows[row]! < doc; row++) {
      docOfRow[row] = runs.count;
      all[runs.count] = docsOfRows[row]!;
      runs.add(owners.length + row, owners.length + row + 1);
    }
  };
  for (let item = 0; item < owners.length; item++) {
    const doc = docs[owners[item]!]!;
    if (doc === NO_DOC) {
      runs.add(from, item);
      from = item + 1;
      continue;
    }
    addRowsBefore(item, doc);
    all[runs.count + item - from] = doc;
  }
  addRowsBefore(owners.length, NO_DOC);
  runs.add(from, owners.length);
  release(owners);
  return {
    base,
    runs,
    moved: runs.moved(),
    docOfRow,
    owners: all.subarray(0, runs.count),
  };
}
