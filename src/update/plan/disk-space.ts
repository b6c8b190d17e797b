import { statfs } from "node:fs/promises";
import { UpdateError } from "../update-error.ts";

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
    `The disk has ${megabytes(free)} free in ${folder}, and ${need.name} needs ${megabytes(needed)}: ${megabytes(need.download)} to download and ${megabytes(need.snapshot)} for what is made of it. Free some space and run it again.`,
  );
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString("en-US")} MB`;
}
