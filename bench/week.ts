/**
 * How long does it take to merge a week into the whole registry, beside copying the snapshot's file to the disk? Invents a
 * full file and its week, imports the full file, copies the snapshot and flushes the copy (the floor), and imports the
 * week in a process of its own, whose peak memory is told too.
 *
 *   node bench/week.ts [providers] [changes] [rounds]
 */
import { spawnSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  cpSync,
  fsyncSync,
  openSync,
  rmSync,
} from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SnapshotStore } from "../src/snapshot/store.ts";
import { writeSyntheticRegistry } from "../src/synthetic/write-registry.ts";
import { importFile } from "./import-file.ts";

const WEEK = { from: "2026-11-10", to: "2026-11-16" };

const [first = "1000000", second = "35000", third = "3"] =
  process.argv.slice(2);
if (first === "import-once") await importOnce(second, third);
else await bench(Number(first), Number(second), Number(third));

async function bench(
  providers: number,
  changes: number,
  rounds: number,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "week-bench-"));
  try {
    const full = join(folder, "full.zip");
    const week = join(folder, "week.zip");
    await writeSyntheticRegistry({ providers, out: full });
    await writeSyntheticRegistry({
      providers,
      out: week,
      week: { ...WEEK, changes },
    });
    const store = new SnapshotStore(join(folder, "data"));
    const snapshot = store.pathOf(await importFile(full, store));
    console.log(
      `${changes} rows into ${providers}, a snapshot of ${megabytes((await stat(snapshot)).size)} MB`,
    );
    for (let round = 1; round <= rounds; round++) {
      const floor = seconds(() => copyDurably(snapshot, join(folder, "copy")));
      const data = join(folder, `data-${round}`);
      cpSync(store.dataDir, data, { recursive: true });
      const began = performance.now();
      const { maxRss } = JSON.parse(
        run(process.execPath, [
          import.meta.filename,
          "import-once",
          week,
          data,
        ]),
      );
      const taken = (performance.now() - began) / 1000;
      console.log(
        `copy ${floor.toFixed(2)} s, week ${taken.toFixed(2)} s (${(taken / floor).toFixed(1)} ×), peak ${megabytes(maxRss)} MB`,
      );
      rmSync(data, { recursive: true });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function importOnce(path: string, dataDir: string): Promise<void> {
  await importFile(path, new SnapshotStore(dataDir));
  console.log(
    JSON.stringify({ maxRss: process.resourceUsage().maxRSS * 1024 }),
  );
}

function copyDurably(from: string, to: string): void {
  copyFileSync(from, to);
  const fd = openSync(to, "r");
  fsyncSync(fd);
  closeSync(fd);
}

function run(command: string, args: string[]): string {
  const { error, status, stderr, stdout } = spawnSync(command, args, {
    encoding: "utf8",
  });
  if (error !== undefined || status !== 0)
    throw error ?? new Error(`${command} failed: ${stderr}`);
  return stdout;
}

function seconds(action: () => void): number {
  const began = performance.now();
  action();
  return (performance.now() - began) / 1000;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
