import { statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { requestWithRetry, type RequestContext } from "../http/request.ts";
import { UpdateError } from "../update-error.ts";
import { PART } from "../http/part-file.ts";
import type { PlannedFile } from "./plan.ts";

/** A snapshot of the whole registry and its details take about 1.6 times the bytes of its zip; rather too much than too little. */
const SNAPSHOT_PER_ZIP = 1.8;

export interface DiskBudget extends RequestContext {
  /** Where downloads are kept; it is there. */
  folder: string;
  /** What a week's snapshot takes, 0 when there is no snapshot. */
  snapshotBytes: number;
  /** How many snapshots there are at most, at any time, beside those that are there now. */
  snapshotsMore: number;
}

/**
 * Throws an UpdateError when the disk has no room for all that a plan brings, and the snapshots made of it. Asks how long
 * the files are that are to be downloaded; what a server does not tell is left out, and checked when it comes.
 */
export async function requireDiskBudget(
  files: readonly PlannedFile[],
  space: DiskBudget,
): Promise<void> {
  const { folder, snapshotBytes, snapshotsMore } = space;
  let download = 0;
  let snapshot = snapshotBytes;
  // NUCC's table is small, and providers do not wait for it.
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
    snapshot: snapshot * Math.min(snapshotsMore, files.length),
  });
}

/** What a download will take. Bytes. */
export interface Need {
  name: string;
  /** What is still to be downloaded. */
  download: number;
  /** For the snapshots that are made of it. */
  snapshot: number;
}

/** Throws an UpdateError when the disk that holds a folder has no room for a download and what is made of it. */
export async function requireSpace(folder: string, need: Need): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const needed = need.download + need.snapshot;
  if (needed <= free) return;
  throw new UpdateError(
    `The disk of ${folder} has ${megabytes(free)} free, but ${need.name} needs ${megabytes(needed)}: ${megabytes(need.download)} for downloads and ${megabytes(need.snapshot)} for snapshots. Free some space and run update again.`,
  );
}

/** About how many bytes the snapshot takes that a file of a length makes of one of another length. */
export function snapshotOf(
  { kind }: PlannedFile,
  bytes: number,
  snapshotBytes: number,
): number {
  return kind === "full"
    ? Math.max(snapshotBytes, bytes * SNAPSHOT_PER_ZIP)
    : snapshotBytes;
}

/** Where a planned file stands, or comes to stand. */
export function pathOf(file: PlannedFile, folder: string): string {
  return isHere(file) ? fileURLToPath(file.url) : join(folder, file.name);
}

/** Whether a file is used where it is, in a folder of the machine. */
export function isHere({ url }: PlannedFile): boolean {
  return url.protocol === "file:";
}

/** A file's length by its server's word; null when it does not say. The first byte is asked for, and no more is read. */
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
