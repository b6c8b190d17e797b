import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { suite, test } from "node:test";
import { SnapshotWatch } from "../../src/server/snapshot-watch.ts";
import { MemorySections } from "../../src/snapshot/container/sections.ts";
import { extendedPath } from "../../src/snapshot/container/shared-file.ts";
import { fullTest } from "../support/pure/full-run.ts";
import {
  people,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";
import { until } from "../support/pure/until.ts";

/** A watch over a store, and the ids of the snapshots to serve, in order; null for none. */
function watching(registry: SmallRegistry) {
  const served: (string | null)[] = [];
  const insteadOf: (string | null)[] = [];
  const faults: string[] = [];
  /** What was opened, and what was served on if that failed. */
  const openings: string[] = [];
  const watch = new SnapshotWatch({
    store: registry.store,
    clock: Date.now,
    onOpened(opened, of) {
      served.push(opened.id);
      insteadOf.push(of);
    },
    onOpening(id) {
      openings.push(id);
      return Promise.resolve();
    },
    onNotOpened: ({ id }) => openings.push(id),
    onClosed: () => served.push(null),
    onFault: (message) => faults.push(message),
  });
  return { watch, served, insteadOf, faults, openings };
}

/** Imports weeks of one provider, of two, … and returns their ids, the newest first. */
async function importWeeks(
  registry: SmallRegistry,
  ...weeks: readonly number[]
): Promise<string[]> {
  for (const week of weeks)
    await registry.import(
      `npidata_pfile_2026010${week}-2026010${week}.csv`,
      people(week),
    );
  return registry.store.ids();
}

/** Flips one bit in the middle of a section of a snapshot's file. */
function damage(registry: SmallRegistry, id: string, name: string): void {
  const path = registry.store.pathOf(id);
  const bytes = readFileSync(path);
  const section = new MemorySections(
    registry.store.share(id).bytes,
  ).entries.find((each) => each.name === name)!;
  const at = section.offset + Math.floor(section.bytes / 2);
  const fd = openSync(path, "r+");
  writeSync(fd, Uint8Array.of(bytes[at]! ^ 1), 0, 1, at);
  closeSync(fd);
}

suite("the watch over the current snapshot", () => {
  fullTest(
    "replaces a snapshot with one flipped bit, in any section, by the previous one",
    async () => {
      using registry = new SmallRegistry();
      const [bad = "", good = ""] = await importWeeks(registry, 1, 2);
      const names = new MemorySections(
        registry.store.share(bad).bytes,
      ).entries.flatMap(({ bytes, name }) => (bytes > 0 ? [name] : []));
      assert.ok(names.length > 40, `${names.length} sections`);
      for (const name of names) {
        damage(registry, bad, name);
        const { faults, insteadOf, served, watch } = watching(registry);
        using _watch = watch;
        watch.start();
        await until(`${name}: the one before`, () => served.at(-1) === good);
        assert.equal(insteadOf.at(-1), bad);
        assert.ok(watch.isFallback);
        assert.match(
          faults.join("\n"),
          new RegExp(`^Snapshot ${bad} is damaged`),
        );
        // The same bit again makes it whole.
        damage(registry, bad, name);
      }
    },
  );

  test("never serves a new snapshot that is damaged, and serves the next good one", async () => {
    using registry = new SmallRegistry();
    const { store } = registry;
    const [good = ""] = await importWeeks(registry, 1);
    const { faults, openings, served, watch } = watching(registry);
    using _watch = watch;
    watch.start();
    await until("the first", () => served.length === 1);
    const [bad = ""] = await importWeeks(registry, 2);
    store.makeCurrent(good, Date.now());
    damage(registry, bad, "record.bytes");
    store.makeCurrent(bad, Date.now());
    await until("the fault", () => faults.length === 1);
    assert.equal(
      faults[0],
      `Snapshot ${bad} is damaged: Section "record.bytes" does not match its checksum; roll back or import again.`,
    );
    await until("the fallback to be known", () => watch.isFallback);
    assert.deepEqual(served, [good]);
    store.rollBackTo(good, Date.now());
    await until("the rollback to be known", () => !watch.isFallback);
    const [next = ""] = await importWeeks(registry, 3);
    await until("the next", () => served.at(-1) === next);
    assert.deepEqual(served, [good, next]);
    assert.equal(openings.at(-1), next);
    assert.deepEqual(openings.slice(openings.indexOf(bad)), [bad, good, next]);
    assert.equal(watch.faults, 1);
  });

  test("counts a missing extended index as damage, until it is back", async () => {
    using registry = new SmallRegistry();
    const [bad = "", good = ""] = await importWeeks(registry, 1, 2);
    const path = extendedPath(registry.store.pathOf(bad));
    renameSync(path, `${path}.away`);
    const { faults, insteadOf, served, watch } = watching(registry);
    using _watch = watch;
    watch.start();
    await until("the one before", () => served.at(-1) === good);
    assert.ok(watch.isFallback);
    assert.equal(insteadOf.at(-1), bad);
    assert.deepEqual(faults, [
      `Snapshot ${bad} is damaged: The extended index ${path} is missing; roll back or import again.`,
    ]);
    renameSync(`${path}.away`, path);
    await until("the whole one", () => served.at(-1) === bad);
  });

  test("reads another snapshot without keeping the thread from other work", async () => {
    using registry = new SmallRegistry();
    const { store } = registry;
    const [slow = "", first = ""] = await importWeeks(registry, 1, 2);
    store.makeCurrent(first, Date.now());
    // To open a pipe takes until something writes to it.
    const path = store.pathOf(slow);
    rmSync(path);
    execFileSync("mkfifo", [path]);
    const { faults, openings, served, watch } = watching(registry);
    using _watch = watch;
    watch.start();
    await until("the first", () => served.length === 1);
    const writer = spawn("sh", ["-c", 'sleep 10; : > "$0"', path]);
    let turns = 0;
    const timer = setInterval(() => {
      if (openings.length > 0 && faults.length === 0) turns++;
    }, 10);
    store.makeCurrent(slow, Date.now());
    await until("the thread to do other work meanwhile", () => turns >= 20);
    clearInterval(timer);
    writer.kill();
    await writeFile(path, "");
    await until("the fault", () => faults.length === 1);
    assert.match(faults[0] ?? "", new RegExp(`^Snapshot ${slow} is damaged`));
  });

  test("skips damaged ones for the newest intact one, and serves nothing if there is none", async () => {
    using registry = new SmallRegistry();
    const [third = "", second = "", first = ""] = await importWeeks(
      registry,
      1,
      2,
      3,
    );
    damage(registry, third, "npi");
    damage(registry, second, "kind");
    {
      const { served, watch } = watching(registry);
      using _watch = watch;
      watch.start();
      await until("the first", () => served.at(-1) === first);
      assert.deepEqual(served, [third, first]);
    }
    damage(registry, first, "npi");
    const { served, watch } = watching(registry);
    using _watch = watch;
    watch.start();
    await until("nothing to be served", () => served.at(-1) === null);
    assert.deepEqual(served, [third, null]);
    assert.equal(watch.opened, null);
    await registry.import("npidata_pfile_20050523-20261108.csv", people(4), {
      force: true,
    });
    const [fourth = ""] = registry.store.ids();
    await until("a new full file", () => served.at(-1) === fourth);
  });
});
