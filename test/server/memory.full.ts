import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { suite, test } from "node:test";
import { SnapshotStore } from "../../src/store/store.ts";
import { ProgramProcess, runProgram } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { until } from "../support/pure/until.ts";

const PROVIDERS = "120000";
const SWAPS = 8;

suite("memory", () => {
  test("a replaced snapshot's memory is freed, even without requests", async () => {
    using folder = temporaryFolder();
    const dataDir = ["--data-dir", folder.path];
    for (let demo = 0; demo < 2; demo++) {
      const args = ["demo", "--providers", PROVIDERS, ...dataDir];
      const { code } = await runProgram(args);
      assert.equal(code, 0);
    }
    const store = new SnapshotStore(folder.path);
    const [newer = "", older = ""] = store.ids();
    const { size } = statSync(store.pathOf(newer));
    await using program = new ProgramProcess([
      "serve",
      "--port",
      "0",
      "--workers",
      "2",
      ...dataDir,
    ]);
    await program.printed(/"msg":"serving snapshot"/);
    const before = await settledBytes(program.pid);
    for (let swap = 0; swap < SWAPS; swap++) {
      const next = swap % 2 === 0 ? older : newer;
      const served = program.out.length;
      store.makeCurrent(next, Date.now());
      await until("the snapshot to be served", () =>
        program.out.slice(served).includes("serving snapshot"),
      );
    }
    await until(
      "the memory of old snapshots to be given back",
      () => residentBytes(program.pid) < before + 3 * size,
    );
  });
});

/** The memory of a process that has just started, once it no longer grows. */
async function settledBytes(pid: number): Promise<number> {
  let most = 0;
  let readings = 0;
  await until("the memory of the start to settle", () => {
    const bytes = residentBytes(pid);
    readings = bytes > most ? 0 : readings + 1;
    most = Math.max(most, bytes);
    return readings > 40;
  });
  return most;
}

/** The resident memory of a process, from `/proc`. */
function residentBytes(pid: number): number {
  const [, kilobytes] =
    /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}
