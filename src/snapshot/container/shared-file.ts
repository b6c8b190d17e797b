import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withPath } from "../../registry/files/with-path.ts";
import { DiskSections, readFully, truncated } from "./disk-sections.ts";
import type { LazyFile } from "./lazy-sections.ts";
import { EXTENDED_FILE, PROVIDERS_FILE } from "./section-file.ts";

const READ_BYTES = 1 << 24;

/** A snapshot's files in shared memory, the same for all threads. Plain data. */
export interface SharedFile {
  /** The snapshot, each byte at its place in the file. */
  readonly bytes: SharedArrayBuffer;
  /** The extended index, which threads read when they need it; null if there is none. */
  readonly extended: LazyFile | null;
}

/** The path of the extended index of a snapshot. */
export function extendedPath(snapshotPath: string): string {
  return join(dirname(snapshotPath), "providers.extended");
}

/** The extended index of a snapshot; null if there is none. Throws as `DiskSections`. */
export function openExtendedFile(snapshotPath: string): DiskSections | null {
  const path = extendedPath(snapshotPath);
  if (existsSync(path)) return new DiskSections(path, EXTENDED_FILE);
  using file = new DiskSections(snapshotPath);
  const { embedded } = file.header;
  return embedded && new DiskSections(snapshotPath, PROVIDERS_FILE, embedded);
}

/** Reads a snapshot, but not its extended index. Throws SnapshotFormatError, and file system errors. */
export function readSharedFile(path: string): SharedFile {
  const { end, file } = prepare(path);
  const fd = openSync(path, "r");
  try {
    const target = new Uint8Array(file.bytes, 0, end);
    withPath(path, () => readFully(fd, target, 0));
    return file;
  } finally {
    closeSync(fd);
  }
}

/** The same without blocking this thread. Throws the signal's reason, too. */
export async function loadSharedFile(
  path: string,
  signal: AbortSignal,
): Promise<SharedFile> {
  const { end, file } = prepare(path);
  await using opened = await open(path);
  const target = new Uint8Array(file.bytes);
  for (let at = 0; at < end;) {
    signal.throwIfAborted();
    const length = Math.min(READ_BYTES, end - at);
    const { bytesRead } = await opened.read(target, at, length, at);
    if (bytesRead === 0) throw truncated();
    at += bytesRead;
  }
  return file;
}

/** The memory of a snapshot, and where the bytes to read end: an embedded extended index is the last section. */
function prepare(path: string): { end: number; file: SharedFile } {
  using sections = new DiskSections(path);
  const { embedded } = sections.header;
  const { size } = statSync(path);
  const bytes = new SharedArrayBuffer(size);
  const own = extendedPath(path);
  const extended = existsSync(own)
    ? {
        path: own,
        type: EXTENDED_FILE,
        within: null,
        memory: new SharedArrayBuffer(statSync(own).size),
      }
    : embedded && {
        path,
        type: PROVIDERS_FILE,
        within: embedded,
        memory: bytes,
      };
  return { end: embedded?.offset ?? size, file: { bytes, extended } };
}
