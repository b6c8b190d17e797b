import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { DocRuns } from "../../src/snapshot/build/layout.ts";

const MAX_DOCS = 200;

/** What a week does at each of the base's documents: how many rows come before it, and whether it stays. */
const week = fc.array(
  fc.record({
    rows: fc.nat({ max: 2 }),
    stays: fc.boolean(),
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
  it("have the values of their sources, in order", () => {
    fc.assert(
      fc.property(fc.oneof(week, quietWeek), (docs) => {
        const { runs, sources } = merged(docs);
        const copied = new Uint32Array(sources.length);
        const all = Uint32Array.from({ length: 3 * MAX_DOCS }, (_, at) => at);
        const rows = all.subarray(docs.length);
        runs.copy(copied, all.subarray(0, docs.length), rows);
        assert.equal(runs.count, sources.length);
        assert.deepEqual([...copied], sources);
      }),
    );
  });
});

/** The merged documents as runs, and the source of each. */
function merged(docs: readonly { rows: number; stays: boolean }[]): {
  runs: DocRuns;
  sources: number[];
} {
  const sources: number[] = [];
  let row = docs.length;
  docs.forEach(({ rows, stays }, doc) => {
    for (let left = rows; left > 0; left--) sources.push(row++);
    if (stays) sources.push(doc);
  });
  return {
    runs: new DocRuns(docs.length, Uint32Array.from(sources)),
    sources,
  };
}
