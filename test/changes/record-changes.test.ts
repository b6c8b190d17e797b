import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { suite, test } from "node:test";
import { differingNpis } from "../../src/snapshot/records/differing-npis.ts";
import { DiskSnapshot } from "../../src/snapshot/base-snapshot.ts";
import { recordChanges } from "../../src/changes/record-changes.ts";
import { taxonomyTable } from "../../src/reference/taxonomy-table.ts";
import { importRegistryFile } from "../../src/importing/import-registry.ts";
import {
  bruteChanges,
  sortedFields,
} from "../support/pure/reference/brute-changes.ts";
import { rounds } from "../support/pure/full-run.ts";
import { ChangingRegistry } from "../support/pure/registry/changing-registry.ts";
import { writeReport } from "../support/pure/registry/deactivation-report.ts";
import {
  FULL,
  npiOf,
  person,
  withheld,
} from "../support/pure/registry/small-registry.ts";
import { writeRegistryFile } from "../support/pure/registry/synthetic-file.ts";

const WEEK_1 = "npidata_pfile_20261109-20261115.csv";
const WEEK_2 = "npidata_pfile_20261116-20261122.csv";
const NEXT_FULL = "npidata_pfile_20050523-20261213.csv";
const REAL = new URL("../../../shared/data/registry/", import.meta.url);
const REAL_WEEKS = ["010124_010724", "010824_011424", "011524_012124"].map(
  (days) =>
    fileURLToPath(new URL(`NPPES_Data_Dissemination_${days}_Weekly.zip`, REAL)),
);

/** Enough other providers that a full file may lack one. */
const OTHERS = Array.from({ length: 30 }, (_, index) => person(100 + index));

