import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ChangeReader } from "../../src/changes/change-reader.ts";
import { recordChanges } from "../../src/changes/record-changes.ts";
import { DETAIL_PARTS } from "../../src/contract/detail-parts.ts";
import {
  FORMAT_VERSION,
  PROVIDERS_FILE,
} from "../../src/snapshot/container/section-file.ts";
import { extendedPath } from "../../src/snapshot/container/shared-file.ts";
import {
  filesIn,
  fixtureOf,
  makeInstallation,
  unpackInstallation,
} from "../fixtures/make-installation.ts";
import {
  npiOf,
  person,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";

const PAGE = { limit: 25, page: 1 };
const now = () => Date.UTC(2026, 11, 22);
const WEEK = "npidata_pfile_20261214-20261220.csv";

/** A registry whose data folder is the fixture of a version. */
function installed(version: number): SmallRegistry {
  const registry = new SmallRegistry();
  unpackInstallation(fixtureOf(version), registry.store.dataDir);
  return registry;
}

/** The versions of the format that there are fixtures of. */
const versions = readdirSync(join(import.meta.dirname, "../fixtures"))
  .flatMap((name) => /^installation-v(\d+)$/.exec(name)?.[1] ?? [])
  .map(Number);

for (const version of versions)
  describe(`the fixture of format ${version}`, () => {
    it("opens, verifies, and answers lookups, searches and details", () => {
      using registry = installed(version);
      const snapshot = registry.snapshot();
      assert.equal(snapshot.sections.header.version, version);
      assert.deepEqual(registry.faults(), []);
      using directory = registry.directory();
      assert.equal(
        directory.source,
        "NPPES (CMS), full file 2026-11-08, weekly updates to 2026-11-15",
      );
      assert.deepEqual(
        [1, 4, 5, 6].map((number) => {
          const record = directory.recordOf(npiOf(number));
          return [
            record?.status,
            record?.deactivation_date,
            record?.name?.last,
          ];
        }),
        [
          ["deactivated", "2026-12-01", "EXAMPLE"],
          ["active", null, "CHANGED"],
          ["active", null, "EXAMPLE"],
          ["deactivated", "2026-11-11", undefined],
        ],
      );
      const npisOf = (query: object): string[] =>
        directory.found({ ...PAGE, ...query }).entries.map(({ npi }) => npi);
      assert.deepEqual(npisOf({ last_name: "chan" }), [npiOf(4)]);
      const other = { name: "invented practice" };
      assert.deepEqual(npisOf({ ...other, name_scope: "any" }), [npiOf(4)]);
      assert.deepEqual(npisOf(other), []);
      const record = directory.lookup.find(npiOf(4), DETAIL_PARTS);
      assert.ok(record !== null);
      const json = directory.lookup.rendering.renderRecord(record, {});
      assert.match(
        json,
        /"INVENTED PRACTICE".*"7 FURTHER ST".*"PO BOX 4".*"INV-4".*"MEDICAID".*"https:\/\/fhir\.example\/4"/,
      );
    });

    it("lists its changes", () => {
      using registry = installed(version);
      const { store } = registry;
      using reader = new ChangeReader(store.dataDir);
      const { sets } = reader.lineage(store.currentId() ?? "");
      assert.deepEqual(
        sets.map(({ counts, dataDate }) => [dataDate, counts.deactivated]),
        [
          ["2026-11-08", 0],
          ["2026-11-15", 0],
          ["2026-12-14", 1],
        ],
      );
    });

    it("is the base of the next week", async () => {
      using registry = installed(version);
      const { store } = registry;
      const { status } = await registry.import(WEEK, [person(9), person(4)], {
        now,
        onBuilt: (built) =>
          void recordChanges(built, { store, now, keepDays: 400 }),
      });
      assert.equal(status, "imported");
      using reader = new ChangeReader(store.dataDir);
      const { sets } = reader.lineage(store.currentId() ?? "");
      assert.deepEqual(sets.at(-1)?.counts, {
        added: 1,
        changed: 1,
        deactivated: 0,
        reactivated: 0,
        removed: 0,
      });
      using next = registry.snapshot();
      assert.equal(next.sections.header.version, FORMAT_VERSION);
      assert.deepEqual(registry.faults(), []);
      assert.ok(existsSync(extendedPath(store.pathOf(next.metadata.id))));
      using directory = registry.directory();
      assert.equal(directory.recordOf(npiOf(4))?.name?.last, "EXAMPLE");
      assert.equal(directory.recordOf(npiOf(1))?.status, "deactivated");
      assert.equal(store.ids().length, 2);
    });
  });

describe("the fixture of today's format", () => {
  it("is there, and so is that of each older format that is read", () => {
    const { oldest, version } = PROVIDERS_FILE;
    const known = Array.from(
      { length: version - oldest + 1 },
      (_, at) => oldest + at,
    );
    assert.deepEqual(
      versions.toSorted((a, b) => a - b),
      known,
    );
  });

  it("has the files that an import makes today; a new format version needs a new fixture", async () => {
    using kept = installed(FORMAT_VERSION);
    using made = new SmallRegistry();
    await makeInstallation(made.store.dataDir);
    assert.deepEqual(
      filesIn(kept.store.dataDir),
      filesIn(made.store.dataDir).filter((path) => !path.endsWith(".lock")),
    );
    assert.deepEqual(
      kept.snapshot().sections.entries.map(({ name }) => name),
      made.snapshot().sections.entries.map(({ name }) => name),
    );
  });
});
