import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { DocRuns } from "../../src/snapshot/postings/doc-runs.ts";
import {
  mergePostings,
  NO_DOC,
} from "../../src/snapshot/postings/merge-postings.ts";
import { groupItems } from "../../src/snapshot/postings/postings.ts";

const MAX_DOCS = 200;
/** Names of the base; the rows have names in between, too. */
const NAMES = 5;

/** What a week does at each of the base's documents: how many rows come before it, and whether it stays. */
const week = fc.array(
  fc.record({
    rows: fc.nat({ max: 2 }),
    stays: fc.boolean(),
    name: fc.integer({ min: 1, max: NAMES }),
  }),
  { maxLength: MAX_DOCS },
);
/** Weeks that leave most documents as they are, so that they stay in order. */
const quietWeek = week.map((docs) =>
  docs.map((doc, at) =>
    at % 50 === 7 ? doc : { ...doc, rows: 0, stays: true },
  ),
);

describe("a base's documents with a week's rows in between", () => {
  it("have the numbers that all documents have in order", () => {
    fc.assert(
      fc.property(fc.oneof(week, quietWeek), (docs) => {
        const { runs, sources } = merged(docs);
        const now = runs.moved();
        assert.equal(runs.count, sources.length);
        assert.deepEqual(
          docs.map((_, doc) => now.now(doc)),
          docs.map((_, doc) => numberOf(sources.indexOf(doc))),
        );
        for (const first of [0, sources.length >>> 1, sources.length])
          assert.deepEqual([...runs.sourcesFrom(first)], sources.slice(first));
      }),
    );
  });

  it("have the lists that all documents have", () => {
    fc.assert(
      fc.property(fc.oneof(week, quietWeek), (docs) => {
        const { runs, sources } = merged(docs);
        const namesBefore = docs.map(({ name }) => name * 2);
        const rowCount = docs.reduce((sum, { rows }) => sum + rows, 0);
        const namesOfRows = Array.from(
          { length: rowCount },
          (_, row) => 1 + (row % (2 * NAMES)),
        );
        const sourceNames = [...namesBefore, ...namesOfRows];
        const lists = mergePostings(
          groupItems(
            Uint32Array.from(docs, ({ name }) => name),
            NAMES,
          ),
          Uint32Array.from({ length: NAMES + 1 }, (_, number) => number * 2),
          group(namesOfRows),
          runs.moved(),
          Uint32Array.from(namesOfRows, (_, row) =>
            sources.indexOf(docs.length + row),
          ),
        );
        assert.deepEqual(
          lists,
          group(sources.map((source) => sourceNames[source]!)),
        );
      }),
    );
  });
});

/** The merged documents as runs, and the source of each. */
function merged(docs: readonly { rows: number; stays: boolean }[]): {
  runs: DocRuns;
  sources: number[];
} {
  const runs = new DocRuns(docs.length);
  const sources: number[] = [];
  let row = docs.length;
  let from = 0;
  docs.forEach(({ rows, stays }, doc) => {
    if (rows > 0 || !stays) runs.add(from, doc);
    if (rows > 0 || !stays) from = doc;
    runs.add(row, row + rows);
    for (let left = rows; left > 0; left--) sources.push(row++);
    if (stays) sources.push(doc);
    else from = doc + 1;
  });
  runs.add(from, docs.length);
  return { runs, sources };
}

function numberOf(index: number): number {
  return index < 0 ? NO_DOC : index;
}

function group(names: readonly number[]): ReturnType<typeof groupItems> {
  return groupItems(Uint32Array.from(names), 2 * NAMES);
}
