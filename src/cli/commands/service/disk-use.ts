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

/** Files that stand in several folders, as details of snapshots do, count once. */
function bytesBelow(folder: string): number {
  if (!existsSync(folder)) return 0;
  const seen = new Set<number>();
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).reduce(
    (sum, name) => sum + bytesOf(join(folder, name), seen),
    0,
  );
}

/** A file's length; 0 for a folder, for what an import has removed meanwhile, and for a file that was seen before. */
function bytesOf(path: string, seen: Set<number> = new Set()): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || seen.has(stat.ino)) return 0;
  seen.add(stat.ino);
  return stat.size;
}
