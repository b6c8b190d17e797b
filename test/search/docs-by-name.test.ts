import assert from "node:assert/strict";
import { test } from "node:test";
import { syntheticCsv } from "../../src/registry-generator/registry-files.ts";
import { DocsByName } from "../../src/search/evaluate/docs-by-name.ts";
import { BitSet } from "../../src/snapshot/bytes/bitset.ts";
import { isDeactivated } from "../../src/snapshot/postings/kinds.ts";
import {
  FULL,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";

test("a page by name is the same wherever one starts, and in whatever order pages are read", async () => {
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
    "one of 40": setOf((doc) => doc % 40 === 0),
    "one of the commonest names": setOf((doc) => name[doc]! % 97 === 1),
    individuals: kinds.individuals,
    "all but individuals": setOf((doc) => !kinds.individuals.has(doc)),
    "most individuals, few organizations": setOf((doc) =>
      kinds.individuals.has(doc) ? doc % 7 > 0 : doc % 7 === 0,
    ),
    organizations: kinds.organizations,
    deactivated: setOf((doc) => isDeactivated(kinds.column[doc]!)),
    "without a name": setOf((doc) => name[doc] === 0),
    "late last names": setOf(
      (doc) =>
        name[doc]! > lastNames.count / 2 && name[doc]! <= lastNames.count,
    ),
    "first documents": setOf((doc) => doc < 700),
    "one document": setOf((doc) => doc === 4_321),
  };
  // test/snapshot/name-order.test.ts compares the stored order with the names.
  const order = snapshot.nameOrder ?? new Uint32Array(0);
  for (const [title, set] of Object.entries(sets)) {
    const sorted = Array.from(order.filter((doc) => set.has(doc)));
    const { length } = sorted;
    for (const limit of [1, 25, 1_000]) {
      const shared = new DocsByName(snapshot, set);
      for (const from of [0, 0.5, 0.02, 0.99, 0.25, 0.8, 1]) {
        const offset = Math.min(length - 1, Math.floor(length * from));
        const expected = sorted.slice(offset, offset + limit);
        const page = `${title}, ${limit} from ${offset}`;
        const own = new DocsByName(snapshot, set);
        assert.deepEqual(own.page(offset, limit), expected, page);
        const listed = new DocsByName(snapshot, set.toArray());
        assert.deepEqual(listed.page(offset, limit), expected, page);
        assert.deepEqual(shared.page(offset, limit), expected, page);
      }
      assert.deepEqual(shared.page(length, limit), []);
    }
    assert.deepEqual(allByName(new DocsByName(snapshot, set)), sorted, title);
  }
});

function allByName(docs: DocsByName): number[] {
  const reader = docs.reader();
  const target = new Uint32Array(100);
  const all: number[] = [];
  for (let read = reader.read(target); read > 0; read = reader.read(target))
    all.push(...target.subarray(0, read));
  assert.equal(all.length, docs.total);
  return all;
}
