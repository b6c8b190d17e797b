/**
 * How long does it take to merge a week into the whole registry, compared with copying the snapshot's file on the disk?
 * Invents a full file and its week, imports the full file, copies the snapshot and flushes the copy (the floor),
 * imports the week in a separate process and prints its peak memory, then imports the full file over it, which takes
 * the week back. For both, prints how long the list of changes took.
 *
 *   node_modules/.bin/node bench/week.ts [providers] [changes] [rounds]
 */
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
import { SnapshotStore } from "../src/store/store.ts";
import { writeSyntheticRegistry } from "../src/registry-generator/write-registry.ts";
import { importFile } from "./support/import-file.ts";
import { measureImport, megabytes, seconds } from "./support/import-process.ts";

const WEEK = { from: "2026-11-10", to: "2026-11-16" };

const [first = "1000000", second = "35000", third = "3"] =
  process.argv.slice(2);
await bench(Number(first), Number(second), Number(third));

async function bench(
  providers: number,
  changes: number,
  rounds: number,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "week-bench-"));
  try {
    const full = join(folder, "full.zip");
    const week = join(folder, "week.zip");
    await writeSyntheticRegistry({ providers, out: full, otherFiles: true });
    await writeSyntheticRegistry({
      providers,
      out: week,
      otherFiles: true,
      week: { ...WEEK, changes },
    });
    const store = new SnapshotStore(join(folder, "data"));
    const { id } = await importFile(full, store);
    const snapshot = store.pathOf(id);
    console.log(
      `${changes} rows into ${providers}, a snapshot of ${megabytes((await stat(snapshot)).size)} MB`,
    );
    for (let round = 1; round <= rounds; round++) {
      const floor = seconds(() => copyDurably(snapshot, join(folder, "copy")));
      const data = join(folder, `data-${round}`);
      cpSync(store.dataDir, data, { recursive: true });
      const merged = measureImport(week, data);
      console.log(
        `copy ${floor.toFixed(2)} s, week ${merged.seconds.toFixed(2)} s (${(merged.seconds / floor).toFixed(1)} ×), processor ${merged.processorSeconds.toFixed(2)} s, peak ${megabytes(merged.maxRss)} MB; of it ${merged.comparedSeconds.toFixed(2)} s to write down what changed`,
      );
      const again = measureImport(full, data, "again");
      console.log(
        `the full file over it ${again.seconds.toFixed(2)} s, peak ${megabytes(again.maxRss)} MB; of it ${again.comparedSeconds.toFixed(2)} s to write down what changed`,
      );
      rmSync(data, { recursive: true });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

function copyDurably(from: string, to: string): void {
  copyFileSync(from, to);
  const fd = openSync(to, "r");
  fsyncSync(fd);
  closeSync(fd);
}
