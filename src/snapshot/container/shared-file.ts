import { closeSync, existsSync, fstatSync, openSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withPath } from "../../registry/files/registry-file-error.ts";
import { hasExtendedParts } from "../extended/extended-index.ts";
import { parseMetadata } from "../metadata.ts";
import { SECTIONS } from "./descriptors.ts";
import { DiskSections, readFully, truncated } from "./disk-sections.ts";
import type { LazyFile } from "./lazy-sections.ts";
import { MemorySections } from "./sections.ts";
import {
  EXTENDED_FILE,
  FIRST_SECTION,
  PROVIDERS_FILE,
  SnapshotFormatError,
} from "./section-file.ts";

const READ_BYTES = 1 << 24;

/** A snapshot's files in shared memory, the same for all threads. Plain data. */
export interface SharedFile {
  /** The snapshot, each byte at its place in the file. */
  readonly bytes: SharedArrayBuffer;
  /** The extended index, which threads read when they need it; null if there is none. */
  readonly extended: LazyFile | null;
}

/** Returns the path of the extended index of a snapshot. */
export function extendedPath(snapshotPath: string): string {
  return join(dirname(snapshotPath), "providers.extended");
}

/** Opens the extended index of a snapshot; null if it needs none. Throws as `DiskSections`, and if it is missing. */
export function openExtendedFile(snapshotPath: string): DiskSections | null {
  const path = extendedPath(snapshotPath);
  if (existsSync(path)) return new DiskSections(path, EXTENDED_FILE);
  using file = new DiskSections(snapshotPath);
  const { embedded } = file.header;
  if (embedded === null) return refuseMissing(snapshotPath);
  return new DiskSections(snapshotPath, PROVIDERS_FILE, embedded);
}

/** Reads a snapshot, but not its extended index. Throws SnapshotFormatError, and file system errors. */
export function readSharedFile(path: string): SharedFile {
  const fd = openSync(path, "r");
  try {
    const bytes = new SharedArrayBuffer(fstatSync(fd).size);
    const read = (from: number, to: number) =>
      withPath(path, () =>
        readFully(fd, new Uint8Array(bytes, from, to - from), from),
      );
    const head = Math.min(FIRST_SECTION, bytes.byteLength);
    read(0, head);
    const { end, extended } = extendedOf(path, bytes);
    read(head, end);
    return { bytes, extended: extended ?? refuseMissing(path) };
  } finally {
    closeSync(fd);
  }
}

/** Reads the same without blocking this thread. Throws the signal's reason, too. */
export async function loadSharedFile(
  path: string,
  signal: AbortSignal,
): Promise<SharedFile> {
  await using file = await open(path);
  const bytes = new SharedArrayBuffer((await file.stat()).size);
  const target = new Uint8Array(bytes);
  const read = async (from: number, to: number) => {
    for (let at = from; at < to;) {
      signal.throwIfAborted();
      const length = Math.min(READ_BYTES, to - at);
      const { bytesRead } = await file.read(target, at, length, at);
      if (bytesRead === 0) throw truncated();
      at += bytesRead;
    }
  };
  const head = Math.min(FIRST_SECTION, bytes.byteLength);
  await read(0, head);
  const { end, extended } = extendedOf(path, bytes);
  await read(head, end);
  return { bytes, extended: extended ?? refuseMissing(path) };
}

/** Finds the extended index of a snapshot whose header is read, and where the bytes of the snapshot without it end. */
function extendedOf(
  path: string,
  bytes: SharedArrayBuffer,
): { end: number; extended: LazyFile | null } {
  const { embedded } = new MemorySections(bytes).header;
  const own = extendedPath(path);
  if (existsSync(own)) {
    const memory = new SharedArrayBuffer(statSync(own).size);
    const extended = { path: own, type: EXTENDED_FILE, within: null, memory };
    return { end: bytes.byteLength, extended };
  }
  if (embedded === null) return { end: bytes.byteLength, extended: null };
  const type = PROVIDERS_FILE;
  // It is the last section.
  return {
    end: embedded.offset,
    extended: { path, type, within: embedded, memory: bytes },
  };
}

/** Throws SnapshotFormatError if a snapshot without an extended index has details that need one. */
function refuseMissing(snapshotPath: string): null {
  using file = new DiskSections(snapshotPath);
  const { metadata } = SECTIONS;
  if (file.header.version < 3 || !file.has(metadata)) return null;
  const { details } = parseMetadata(file.getChecked(metadata));
  if (!hasExtendedParts(details ?? [])) return null;
  throw new SnapshotFormatError(
    `The extended index ${extendedPath(snapshotPath)} is missing`,
    "roll back or import again",
  );
}
