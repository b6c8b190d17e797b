import assert from "node:assert/strict";
import { test } from "node:test";
import { syntheticCsv } from "../../src/registry-generator/registry-rows.ts";
import { DocsByName } from "../../src/search/by-name/docs-by-name.ts";
import { firstByName } from "../../src/search/by-name/first-by-name.ts";
import { BitSet } from "../../src/snapshot/bytes/bitset.ts";
import { FULL, SmallRegistry } from "../support/registry/small-registry.ts";

test("the first pages by name are those of all documents by name", async () => {
  using registry = new SmallRegistry();
  const csv = syntheticCsv({ providers: 5_000, specialties: "named" });
  await registry.importText(FULL, csv.toString());
  using snapshot = registry.snapshot();
  const { count, kinds, lastNames, name } = snapshot;
  const setOf = (isIn: (doc: number) => boolean): BitSet =>
    BitSet.of(count, Uint32Array.from([...name.keys()].filter(isIn)));
  const sets = {
    all: setOf(() => true),
    half: setOf((doc) => doc % 2 === 0),
    individuals: kinds.individuals,
    organizations: kinds.organizations,
    "late last names": setOf(
      (doc) =>
        name[doc]! > lastNames.count / 2 && name[doc]! <= lastNames.count,
    ),
  };
  const found: string[] = [];
  for (const [title, set] of Object.entries(sets)) {
    const sorted = allByName(new DocsByName(snapshot, set));
    for (const limit of [1, 9, 25])
      for (const page of [0, 1, 2]) {
        const offset = page * limit;
        const docs = new DocsByName(snapshot, set);
        const end = offset + limit;
        const first = firstByName(snapshot, set, docs.total, end);
        if (first !== null) found.push(title);
        assert.deepEqual(
          docs.page(offset, limit),
          sorted.slice(offset, end),
          `${title}, ${limit} from ${offset}`,
        );
      }
  }
  assert.deepEqual(
    Object.keys(sets).filter((title) => !found.includes(title)),
    ["late last names"],
  );
});

/** All documents, which are counted first. */
function allByName(docs: DocsByName): number[] {
  const reader = docs.reader();
  const target = new Uint32Array(100);
  const all: number[] = [];
  for (let read = reader.read(target); read > 0; read = reader.read(target))
    all.push(...target.subarray(0, read));
  assert.equal(all.length, docs.total);
  return all;
}
