import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ProgramProcess, succeeded } from "../../support/program/program.ts";
import { until } from "../../support/pure/until.ts";
import { rounds } from "../../support/pure/full-run.ts";
import { slowly } from "../../update/file-server.ts";
import { FULL, Installation, UpdateSource, WEEK_1 } from "./update-source.ts";

const KILLS = rounds(6, 2);
const FULL_ONLY = "NPPES (CMS), full file 2026-11-08";
const BEFORE =
  "NPPES (CMS), full file 2026-10-11, weekly updates to 2026-11-15";
const AFTER = `${FULL_ONLY}, weekly updates to 2026-11-15`;
/** A download takes about as long as its import. */
const PIECES = 10;
const PAUSE_MS = 15;

/** Each download comes in pieces; the request before it asks how long it is. */
function slowDown(source: UpdateSource): void {
  for (const name of [FULL, WEEK_1])
    source.server.faults.set(
      source.path(name),
      Array.from({ length: 2 }, () => slowly(PIECES, PAUSE_MS)),
    );
}

suite("an update in a separate process", () => {
  test("killed at any moment leaves a good snapshot, and the next one completes", async (t) => {
    await using source = await UpdateSource.start([FULL, WEEK_1]);
    using start = new Installation();
    // The data is newer than the full file on offer, so that file has to wait for its week.
    await start.importOctober();
    await start.import(WEEK_1);
    slowDown(source);
    using timed = start.copy();
    const began = performance.now();
    await succeeded(update(timed, source));
    const taken = performance.now() - began;
    const found = new Set<string | null>();
    for (let kill = 0; kill < KILLS; kill++) {
      using here = start.copy();
      slowDown(source);
      await using program = new ProgramProcess(argsOf(here, source));
      // The moment itself is varied: a kill must do no harm between any two events.
      await sleep((taken * (kill + 0.5)) / KILLS);
      program.kill("SIGKILL");
      await program.ended();
      const served = here.source();
      found.add(served);
      assert.ok([BEFORE, AFTER].includes(served ?? ""), served ?? "none");
      source.server.faults.clear();
      const { code, err } = await here.update(source);
      assert.deepEqual([code, err], [0, ""]);
      assert.equal(here.source(), AFTER);
      assert.deepEqual(here.store.builds.list(), []);
    }
    t.diagnostic(`served after the kills: ${[...found].join("; ")}`);
  });

  test("stops on request, and continues from there", async () => {
    await using source = await UpdateSource.start([FULL, WEEK_1]);
    using here = new Installation();
    await here.import(FULL);
    source.server.faults.set(source.path(WEEK_1), [
      slowly(1, 0),
      slowly(100, 100),
    ]);
    await using program = new ProgramProcess(argsOf(here, source));
    await program.printed(/To download and import/);
    await until("the download", () => source.asked(WEEK_1) === 2);
    program.kill("SIGTERM");
    const { code, err } = await program.ended();
    assert.equal(code, 1);
    assert.match(
      err,
      /Stopped before it finished\. The served data has not changed\./,
    );
    assert.equal(here.source(), FULL_ONLY);
    await succeeded(here.update(source));
    assert.equal(here.source(), AFTER);
  });
});

function argsOf(here: Installation, source: UpdateSource): string[] {
  return ["update", ...source.args(), "--data-dir", here.dataDir];
}

async function update(here: Installation, source: UpdateSource) {
  await using program = new ProgramProcess(argsOf(here, source));
  return await program.ended();
}
