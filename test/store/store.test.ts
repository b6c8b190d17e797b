import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ImportLock } from "../../src/importing/import-lock.ts";
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import { verifySnapshot } from "../../src/snapshot/verify/verify.ts";
import {
  people,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";

describe("the snapshot store", () => {
  it("lists snapshots newest first, and knows the current one", async () => {
    using registry = new SmallRegistry();
    await importWeeks(registry, 3);
    const list = registry.store.list();
    assert.deepEqual(
      list.map(({ isCurrent, metadata }) => [
        isCurrent,
        metadata?.counts.providers,
      ]),
      [
        [true, 3],
        [false, 2],
        [false, 1],
      ],
    );
    assert.ok(list.every(({ fileBytes }) => fileBytes > 0));
  });

  it("rolls back step by step until no snapshot is left", async () => {
    using registry = new SmallRegistry();
    await importWeeks(registry, 3);
    for (const providers of [2, 1]) {
      registry.store.makeCurrent(
        registry.store.previousId() ?? "none",
        Date.now(),
      );
      assert.equal(
        registry.directory().found({ limit: 1, page: 1 }).total,
        providers,
      );
    }
    assert.equal(registry.store.previousId(), null);
  });

  it("does not roll back to a snapshot that was rolled back", async () => {
    using registry = new SmallRegistry();
    await importWeeks(registry, 2);
    const [bad, good] = registry.store.ids();
    registry.store.makeCurrent(good!, Date.now());
    await registry.import("npidata_pfile_20260201-20260207.csv", people(5));
    assert.equal(registry.store.previousId(), good);
    assert.ok(registry.store.ids().includes(bad!));
  });

  it("reports a damaged byte in a snapshot's metadata", async () => {
    using registry = new SmallRegistry();
    await importWeeks(registry, 1);
    const path = registry.store.pathOf(registry.store.ids()[0]!);
    const bytes = readFileSync(path);
    const metadata = registry
      .snapshot()
      .sections.entries.find(({ name }) => name === "metadata");
    bytes[metadata!.offset + 10]! ^= 1;
    writeFileSync(path, bytes);
    assert.equal(registry.store.list()[0]?.metadata, null);
  });

  it("prunes to the newest, but keeps the current one", async () => {
    using registry = new SmallRegistry();
    await importWeeks(registry, 4);
    const [first, second, third, fourth] = registry.store.ids();
    registry.store.makeCurrent(fourth!, Date.now());
    assert.deepEqual(registry.store.prune(2, Date.now()), [second, third]);
    assert.deepEqual(registry.store.ids(), [first, fourth]);
  });

  it("prunes a snapshot first that a killed import left before it was current", async () => {
    using registry = new SmallRegistry();
    const { store } = registry;
    await importWeeks(registry, 3);
    const [third, second] = store.ids();
    const killed = store.newId(Date.now());
    cpSync(store.dirOf(third!), store.dirOf(killed), { recursive: true });
    await registry.import(...weekOf(4));
    store.prune(3, Date.now());
    assert.deepEqual(store.ids(), [store.currentId(), third, second]);
  });

  it("keeps snapshots that were used when imports are rolled back repeatedly", async () => {
    using registry = new SmallRegistry();
    const { store } = registry;
    const day = 86_400_000;
    let now = Date.now();
    await importWeeks(registry, 2);
    const [good, before] = store.ids();
    store.makeCurrent(before!, now);
    store.makeCurrent(good!, (now += day));
    now += day;
    for (let week = 3; week <= 6; week++) {
      await registry.import(...weekOf(week), { now: () => now });
      const [bad] = store.ids();
      store.prune(3, (now += 60_000));
      assert.ok(
        [bad, good, before].every((id) => store.ids().includes(id!)),
        `week ${week}`,
      );
      store.rollBackTo(good!, now);
      assert.equal(store.currentId(), good);
    }
    assert.deepEqual(
      store.rollbacks().map(({ files }) => files.map(({ end }) => end)),
      ["2026-01-21", "2026-01-28", "2026-02-04", "2026-02-11"].map((end) => [
        end,
      ]),
    );
  });

  it("ignores a damaged history", async () => {
    using registry = new SmallRegistry();
    await importWeeks(registry, 1);
    writeFileSync(
      join(registry.store.dataDir, "snapshots", "history.json"),
      '{"served":',
    );
    await registry.import(...weekOf(2));
    assert.equal(registry.store.ids().length, 2);
    assert.deepEqual(registry.store.rollbacks(), []);
  });

  it("gives ids that ascend even when the clock goes back", async () => {
    using registry = new SmallRegistry();
    await importWeeks(registry, 1);
    const [newest] = registry.store.ids();
    assert.ok(registry.store.newId(0) > newest!);
  });

  it("lists a file that is not a snapshot", async () => {
    using registry = new SmallRegistry();
    await importWeeks(registry, 1);
    const [id] = registry.store.ids();
    writeFileSync(registry.store.pathOf(id!), "not a snapshot");
    assert.equal(registry.store.list()[0]?.metadata, null);
  });
});

describe("verifying a snapshot", () => {
  it("finds a single changed bit anywhere in a section", async () => {
    using registry = new SmallRegistry();
    await importWeeks(registry, 1);
    const path = registry.store.pathOf(registry.store.ids()[0]!);
    const whole = readFileSync(path);
    for (const { name, bytes, offset } of registry.snapshot().sections
      .entries) {
      // JSON is parsed on opening, which may fail first.
      if (["metadata", "taxonomy.names"].includes(name)) continue;
      if (bytes === 0) continue;
      const damaged = new SharedArrayBuffer(whole.length);
      new Uint8Array(damaged).set(whole);
      new Uint8Array(damaged)[offset + Math.floor(bytes / 2)]! ^= 4;
      const snapshot = new Snapshot({ bytes: damaged, extended: null });
      assert.deepEqual(verifySnapshot(snapshot), [
        `Section "${name}" does not match its checksum.`,
      ]);
    }
  });
});

describe("the import lock", () => {
  it("is taken by one import at a time and released afterwards", () => {
    using registry = new SmallRegistry();
    {
      using lock = ImportLock.take(registry.folder);
      assert.notEqual(lock, null);
      assert.equal(ImportLock.take(registry.folder), null);
    }
    using again = ImportLock.take(registry.folder);
    assert.notEqual(again, null);
  });
});

/** Week n adds a provider. */
async function importWeeks(
  registry: SmallRegistry,
  count: number,
): Promise<void> {
  for (let week = 1; week <= count; week++)
    await registry.import(...weekOf(week));
}

/** The name and the rows of the n-th week of 2026. */
function weekOf(week: number): [string, ReturnType<typeof people>] {
  return [
    `npidata_pfile_${fileDay(7 * week - 6)}-${fileDay(7 * week)}.csv`,
    people(week),
  ];
}

/** The n-th day of 2026 as in a file name. */
function fileDay(of: number): string {
  const date = new Date(Date.UTC(2026, 0, of));
  return date.toISOString().slice(0, 10).replaceAll("-", "");
}
