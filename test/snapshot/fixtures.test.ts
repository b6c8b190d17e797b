import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ChangeReader } from "../../src/changes/change-reader.ts";
import { recordChanges } from "../../src/changes/record-changes.ts";
import { DETAIL_PARTS } from "../../src/contract/detail-parts.ts";
import {
  FORMAT_VERSION,
  SnapshotFormatError,
} from "../../src/snapshot/container/section-file.ts";
import { verifyDetails } from "../../src/snapshot/verify/verify-details.ts";
import { verifySnapshot } from "../../src/snapshot/verify/verify.ts";
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
} from "../support/registry/small-registry.ts";

const PAGE = { limit: 25, page: 1 };
const now = () => Date.UTC(2026, 11, 22);
const WEEK = "npidata_pfile_20261214-20261220.csv";

/** A registry whose data folder is the fixture of a version. */
function installed(version: number): SmallRegistry {
  const registry = new SmallRegistry();
  unpackInstallation(fixtureOf(version), registry.store.dataDir);
  return registry;
}

/** The names of the sections of its snapshot. */
function sectionsOf(registry: SmallRegistry): string[] {
  return registry
    .snapshot()
    .sections.entries.map(({ name }) => name)
    .sort();
}

describe("the fixture of today's formats", () => {
  it("opens, verifies, and answers lookups, searches and details", () => {
    using registry = installed(FORMAT_VERSION);
    const snapshot = registry.snapshot();
    assert.deepEqual(verifySnapshot(snapshot), []);
    assert.deepEqual(verifyDetails(snapshot, registry.detailsPath()), []);
    using directory = registry.directory();
    assert.equal(
      directory.source,
      "NPPES (CMS), full file 2026-11-08, weekly updates to 2026-11-15",
    );
    assert.deepEqual(
      [1, 4, 5, 6].map((number) => {
        const record = directory.recordOf(npiOf(number));
        return [record?.status, record?.deactivation_date, record?.name?.last];
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
    using registry = installed(FORMAT_VERSION);
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
    using registry = installed(FORMAT_VERSION);
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
    assert.deepEqual(verifySnapshot(registry.snapshot()), []);
    using directory = registry.directory();
    assert.equal(directory.recordOf(npiOf(4))?.name?.last, "EXAMPLE");
    assert.equal(directory.recordOf(npiOf(1))?.status, "deactivated");
    assert.equal(store.ids().length, 2);
  });

  it("has the files that an import makes today; a new format version needs a new fixture", async () => {
    using kept = installed(FORMAT_VERSION);
    using made = new SmallRegistry();
    await makeInstallation(made.store.dataDir);
    assert.deepEqual(
      filesIn(kept.store.dataDir),
      filesIn(made.store.dataDir).filter((path) => !path.endsWith(".lock")),
    );
    assert.deepEqual(sectionsOf(kept), sectionsOf(made));
  });
});

describe("the fixtures of older formats", () => {
  const fixtures = join(import.meta.dirname, "../fixtures");
  const versions = readdirSync(fixtures)
    .flatMap((name) => /^installation-v(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number);

  it("have no future version", () => {
    assert.ok(existsSync(fixtureOf(FORMAT_VERSION)));
    assert.equal(Math.max(...versions), FORMAT_VERSION);
  });

  for (const version of versions.filter((each) => each < FORMAT_VERSION))
    it(`are refused with a sentence: ${version}`, () => {
      using registry = installed(version);
      assert.throws(() => registry.snapshot(), SnapshotFormatError);
    });
});
