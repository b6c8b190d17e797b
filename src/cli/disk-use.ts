import { existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";

/** What a data folder takes of its disk. Bytes. */
export interface DiskUse {
  readonly snapshots: number;
  readonly downloads: number;
  readonly databases: number;
  /** What this user may still write. */
  readonly free: number;
}

export function diskUse(dataDir: string): DiskUse {
  const { bavail, bsize } = statfsSync(dataDir);
  return {
    snapshots: bytesBelow(join(dataDir, "snapshots")),
    downloads: bytesBelow(join(dataDir, "downloads")),
    databases: readdirSync(dataDir)
      .filter((name) => /\.sqlite(-wal|-shm)?$/.test(name))
      .reduce((sum, name) => sum + bytesOf(join(dataDir, name)), 0),
    free: bavail * bsize,
  };
}

function bytesBelow(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).reduce(
    (sum, name) => sum + bytesOf(join(folder, name)),
    0,
  );
}

/** A file's length; 0 for a folder, and for what an import has removed meanwhile. */
function bytesOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true ? stat.size : 0;
}
