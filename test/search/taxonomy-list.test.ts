import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { renameTaxonomies } from "../../src/importing/import-registry.ts";
import {
  parseTaxonomy,
  taxonomyTable,
} from "../../src/reference/taxonomy-table.ts";
import { releases, unpackRelease } from "../fixtures/make-release.ts";
import {
  FULL,
  person,
  SmallRegistry,
  withheld,
} from "../support/pure/registry/small-registry.ts";
import { taxonomyCodeColumn } from "../support/pure/registry/raw-row.ts";

const NAMES = taxonomyTable(
  new Map([
    ["207Q00000X", "Family Medicine Physician"],
    ["363LF0000X", "Family Nurse Practitioner"],
    ["163W00000X", "Registered Nurse"],
    ["103T00000X", "Psychologist"],
  ]),
);
const GROUPED = parseTaxonomy(
  Buffer.from(
    [
      "Code,Grouping,Classification,Specialization,Display Name",
      "207Q00000X,Physicians,Family Medicine,,Family Physician",
      "363LF0000X,Nursing Providers,Nurse Practitioner,Family,Family Nurse",
    ].join("\n"),
  ),
  "a test",
);

/** An active individual with these taxonomies. */
function having(number: number, ...codes: readonly string[]) {
  const slots = codes.map((code, index) => [
    taxonomyCodeColumn(index + 1),
    code,
  ]);
  return { ...person(number), ...Object.fromEntries(slots) };
}

async function imported(registry: SmallRegistry): Promise<void> {
  await registry.import(
    FULL,
    [
      having(1, "207Q00000X", "163W00000X"),
      having(2, "207Q00000X", "363LF0000X", "163w00000x", "163W00000X"),
      having(3, "363LF0000X", "363lf0000x"),
      having(4, "363LF0000X"),
      having(5, "363lf0000x", "207Q00000X"),
      having(6, "163W00000X"),
      having(7, "999X00000X"),
      having(8, "999X00000X"),
      having(9, "999X00000X"),
      having(10, "999X00000X"),
      having(11, "NOT A CODE"),
      { ...having(12, "999X00000X"), "Entity Type Code": "2" },
      { ...having(13, "888X00000X"), "NPI Deactivation Date": "01/02/2020" },
      withheld(14, "01/05/2024"),
    ],
    { taxonomy: { table: NAMES, source: "a test" } },
  );
}

suite("the list of taxonomies", () => {
  test("has NUCC's hierarchy if the table has it, and a new table's once it is loaded", async () => {
    using registry = new SmallRegistry();
    await imported(registry);
    const { store } = registry;
    await renameTaxonomies({
      store,
      taxonomy: { table: GROUPED, source: "another" },
      centroids: () => ({
        zips: new Uint32Array(0),
        lat: new Float64Array(0),
        lng: new Float64Array(0),
      }),
      now: Date.now,
    });
    using directory = registry.directory();
    const entries = directory.lookup.taxonomies.matching("");
    assert.deepEqual(
      entries.map(({ classification, code, grouping, specialization }) =>
        [code, grouping, classification, specialization].join(),
      ),
      [
        "999X00000X,,,",
        "363LF0000X,Nursing Providers,Nurse Practitioner,Family",
        "207Q00000X,Physicians,Family Medicine,",
        "163W00000X,,,",
        // The old table's 103T00000X is gone: no provider has it.
        "888X00000X,,,",
      ],
    );
    assert.equal(entries[2]?.description, "Family Physician");
    assert.deepEqual(entries[2]?.active_providers, {
      primary: { individuals: 2, organizations: 0 },
      any: { individuals: 3, organizations: 0 },
    });
  });

  test("of a snapshot with only primary taxonomies has no other counts", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, [having(1, "207Q00000X", "163W00000X")], {
      details: new Set(),
    });
    using directory = registry.directory();
    assert.deepEqual(
      directory.lookup.taxonomies
        .matching("")
        .map(({ active_providers: counts, code }) => [code, counts]),
      [
        [
          "207Q00000X",
          { primary: { individuals: 1, organizations: 0 }, any: null },
        ],
      ],
    );
  });

  for (const version of releases())
    test(`counts primary taxonomies of a snapshot that release ${version} made`, () => {
      using registry = new SmallRegistry();
      unpackRelease(version, registry.store.dataDir);
      using directory = registry.directory();
      const found = directory.lookup.taxonomies.matching("");
      assert.ok(found.length > 0);
      for (const { active_providers: counts, code: taxonomy } of found) {
        // The first release counted no taxonomies of other slots.
        assert.equal(counts.any === null, version === "1.0.0");
        const { total } = directory.found({
          taxonomy,
          entity_type: "individual",
          status: "active",
          limit: 1,
          page: 1,
        });
        assert.equal(counts.primary.individuals, total);
      }
    });
});
