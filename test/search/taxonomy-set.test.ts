import assert from "node:assert/strict";
import { test } from "node:test";
import { Workspace } from "../../src/search/evaluate/workspace.ts";
import {
  taxonomySet,
  taxonomySetCost,
  worthwhileTaxonomySet,
} from "../../src/search/evaluate/taxonomy-set.ts";
import { rawRow } from "../support/registry/raw-row.ts";
import {
  FULL,
  npiOf,
  people,
  SmallRegistry,
  withheld,
} from "../support/registry/small-registry.ts";

const CODES = ["101Y00000X", "207Q00000X", "363L00000X", "999Z00000X"];
/** How many providers have each, and one more for none. */
const PROVIDERS = [40, 25, 7, 1, 60];

test("the set of some taxonomies has their documents, whether it is made from their lists or from those of other taxonomies", async () => {
  using registry = new SmallRegistry();
  const rows = PROVIDERS.flatMap((count, at) =>
    Array.from({ length: count }, () => CODES[at]),
  ).map((code, number) =>
    code === undefined
      ? withheld(number, "01/02/2024")
      : rawRow({ npi: npiOf(number), entityType: "1", last: "EXAMPLE" }, [
          { code, primary: "Y" },
        ]),
  );
  await registry.import(FULL, rows);
  using snapshot = registry.snapshot();
  const { taxonomies, taxonomy } = snapshot;
  assert.equal(taxonomies.count, CODES.length);
  for (let chosen = 0; chosen < 2 ** CODES.length; chosen++) {
    const numbers = Uint32Array.from(
      [...CODES.keys()]
        .filter((at) => ((chosen >>> at) & 1) === 1)
        .map((at) => at + 1),
    );
    const workspace = new Workspace(snapshot);
    const set = taxonomySet(snapshot, numbers, workspace);
    assert.deepEqual(
      set.toArray(),
      Uint32Array.from(
        [...taxonomy.keys()].filter((doc) => numbers.includes(taxonomy[doc]!)),
      ),
    );
  }
});

test("the set of some taxonomies is made once searches have spent more without it", async () => {
  using registry = new SmallRegistry();
  await registry.import(FULL, people(100));
  using snapshot = registry.snapshot();
  const workspace = new Workspace(snapshot);
  const numbers = Uint32Array.of(1);
  const ask = (cost: number) =>
    worthwhileTaxonomySet(snapshot, numbers, cost, workspace);
  // All have the same taxonomy.
  assert.equal(taxonomySetCost(snapshot, numbers), 0);
  assert.equal(ask(0), null);
  assert.notEqual(ask(1), null);
  assert.notEqual(ask(0), null);
});
