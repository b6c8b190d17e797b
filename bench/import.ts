/**
 * How long does a full import with everything take, compared with unpacking the same zip? Makes an invented full zip
 * with all of the registry's files, unpacks it with `unzip -p FILE > /dev/null` (the floor), imports it in a separate
 * process, and prints that process's time on the processor, its peak memory, and the size of what it wrote.
 *
 *   node_modules/.bin/node bench/import.ts [providers] [rounds]
 */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeSyntheticRegistry } from "../src/registry-generator/write-registry.ts";
import {
  measureImport,
  megabytes,
  run,
  seconds,
} from "./support/import-process.ts";

const [providers = "1000000", rounds = "3"] = process.argv.slice(2);
await bench(Number(providers), Number(rounds));

async function bench(count: number, times: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "import-bench-"));
  try {
    const zip = join(folder, "registry.zip");
    const { csvBytes } = await writeSyntheticRegistry({
      providers: count,
      out: zip,
      otherFiles: true,
    });
    console.log(
      `${count} rows, ${megabytes(csvBytes)} MB of CSV in ${megabytes((await stat(zip)).size)} MB`,
    );
    for (let round = 1; round <= times; round++) {
      const floor = seconds(() =>
        run("sh", ["-c", 'unzip -p "$0" > /dev/null', zip]),
      );
      const data = join(folder, `data-${round}`);
      const imported = measureImport(zip, data);
      console.log(
        `unzip ${floor.toFixed(2)} s, import ${imported.seconds.toFixed(2)} s (${(imported.seconds / floor).toFixed(2)} ×), ` +
          `processor ${imported.processorSeconds.toFixed(2)} s, peak ${megabytes(imported.maxRss)} MB, ` +
          `snapshot ${megabytes(imported.snapshotBytes)} MB, details ${megabytes(imported.detailsBytes)} MB`,
      );
      await rm(data, { recursive: true });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