suite("what an import changed", () => {
  test("is each NPI that a week adds, changes, deactivates or reactivates, with old and new values, by NPI", async () => {
    using data = new ChangingRegistry();
    await data.import(FULL, "2026-11-10", [
      person(1),
      person(2),
      person(3),
      person(4, { deactivationDate: "01/02/2020" }),
      person(6),
    ]);
    await data.import(WEEK_1, "2026-11-17", [
      person(6),
      withheld(3, "11/11/2026"),
      person(5),
      person(4, {
        deactivationDate: "01/02/2020",
        reactivationDate: "11/12/2026",
      }),
      person(2, {
        last: "OTHER",
        address2: "STE 7",
        lastUpdated: "11/10/2026",
      }),
    ]);
    assert.deepEqual(data.lastChanges(), [
      {
        npi: npiOf(2),
        kind: "changed",
        fields: {
          "name.last": ["EXAMPLE", "OTHER"],
          last_updated: ["2024-01-02", "2026-11-10"],
          "practice_address.address_2": [null, "STE 7"],
        },
      },
      {
        npi: npiOf(3),
        kind: "deactivated",
        fields: {
          status: ["active", "deactivated"],
          deactivation_date: [null, "2026-11-11"],
        },
      },
      {
        npi: npiOf(4),
        kind: "reactivated",
        fields: {
          status: ["deactivated", "active"],
          deactivation_date: ["2020-01-02", null],
        },
      },
      { npi: npiOf(5), kind: "added", fields: {} },
    ]);
    assert.deepEqual(data.sets().at(-1)?.counts, {
      added: 1,
      changed: 1,
      deactivated: 1,
      reactivated: 1,
      removed: 0,
    });
  });

  test("lists an NPI that a full file lacks as removed", async () => {
    using data = new ChangingRegistry();
    await data.import(FULL, "2026-11-10", [person(1), ...OTHERS]);
    await data.import(NEXT_FULL, "2026-12-15", [person(2), ...OTHERS]);
    assert.deepEqual(data.lastChanges(), [
      { npi: npiOf(1), kind: "removed", fields: {} },
      { npi: npiOf(2), kind: "added", fields: {} },
    ]);
  });

  test("lists the details that are removed if those of deactivated providers are withheld", async () => {
    using data = new ChangingRegistry();
    const withhold = { deactivatedDetails: "withhold" } as const;
    await data.import(FULL, "2026-11-10", [person(1), person(2)]);
    await data.import(WEEK_1, "2026-11-17", [withheld(1, "11/11/2026")]);
    await data.import(
      WEEK_2,
      "2026-11-24",
      [withheld(2, "11/18/2026")],
      withhold,
    );
    const [kept, gone] = data.lastChanges();
    assert.deepEqual(
      [kept?.npi, kept?.kind, gone?.npi, gone?.kind],
      [npiOf(1), "changed", npiOf(2), "deactivated"],
    );
    for (const change of [kept, gone]) {
      assert.deepEqual(change?.fields["name.last"], ["EXAMPLE", null]);
      assert.deepEqual(change?.fields["practice_address.city"], [
        "CHICAGO",
        null,
      ]);
      assert.deepEqual(change?.fields["primary_taxonomy.code"], [
        "207Q00000X",
        null,
      ]);
      assert.equal(change?.fields["primary_taxonomy.description"], undefined);
    }
  });

  test("has the imported file's end date, even for an older week that is merged later", async () => {
    using data = new ChangingRegistry();
    await data.import(FULL, "2026-11-10", [person(1), person(2)]);
    await data.import(WEEK_2, "2026-11-24", [person(1, { last: "NEWER" })]);
    await data.import(WEEK_1, "2026-11-25", [person(2, { last: "LATE" })]);
    const day = { name: "NPPES_Deactivated_NPI_Report_120126.zip" };
    const report = await writeReport(
      data.registry.folder,
      [[npiOf(2), "11/30/2026"]],
      day.name,
    );
    await data.registry.importPath(report, data.recording("2026-12-02"));
    assert.deepEqual(
      data.sets().map(({ dataDate, file }) => [file, dataDate]),
      [
        [FULL, "2026-11-08"],
        [WEEK_2, "2026-11-22"],
        [WEEK_1, "2026-11-15"],
        ["report.xlsx", "2026-12-01"],
      ],
    );
  });

  test("is nothing if only taxonomy names changed", async () => {
    using data = new ChangingRegistry();
    await data.import(FULL, "2026-11-10", [person(1)]);
    await data.import(FULL, "2026-11-11", [person(1)], {
      force: true,
      taxonomy: {
        table: taxonomyTable(new Map([["207Q00000X", "Another Name"]])),
        source: "another test",
      },
    });
    assert.deepEqual(data.lastChanges(), []);
    assert.equal(data.sets().at(-1)?.isListed, true);
  });

  test("starts with the first import, and again when demo data come or go", async () => {
    using data = new ChangingRegistry();
    const first = await data.import(FULL, "2026-11-10", [person(1)]);
    assert.deepEqual(
      data.sets().map(({ base, isListed }) => [base, isListed]),
      [[null, false]],
    );
    assert.equal(data.reader.lineage(first).origin, first);
    await data.import(FULL, "2026-11-11", [person(2)], {
      demo: true,
      force: true,
    });
    assert.deepEqual(data.sets().length, 1);
    const real = await data.import(FULL, "2026-11-12", [person(3)]);
    assert.equal(data.reader.lineage(real).origin, real);
    assert.deepEqual(data.lastChanges(), []);
  });

  test("is counted but not listed if it exceeds the limit: the list starts again", async () => {
    using data = new ChangingRegistry();
    data.maxChangesPerSet = 2;
    await data.import(FULL, "2026-11-10", [person(1), person(2)]);
    const week = await data.import(WEEK_1, "2026-11-17", [
      withheld(1, "11/11/2026"),
      person(3),
      person(4),
    ]);
    const { origin, sets } = data.reader.lineage(week);
    assert.equal(origin, week);
    assert.deepEqual(
      sets.map(({ counts, isListed }) => [
        isListed,
        counts.added,
        counts.deactivated,
      ]),
      [[false, 2, 1]],
    );
    assert.deepEqual(data.lastChanges(), []);
  });

  test("stops the import if it cannot be recorded", async () => {
    using data = new ChangingRegistry();
    const held = await data.import(FULL, "2026-11-10", [person(1)]);
    await assert.rejects(
      data.import(WEEK_1, "2026-11-17", [person(2)], {
        onBuilt: () => {
          throw new Error("no room");
        },
      }),
      /no room/,
    );
    assert.equal(data.store.currentId(), held);
    assert.deepEqual(data.store.builds.list(), []);
  });
});

