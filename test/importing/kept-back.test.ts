import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { describe, it } from "node:test";
import { taxonomyTable } from "../../src/reference/taxonomy-table.ts";
import { renameTaxonomies } from "../../src/importing/import-registry.ts";
import { verifySnapshot } from "../../src/snapshot/verify/verify.ts";
import {
  FULL,
  npiOf,
  people,
  person,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";

const WEEK_1 = "npidata_pfile_20261109-20261115.csv";
const NEWER_FULL = "npidata_pfile_20050523-20261112.csv";
const WEEK_2 = "npidata_pfile_20261116-20261122.csv";

const now = (): number => Date.UTC(2026, 10, 21);

describe("a full file that is kept back", () => {
  it("becomes current together with the week after it", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(50));
    await registry.import(WEEK_1, [person(60)]);
    const served = registry.store.currentId();
    const full = await registry.import(NEWER_FULL, people(55), {
      keepBack: true,
    });
    assert.ok(full.status === "imported");
    assert.equal(registry.store.currentId(), served);
    assert.ok(!registry.store.ids().includes(full.id));

    const week = await registry.import(WEEK_2, [person(70)], {
      onto: full.id,
    });
    assert.ok(week.status === "imported");
    assert.equal(registry.store.currentId(), week.id);
    assert.deepEqual(registry.faults(), []);
    assert.equal(
      registry.directory().source,
      "NPPES (CMS), full file 2026-11-12, weekly updates to 2026-11-22",
    );
    assert.equal(registry.snapshot().count, 56);
    assert.equal(registry.store.previousId(), served);
    assert.deepEqual(registry.store.builds.list(), []);
    assert.deepEqual(
      readdirSync(dirname(registry.store.reportPathOf(week.id))).sort(),
      [
        `import-report.${full.id}.json`,
        "import-report.json",
        "providers.details",
        `providers.details-${full.id}`,
        `providers.details-${week.id}`,
        "providers.extended",
        "providers.snapshot",
      ],
    );
  });

  it("is removed by an import that does not build on it", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(50));
    const full = await registry.import(NEWER_FULL, people(55), {
      keepBack: true,
    });
    assert.ok(full.status === "imported");
    await registry.import(WEEK_1, [person(60)]);
    assert.equal(registry.snapshot().count, 51);
    assert.deepEqual(registry.store.builds.list(), []);
    assert.equal(existsSync(registry.store.builds.dirOf(full.id)), false);
  });

  it("does not share its id with the week after it, whatever the clock says", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(50), { now });
    const full = await registry.import(NEWER_FULL, people(55), {
      keepBack: true,
      now,
    });
    assert.ok(full.status === "imported");
    const week = await registry.import(WEEK_2, [person(70)], {
      onto: full.id,
      now,
    });
    assert.ok(week.status === "imported");
    assert.ok(week.id > full.id);
  });
});

describe("new names of taxonomies", () => {
  it("take effect without a provider file", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(5));
    await registry.import(WEEK_1, [person(6)]);
    const before = registry.store.currentId();
    const files = registry.snapshot().metadata.files;
    const id = await renameTaxonomies({
      store: registry.store,
      taxonomy: {
        table: taxonomyTable(new Map([["207Q00000X", "Family Doctor"]])),
        source: "another test",
      },
      centroids: () => ({
        zips: Uint32Array.of(60_601),
        lat: Float64Array.of(41.88),
        lng: Float64Array.of(-87.62),
      }),
      now: Date.now,
    });
    assert.equal(registry.store.currentId(), id);
    assert.equal(registry.store.previousId(), before);
    const snapshot = registry.snapshot();
    assert.deepEqual(verifySnapshot(snapshot), []);
    assert.equal(snapshot.count, 6);
    assert.deepEqual(snapshot.metadata.files, files);
    assert.equal(snapshot.metadata.taxonomySource, "another test");
    const provider = registry.directory().recordOf(npiOf(6));
    assert.equal(provider?.primary_taxonomy?.description, "Family Doctor");
  });
});
