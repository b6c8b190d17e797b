import { spawnSync } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { SnapshotStore } from "../../src/store/store.ts";
import { importFile } from "./import-file.ts";

/** What an import in a separate process took. */
export interface MeasuredImport {
  seconds: number;
  /** Of all its threads, on any core. */
  processorSeconds: number;
  /** Peak resident memory, in bytes. */
  maxRss: number;
  /** How long of it was spent on writing down what it changes. */
  comparedSeconds: number;
  snapshotBytes: number;
  /** The details file and the entry files, those of the base included. */
  detailsBytes: number;
}

/** Imports a registry file into a data folder, in a separate process; with "again", also a file imported before. */
export function measureImport(
  path: string,
  dataDir: string,
  ...again: "again"[]
): MeasuredImport {
  const began = performance.now();
  const result = JSON.parse(
    run(process.execPath, [import.meta.filename, path, dataDir, ...again], {
      ...process.env,
      // As bin/provider-directory has it.
      GLIBC_TUNABLES:
        "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=4194304",
      NODE_COMPILE_CACHE: join(
        import.meta.dirname,
        "../../node_modules/.cache/provider-directory",
      ),
    }),
  );
  return { ...result, seconds: (performance.now() - began) / 1000 };
}

/** Runs a command to its end and returns what it printed; throws when it fails. */
export function run(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): string {
  const { error, status, stderr, stdout } = spawnSync(command, args, {
    encoding: "utf8",
    env,
  });
  if (error !== undefined || status !== 0)
    throw error ?? new Error(`${command} failed: ${stderr}`);
  return stdout;
}

export function seconds(action: () => void): number {
  const began = performance.now();
  action();
  return (performance.now() - began) / 1000;
}

export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

if (import.meta.main) {
  const [path = "", dataDir = "", again] = process.argv.slice(2);
  const store = new SnapshotStore(dataDir);
  const { comparedSeconds, id } = await importFile(
    path,
    store,
    again === "again",
  );
  const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage();
  const maxRss = maxRSS * 1024;
  const processorSeconds = (userCPUTime + systemCPUTime) / 1e6;
  const { size: snapshotBytes } = await stat(store.pathOf(id));
  const detailsBytes =
    store.list().find((each) => each.id === id)?.detailsBytes ?? 0;
  console.log(
    JSON.stringify({
      maxRss,
      processorSeconds,
      comparedSeconds,
      snapshotBytes,
      detailsBytes,
    }),
  );
}