suite("the changes equal a comparison of all records", () => {
  test("of generated weeks and full files", async () => {
    using data = new ChangingRegistry();
    data.maxChangesPerSet = 100_000;
    const providers = 4_000;
    const contents = [
      { providers },
      {
        providers,
        week: { from: "2026-11-10", to: "2026-11-16", changes: 400 },
      },
      {
        providers,
        week: { from: "2026-11-17", to: "2026-11-23", changes: 600 },
      },
      // Undoes the changes of the weeks.
      { providers, asOf: "2026-12-07" },
      { providers, asOf: "2026-12-14", seed: 2 },
    ];
    const paths = contents.map((each) =>
      writeRegistryFile(data.registry.folder, each),
    );
    await importAndCompare(data, paths, "keep", { least: 300 });
  });

  const choices = ["withhold", "keep"] as const;
  for (const details of choices.slice(0, rounds(2, 0))) {
    test(`of the registry's own weeks, with details to ${details}`, async (t) => {
      if (!REAL_WEEKS.every((path) => existsSync(path)))
        return t.skip("the registry's weeks are not there (../shared)");
      using data = new ChangingRegistry();
      data.maxChangesPerSet = 100_000;
      await importAndCompare(data, REAL_WEEKS, details, { least: 20_000 });
      const kinds = data.sets().map(({ counts }) => counts);
      assert.ok(kinds.every((counts) => counts.removed === 0));
      assert.ok(kinds.slice(1).every(({ deactivated }) => deactivated > 0));
      assert.ok(kinds.slice(1).every(({ reactivated }) => reactivated > 0));
    });
  }
});

async function importAndCompare(
  data: ChangingRegistry,
  paths: readonly string[],
  deactivatedDetails: "keep" | "withhold",
  { least }: { least: number },
): Promise<void> {
  let before: string | null = null;
  for (const [index, path] of paths.entries()) {
    const now = () => Date.UTC(2026, 11, 1 + index);
    const { store } = data;
    const outcome = await importRegistryFile({
      path,
      store,
      taxonomy: { table: taxonomyTable(new Map()), source: "a test" },
      centroids: () => ({
        zips: new Uint32Array(0),
        lat: new Float64Array(0),
        lng: new Float64Array(0),
      }),
      deactivatedDetails,
      details: new Set(),
      force: false,
      demo: false,
      now,
      onBuilt: (built) =>
        void recordChanges(built, { store, now, keepDays: 400 }),
    });
    assert.equal(outcome.status, "imported");
    const after: string = store.currentId() ?? "";
    if (before !== null) {
      const expected = bruteChanges(store, before, after);
      const found = data.lastChanges();
      assert.ok(found.length >= least, `${found.length} changes`);
      assert.deepEqual(found.map(sortedFields), expected);
      assert.deepEqual(
        walkedNpis(store.pathOf(before), store.pathOf(after)),
        expected.map(({ npi }) => npi),
      );
    }
    before = after;
  }
}

/** The NPIs whose records differ, by comparing both snapshots record by record, as after a full file. */
function walkedNpis(before: string, after: string): string[] {
  using old = new DiskSnapshot(before);
  using now = new DiskSnapshot(after);
  return Array.from(differingNpis(old, now).sort(), String);
}
