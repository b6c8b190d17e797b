import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { execPath } from "node:process";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { SnapshotStore } from "../../src/store/store.ts";
import { checkSnapshot } from "../../src/cli/commands/snapshots.ts";
import { ProgramProcess, succeeded } from "../support/program/program.ts";
import { people, person } from "../support/pure/registry/small-registry.ts";
import { assertCopied, FleetFolders } from "./fleet-folders.ts";

const CHILD = fileURLToPath(new URL("fleet-child.ts", import.meta.url));
const KILLS = 8;
const PROVIDERS = 6_000;

function child(what: string, dataDir: string, url: string): ProgramProcess {
  return new ProgramProcess([CHILD, what, dataDir, url], {}, execPath);
}

/** How long a run takes from its start, in milliseconds. */
async function timeOf(run: ProgramProcess): Promise<number> {
  await run.printed(/begin/);
  const began = performance.now();
  await succeeded(run.ended());
  return performance.now() - began;
}

/** Kills a run at a moment after it began. */
async function killAt(run: ProgramProcess, ms: number): Promise<void> {
  await run.printed(/begin/);
  await sleep(ms);
  run.kill("SIGKILL");
  await run.ended();
}

suite("killed at any moment", () => {
  test("a publisher leaves the publication before or a complete new one, and the next run completes it", async (t) => {
    using fleet = new FleetFolders();
    const before = await fleet.import(people(PROVIDERS));
    await fleet.publish();
    const after = await fleet.import([
      ...people(PROVIDERS / 2).slice(1),
      person(0, { city: "SPRINGFIELD" }),
    ]);
    const pristine = fleet.path("pristine");
    cpSync(fleet.storeFolder, pristine, { recursive: true });
    const { dataDir } = fleet.importer;
    await using timed = child("publish", dataDir, fleet.fileUrl);
    const taken = await timeOf(timed);
    const found: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      rmSync(fleet.storeFolder, { recursive: true });
      cpSync(pristine, fleet.storeFolder, { recursive: true });
      await using run = child("publish", dataDir, fleet.fileUrl);
      await killAt(run, (taken * (kill + 0.5)) / KILLS);
      const published = snapshotOf(fleet);
      found.push(published === before ? "before" : "after");
      assert.ok([before, after].includes(published), published);
      const node = fleet.node(`node-${kill}`);
      await fleet.pull(node);
      assert.equal(node.currentId(), published);
      assertAllIntact(node);
      await fleet.publish();
      assert.equal(snapshotOf(fleet), after);
      await fleet.pull(node);
      assertCopied(node, fleet.importer);
      rmSync(node.dataDir, { recursive: true });
    }
    t.diagnostic(`published after the kills: ${found.join(", ")}`);
  });

  test("a puller leaves only intact snapshots, serves the one before or the new one, and the next run completes it", async (t) => {
    using fleet = new FleetFolders();
    const node = fleet.node();
    const before = await fleet.import(people(PROVIDERS));
    await fleet.publish();
    await fleet.pull(node);
    const after = await fleet.import([
      ...people(PROVIDERS / 2).slice(1),
      person(0, { city: "SPRINGFIELD" }),
    ]);
    await fleet.publish();
    const folderOf = (name: string): SnapshotStore => {
      cpSync(node.dataDir, fleet.path(name), { recursive: true });
      return fleet.node(name);
    };
    const first = folderOf("timed");
    await using timed = child("pull", first.dataDir, fleet.fileUrl);
    const taken = await timeOf(timed);
    assertCopied(first, fleet.importer);
    const found: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const here = folderOf(`node-${kill}`);
      await using run = child("pull", here.dataDir, fleet.fileUrl);
      await killAt(run, (taken * (kill + 0.5)) / KILLS);
      assertAllIntact(here);
      const current = here.currentId() ?? "none";
      assert.ok([before, after].includes(current), current);
      found.push(
        `${current === before ? "before" : "after"}${existsSync(here.builds.dirOf(after)) ? " with a part" : ""}`,
      );
      await using again = child("pull", here.dataDir, fleet.fileUrl);
      await succeeded(again.ended());
      assertCopied(here, fleet.importer);
      rmSync(here.dataDir, { recursive: true });
    }
    t.diagnostic(`served after the kills: ${found.join(", ")}`);
  });
});

function snapshotOf({ storeFolder }: FleetFolders): string {
  const path = join(storeFolder, "publication.json");
  const { snapshot } = JSON.parse(readFileSync(path, "utf8"));
  return snapshot;
}

/** Every snapshot of a data folder is complete, whether it is current or not. */
function assertAllIntact(store: SnapshotStore): void {
  for (const id of store.ids()) {
    assert.deepEqual(checkSnapshot(store, id).faults, []);
  }
}
