import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { SnapshotStore } from "../../../src/store/store.ts";
import { checkSnapshot } from "../../../src/cli/commands/snapshots.ts";
import {
  ProgramProcess,
  argv,
  succeed,
  succeeded,
} from "../../support/program/program.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";
import { rounds } from "../../support/pure/full-run.ts";
import { writeRegistryFile } from "../../support/pure/registry/synthetic-file.ts";

const WEEK = { from: "2026-11-10", to: "2026-11-15", changes: 1_000 };
const PROVIDERS = 2_000;
/** Of a full file, and of a week. */
const KILLS = rounds(10, 2);

suite("the served snapshot survives", () => {
  test("an import killed at many moments, and the next one completes", async () => {
    using folder = temporaryFolder();
    const dataDir = join(folder.path, "data");
    const full = writeRegistryFile(folder.path, { providers: PROVIDERS });
    const week = writeRegistryFile(folder.path, {
      providers: PROVIDERS,
      week: WEEK,
    });
    await succeed(["import", full, "--data-dir", dataDir]);
    const store = new SnapshotStore(dataDir);
    for (const file of [full, week]) {
      const before = store.currentId();
      const args = argv`import ${file} --force --data-dir ${dataDir} --keep-snapshots 100`;
      const began = performance.now();
      await using timed = new ProgramProcess(args);
      await succeeded(timed.ended());
      const taken = performance.now() - began;
      store.makeCurrent(before ?? "none", Date.now());

      for (let kill = 0; kill < KILLS; kill++) {
        await using program = new ProgramProcess(args);
        // The moment itself is varied: a kill must do no harm between any two events.
        await sleep((taken * (kill + 0.5)) / KILLS);
        program.kill("SIGKILL");
        await program.ended();
        const current = new SnapshotStore(dataDir).currentId();
        assert.ok(current !== null);
        assert.deepEqual(checkSnapshot(store, current).faults, []);
        if (current !== before) store.makeCurrent(before ?? "none", Date.now());
      }
      await using last = new ProgramProcess(args);
      await succeeded(last.ended());
      assert.notEqual(store.currentId(), before);
      assert.deepEqual(store.builds.list(), []);
    }
  });
});
