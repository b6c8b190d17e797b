import assert from "node:assert/strict";
import { test } from "node:test";
import { kindMask } from "../../src/snapshot/postings/kinds.ts";
import { countOfKinds } from "../../src/snapshot/postings/taxonomy-counts.ts";
import { rawRow } from "../support/pure/registry/raw-row.ts";
import {
  FULL,
  npiOf,
  SmallRegistry,
  withheld,
} from "../support/pure/registry/small-registry.ts";

const CODES = ["101Y00000X", "207Q00000X", "363L00000X"];
/** Entity type, deactivated or not, and how many providers of the first code; each next code has one more. */
const GROUPS = [
  { entityType: "1", deactivationDate: "", providers: 20 },
  { entityType: "2", deactivationDate: "", providers: 5 },
  { entityType: "1", deactivationDate: "03/04/2024", providers: 2 },
  { entityType: "2", deactivationDate: "03/04/2024", providers: 3 },
];

test("documents with some taxonomies are counted by kind", async () => {
  using registry = new SmallRegistry();
  const values = GROUPS.flatMap(({ providers, ...own }) =>
    CODES.flatMap((code, at) =>
      Array.from({ length: providers + at }, () => ({ ...own, code })),
    ),
  );
  const rows = values.map(({ code, ...own }, number) =>
    rawRow({ npi: npiOf(number), last: "EXAMPLE", ...own }, [
      { code, primary: "Y" },
    ]),
  );
  await registry.import(FULL, [...rows, withheld(rows.length, "03/04/2024")]);
  using snapshot = registry.snapshot();
  const { kinds, taxonomy, taxonomyCounts } = snapshot;
  assert.ok(taxonomyCounts !== null);
  for (const taxonomies of [[1], [2, 3], [1, 2, 3]])
    for (const entityType of [undefined, "individual", "organization"] as const)
      for (const status of [undefined, "active", "deactivated"] as const) {
        const having = [...taxonomy.keys()].filter((doc) =>
          taxonomies.includes(taxonomy[doc]!),
        );
        const countOf = (mask: number) =>
          having.filter((doc) => ((mask >>> kinds.column[doc]!) & 1) === 1)
            .length;
        const mask = kindMask(entityType, status);
        const both =
          status === "active" ? 0 : kindMask(undefined, "deactivated");
        assert.equal(
          countOfKinds(
            taxonomyCounts,
            Uint32Array.from(taxonomies),
            having.length,
            mask,
          ),
          countOf(mask | both),
        );
      }
});
