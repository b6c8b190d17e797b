import { closeSync, existsSync, fstatSync, openSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withPath } from "../../registry/files/registry-file-error.ts";
import { hasExtendedParts } from "../extended/extended-index.ts";
import { parseMetadata } from "../metadata.ts";
import { SECTIONS } from "./descriptors.ts";
import {
  DiskSections,
  readFully,
  truncated,
  damaged,
} from "./disk-sections.ts";
import { MemorySections } from "./sections.ts";
import {
  EXTENDED_FILE,
  FIRST_SECTION,
  PROVIDERS_FILE,
  SnapshotFormatError,
  type SectionEntry,
  type SectionFileType,
} from "./section-file.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "node:zlib";
import type { Section, SectionArray } from "./section.ts";

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

/** A file whose sections are read when they are first used, into memory that all threads share. Plain data. */
interface LazyFile {
  readonly path: string;
  readonly type: SectionFileType;
  /** The section of the file that it is, if it is one. */
  readonly within: SectionEntry | null;
  /** Each byte at its place in the file. Unused sections are zeros, which take no memory. */
  readonly memory: SharedArrayBuffer;
}

/**
 * The sections of a lazily loaded file. Memory has a section if it matches the section's checksum; else this thread
 * reads it. Threads that read the same section at once write the same bytes. The file stays open, so it may be removed.
 */
export class LazySections extends DiskSections {
  protected override readonly checkedBytes = 1 << 21;
  readonly #memory: SharedArrayBuffer;
  #isOpen = true;

  constructor({ memory, path, type, within }: LazyFile) {
    super(path, type, within);
    this.#memory = memory;
  }

  /** Throws SnapshotFormatError also if the section cannot be read, or is damaged. */
  override get<A extends SectionArray>(section: Section<A>): A {
    const entry = this.entry(section);
    this.#load(entry);
    const { element } = section;
    return element.view(
      this.#memory,
      entry.offset,
      entry.bytes / element.bytes,
    );
  }

  /** Loads the sections that another file of the same kind has in memory, with turns for other work in between. */
  async loadAsIn(other: LazySections): Promise<void> {
    for (const before of other.entries) {
      const entry = this.entries.find(({ name }) => name === before.name);
      if (entry !== undefined && other.#isLoaded(before)) this.#load(entry);
      await nextTurn();
    }
  }

  override [Symbol.dispose](): void {
    this.#isOpen = false;
    super[Symbol.dispose]();
  }

  protected override read<T extends Uint8Array>(
    target: T,
    position: number,
  ): T {
    try {
      if (!this.#isOpen) throw new Error("The snapshot is closed");
      return withPath(this.path, () => super.read(target, position));
    } catch (cause) {
      if (cause instanceof SnapshotFormatError) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new SnapshotFormatError(
        `${this.path} cannot be read (${why})`,
        "check the disk with snapshots verify, then restart the service, roll back, or import again",
        { cause },
      );
    }
  }

  #isLoaded(entry: SectionEntry): boolean {
    return crc32(this.#memoryOf(entry)) === entry.crc;
  }

  #load(entry: SectionEntry): void {
    if (this.#isLoaded(entry)) return;
    this.read(this.#memoryOf(entry), entry.offset);
    if (!this.#isLoaded(entry)) throw damaged(entry);
  }

  #memoryOf({ bytes, offset }: SectionEntry): Uint8Array {
    return new Uint8Array(this.#memory, offset, bytes);
  }
}
