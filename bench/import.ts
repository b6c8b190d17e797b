/**
 * How long does a full import take, beside unpacking the same zip? Makes an invented full file, unpacks it with
 * `unzip -p FILE > /dev/null` (the floor), and imports it in a process of its own, whose peak memory is told too.
 *
 *   node bench/import.ts [providers] [rounds]
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SnapshotStore } from "../src/snapshot/store.ts";
import { writeSyntheticRegistry } from "../src/synthetic/write-registry.ts";
import { importFile } from "./import-file.ts";

const [first = "1000000", second = "3"] = process.argv.slice(2);
if (first === "import-once") await importOnce(second, process.argv[4] ?? "");
else await bench(Number(first), Number(second));

async function bench(providers: number, rounds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "import-bench-"));
  try {
    const zip = join(folder, "registry.zip");
    const { csvBytes } = await writeSyntheticRegistry({ providers, out: zip });
    console.log(
      `${providers} rows, ${megabytes(csvBytes)} MB of CSV in ${megabytes((await stat(zip)).size)} MB`,
    );
    for (let round = 1; round <= rounds; round++) {
      const floor = seconds(() =>
        run("sh", ["-c", 'unzip -p "$0" > /dev/null', zip]),
      );
      const data = join(folder, `data-${round}`);
      const began = performance.now();
      const { maxRss, snapshotBytes } = JSON.parse(
        run(process.execPath, [import.meta.filename, "import-once", zip, data]),
      );
      const taken = (performance.now() - began) / 1000;
      console.log(
        `unzip ${floor.toFixed(2)} s, import ${taken.toFixed(2)} s (${(taken / floor).toFixed(2)} ×), ` +
          `peak ${megabytes(maxRss)} MB, snapshot ${megabytes(snapshotBytes)} MB`,
      );
      await rm(data, { recursive: true });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function importOnce(path: string, dataDir: string): Promise<void> {
  const store = new SnapshotStore(dataDir);
  const id = await importFile(path, store);
  const maxRss = process.resourceUsage().maxRSS * 1024;
  console.log(
    JSON.stringify({
      maxRss,
      snapshotBytes: (await stat(store.pathOf(id))).size,
    }),
  );
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
