import assert from "node:assert/strict";
import { test } from "node:test";
import { Workspace } from "../../src/search/evaluate/workspace.ts";
import { PrimaryTaxonomies } from "../../src/search/filters/taxonomy-filters.ts";
import { rawRow } from "../support/pure/registry/raw-row.ts";
import {
  FULL,
  npiOf,
  SmallRegistry,
  withheld,
} from "../support/pure/registry/small-registry.ts";

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
    const set = new PrimaryTaxonomies(snapshot, workspace, numbers).matching();
    assert.deepEqual(
      set.toArray(),
      Uint32Array.from(
        [...taxonomy.keys()].filter((doc) => numbers.includes(taxonomy[doc]!)),
      ),
    );
  }
});
