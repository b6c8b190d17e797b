import { statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { requestWithRetry, type RequestContext } from "../http/request.ts";
import { UpdateError } from "../update-error.ts";
import { PART } from "../http/part-file.ts";
import type { PlannedFile } from "./plan.ts";

/** A full snapshot with details is about 2.2 times the size of its zip; rounded up. */
const SNAPSHOT_PER_ZIP = 2.5;

export interface DiskBudget extends RequestContext {
  /** The folder of downloads, which exists. */
  folder: string;
  /** Bytes for the snapshot of a weekly file; 0 if there is none to build on. */
  snapshotBytes: number;
  /** Maximum number of additional snapshots at any time. */
  additionalSnapshots: number;
}

/**
 * Throws UpdateError if the disk does not have enough space for a plan's downloads and the snapshots made from them.
 * Requests the files' lengths; unknown lengths are checked during the download.
 */
export async function requireDiskBudget(
  files: readonly PlannedFile[],
  space: DiskBudget,
): Promise<void> {
  const { folder, snapshotBytes, additionalSnapshots } = space;
  let download = 0;
  let snapshot = snapshotBytes;
  // NUCC's table is small and optional.
  for (const file of files.filter(({ kind }) => kind !== "taxonomy")) {
    const path = pathOf(file, folder);
    const kept = sizeOf(path);
    const bytes = kept ?? (await lengthAt(file.url, space)) ?? 0;
    if (kept === null)
      download += Math.max(0, bytes - (sizeOf(path + PART) ?? 0));
    snapshot = Math.max(snapshot, snapshotOf(file, bytes, snapshotBytes));
  }
  await requireSpace(folder, {
    name: "this update",
    download,
    snapshot: snapshot * Math.min(additionalSnapshots, files.length),
  });
}

/** Disk space for a download, in bytes. */
export interface Need {
  name: string;
  /** Bytes still to download. */
  download: number;
  /** Bytes for the snapshots made from it. */
  snapshot: number;
}

/** Throws UpdateError if a folder's disk does not have enough space. */
export async function requireSpace(folder: string, need: Need): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const needed = need.download + need.snapshot;
  if (needed <= free) return;
  throw new UpdateError(
    `The disk of ${folder} has ${megabytes(free)} free, but ${need.name} needs ${megabytes(needed)}: ${megabytes(need.download)} for downloads and ${megabytes(need.snapshot)} for snapshots. Free some space and run update again.`,
  );
}

/** Estimates the bytes of the snapshot made from a file of `bytes` bytes. */
export function snapshotOf(
  { kind }: PlannedFile,
  bytes: number,
  snapshotBytes: number,
): number {
  return kind === "full"
    ? Math.max(snapshotBytes, bytes * SNAPSHOT_PER_ZIP)
    : snapshotBytes;
}

/** Returns the local path of a planned file. */
export function pathOf(file: PlannedFile, folder: string): string {
  return isLocal(file) ? fileURLToPath(file.url) : join(folder, file.name);
}

/** True if a file is in a local folder and used in place. */
export function isLocal({ url }: PlannedFile): boolean {
  return url.protocol === "file:";
}

/** Asks the server for a file's length, or null. Requests only the first byte. */
function lengthAt(url: URL, context: RequestContext): Promise<number | null> {
  return requestWithRetry(
    context,
    url,
    { range: "bytes=0-0" },
    ({ headers, status }) => {
      const text =
        status === 206
          ? /\/(\d+)$/.exec(headers["content-range"] ?? "")?.[1]
          : headers["content-length"];
      return Promise.resolve(text === undefined ? null : Number(text));
    },
  );
}

function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString("en-US")} MB`;
}
