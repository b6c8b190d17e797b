import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { ImportLock } from "../../../src/importing/import-lock.ts";
import { writeSyntheticRegistry } from "../../../src/registry-generator/write-registry.ts";
import { checkSnapshot } from "../../../src/cli/commands/snapshots.ts";
import { SnapshotStore } from "../../../src/store/store.ts";
import { NO_MOUNT, smallDisk } from "../../support/program/broken-outputs.ts";
import {
  failWrite,
  type DiskFault,
} from "../../support/pure/failing-writes.ts";
import {
  runProgram,
  succeed,
  succeeded,
  type Ended,
} from "../../support/program/program.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";
import { cases, IS_FULL, rounds } from "../../support/pure/full-run.ts";

const CONTENTS = { providers: 200, otherFiles: true };
const WEEK = { from: "2026-11-10", to: "2026-11-15", changes: 40 };
/** Of an import's 1,300 writes, the full run has each of this number fail, too. */
const MANY = 50;
const SIZES = rounds(15, 8);
const PAGE = 4096;
const SENTENCE = /^provider-directory: [^\n]*\b(?:disk|quota)\b[^\n]*\.\n$/;

const FULL_DISK: DiskFault = { code: "ENOSPC", lasts: true };
const OTHERS: ReadonlySet<string> = new Set([
  "changes.sqlite",
  // Without room to empty its log, SQLite leaves it for the next import.
  "changes.sqlite-shm",
  "changes.sqlite-wal",
  "import.lock",
  "snapshots/history.json",
]);
const OTHER_FAULTS: readonly DiskFault[] = [
  { code: "EDQUOT", lasts: false },
  { code: "EIO", lasts: false },
];

const folder = temporaryFolder();
after(() => folder[Symbol.dispose]());
const full = join(folder.path, "full.zip");
const week = join(folder.path, "week.zip");
await writeSyntheticRegistry({ ...CONTENTS, out: full });
await writeSyntheticRegistry({ ...CONTENTS, week: WEEK, out: week });
const served = join(folder.path, "served");
await succeed(["import", full, "--data-dir", served]);

const IMPORTS = [
  { what: "a full file", file: full },
  { what: "a week", file: week },
];

/**
 * The files of a data folder. The lock has no content, and the next import adjusts changes and history to what is
 * current.
 */
function filesOf(dataDir: string): Map<string, Buffer | null> {
  const files = readdirSync(dataDir, { recursive: true, encoding: "utf8" })
    .filter((name) => !OTHERS.has(name))
    .sort()
    .map((name): [string, Buffer | null] => {
      const path = join(dataDir, name);
      return [name, statSync(path).isFile() ? readFileSync(path) : null];
    });
  return new Map(files);
}

/** Fails unless the data folder is as before, nothing is locked, and what is served is whole. */
function assertUnchanged(dataDir: string): void {
  const [files, filesBefore] = [filesOf(dataDir), filesOf(served)];
  assert.deepEqual([...files.keys()], [...filesBefore.keys()]);
  assert.deepEqual(files, filesBefore);
  using lock = ImportLock.take(dataDir);
  assert.ok(lock !== null);
}

function assertIntact(dataDir: string): void {
  const store = new SnapshotStore(dataDir);
  const id = store.currentId();
  assert.ok(id !== null);
  assert.deepEqual(checkSnapshot(store, id).faults, []);
  assert.deepEqual(store.builds.list(), []);
}

/** A copy of the data folder in `parent`, and the import into it. */
function prepare(file: string, parent = temporaryFolder()) {
  const dataDir = join(parent.path, "data");
  cpSync(served, dataDir, { recursive: true });
  return {
    dataDir,
    run: () => runProgram(["import", file, "--force", "--data-dir", dataDir]),
    [Symbol.dispose]: () => parent[Symbol.dispose](),
  };
}

/** Fails unless an import succeeded, or said what is wrong in a sentence and changed nothing. */
function assertGoodEnd(
  { code, err }: Pick<Ended, "code" | "err">,
  dataDir: string,
  at: string,
): void {
  if (code === 0) return assertIntact(dataDir);
  assert.equal(code, 1, at);
  assert.match(err, SENTENCE, at);
  assertUnchanged(dataDir);
}

/**
 * The numbers of an import's writes: of those to another file than the write before, or of many. Without the last one:
 * it flushes the switch to the new snapshot, which has happened.
 */
async function writesOf(
  file: string,
  which: "first" | "many",
): Promise<number[]> {
  using good = prepare(file);
  using writes = failWrite(Number.POSITIVE_INFINITY, FULL_DISK);
  await succeeded(good.run());
  const { calls } = writes;
  return [...calls.keys()]
    .slice(0, -1)
    .filter(
      (number) =>
        calls[number] !== calls[number - 1] ||
        (which === "many" && number % MANY === 0),
    );
}

suite("an import whose disk fails at any write", { concurrency: 1 }, () => {
  for (const { file, what } of IMPORTS) {
    for (const fault of [FULL_DISK, ...OTHER_FAULTS])
      test(`${what}, ${fault.code}: is reported in one sentence and changes nothing`, async () => {
        const isFull = fault === FULL_DISK;
        const numbers = await writesOf(
          file,
          IS_FULL && isFull ? "many" : "first",
        );
        for (const number of isFull ? numbers : cases(numbers)) {
          using here = prepare(file);
          using writes = failWrite(number, fault);
          const ended = await here.run();
          writes[Symbol.dispose]();
          assert.ok(writes.hasFailed);
          const at = `write ${number}, ${writes.calls[number]}: ${ended.err}`;
          assertGoodEnd(ended, here.dataDir, at);
        }
      });

    test(
      `${what} on a disk of any size: is reported in one sentence and changes nothing`,
      { skip: NO_MOUNT },
      async () => {
        using all = prepare(file);
        const before = sizeOf(all.dataDir);
        await succeeded(all.run());
        const needed = sizeOf(all.dataDir) - before;
        // The databases' logs need as much again.
        const sizes = Array.from(
          { length: SIZES },
          (_, index) => before + Math.round((2 * needed * index) / SIZES),
        );
        const codes = new Set<number>();
        for (const size of sizes) {
          const disk = smallDisk("64m");
          using here = prepare(file, disk);
          disk.resize(String(size));
          const ended = await here.run();
          assertGoodEnd(ended, here.dataDir, `${size}: ${ended.err}`);
          codes.add(ended.code);
        }
        assert.deepEqual(codes, new Set([1, 0]));
      },
    );
  }
});

/** The bytes of a folder's files, in pages. */
function sizeOf(dir: string): number {
  return readdirSync(dir, { recursive: true, encoding: "utf8" }).reduce(
    (sum, name) =>
      sum + Math.ceil(statSync(join(dir, name)).size / PAGE) * PAGE,
    0,
  );
}
