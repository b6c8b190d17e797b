import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { withPath } from "../../registry/files/registry-file-error.ts";
import type { Section, SectionArray } from "./section.ts";
import {
  decodeHeader,
  FIRST_SECTION,
  PROVIDERS_FILE,
  SnapshotFormatError,
  type FileHeader,
  type SectionEntry,
  type SectionFileType,
} from "./section-file.ts";
import { Sections } from "./sections.ts";

const READ_BYTES = 1 << 24;
const BLOCK_BYTES = 4_096;
/** Bytes of blocks that are read at once. */
const CHECKED_AT_ONCE = 1 << 22;

/** The sections of a file on disk: each is read on request, and nothing is cached. */
export class DiskSections extends Sections implements Disposable {
  readonly path: string;
  protected readonly checkedBytes: number = 1 << 22;
  readonly #fd: number;
  #part: Uint8Array | null = null;

  /**
   * Checks header and table, of a file that is a section of the file if `within` is one. A file that is still being
   * written has neither yet: `within` then is the sections written so far. Throws SnapshotFormatError and file system
   * errors.
   */
  constructor(
    path: string,
    type: SectionFileType = PROVIDERS_FILE,
    within: SectionEntry | readonly SectionEntry[] | null = null,
  ) {
    const { fd, header } = isTable(within)
      ? { header: unfinished(within, type), fd: openSync(path, "r") }
      : openFile(path, type, within);
    super(header);
    this.path = path;
    this.#fd = fd;
  }

  get<A extends SectionArray>(section: Section<A>): A {
    const { bytes, offset } = this.entry(section);
    const { element } = section;
    const { buffer } = readFully(this.#fd, new Uint8Array(bytes), offset);
    return element.view(buffer, 0, bytes / element.bytes);
  }

  /** Reads a section of bytes, verified against its checksum. Throws SnapshotFormatError if it is damaged. */
  getChecked(section: Section<Uint8Array>): Uint8Array {
    const bytes = this.get(section);
    const entry = this.entry(section);
    if (crc32(bytes) !== entry.crc) throw damaged(entry);
    return bytes;
  }

  /** Opens the elements of a section of 16 or 32 bits, each verified when it is read; with "held", all at once. */
  checkedElements(
    section: Section<Uint16Array> | Section<Uint32Array>,
    ...held: "held"[]
  ): CheckedElements {
    const entry = this.entry(section);
    const blockBytes = held.length > 0 ? entry.bytes : BLOCK_BYTES;
    return new CheckedElements(this.#fd, entry, blockBytes);
  }

  /**
   * Picks the elements of a section at ascending indexes below its length. Reads and verifies the whole section without
   * keeping it. Throws SnapshotFormatError if it is damaged.
   */
  elementsAt(section: Section<Uint32Array>, indexes: Uint32Array): Uint32Array {
    const entry = this.entry(section);
    const elements = new Uint32Array(indexes.length);
    let next = 0;
    let crc = 0;
    for (let at = 0; at < entry.bytes; at += this.checkedBytes) {
      const length = Math.min(this.checkedBytes, entry.bytes - at);
      const part = this.part(entry.offset + at, length);
      crc = crc32(part, crc);
      const values = new Uint32Array(
        part.buffer,
        part.byteOffset,
        length >>> 2,
      );
      const first = at >>> 2;
      for (; indexes[next]! - first < values.length; next++)
        elements[next] = values[indexes[next]! - first]!;
    }
    if (crc !== entry.crc) throw damaged(entry);
    return elements;
  }

  /** Counts the bytes of a section of bytes. */
  length(section: Section<Uint8Array>): number {
    return this.entry(section).bytes;
  }

  /** Reads bytes of a section from `from` into `target`. Returns how many were read: fewer at the section's end. */
  readAt(section: Section, target: Uint8Array, from: number): number {
    const { bytes, offset } = this.entry(section);
    const length = Math.max(0, Math.min(target.length, bytes - from));
    this.read(target.subarray(0, length), offset + from);
    return length;
  }

  /** Reads one element of a section of 16 or 32 bits. */
  element(
    section: Section<Uint16Array> | Section<Uint32Array>,
    index: number,
  ): number {
    const { elementBytes, offset } = this.entry(section);
    const element = Buffer.alloc(elementBytes);
    readFully(this.#fd, element, offset + index * elementBytes);
    return element.readUIntLE(0, elementBytes);
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }

  /** Fills `target` from a position in the file. */
  protected read<T extends Uint8Array>(target: T, position: number): T {
    return readFully(this.#fd, target, position);
  }

  protected part(from: number, length: number): Uint8Array {
    this.#part ??= new Uint8Array(this.checkedBytes);
    return this.read(this.#part.subarray(0, length), from);
  }
}

/**
 * Single elements of a section on disk, each verified when it is read. The file has one checksum for the whole section;
 * the first read goes through all of it and keeps one checksum per block.
 */
export class CheckedElements {
  readonly #fd: number;
  readonly #entry: SectionEntry;
  /** The block that was read last, and its number. */
  readonly #block: Buffer;
  #number = -1;
  #checksums: Uint32Array | null = null;

  constructor(fd: number, entry: SectionEntry, blockBytes: number) {
    this.#fd = fd;
    this.#entry = entry;
    this.#block = Buffer.alloc(blockBytes);
  }

  /** Reads the element at an index below the section's length. Throws SnapshotFormatError if the section is damaged. */
  at(index: number): number {
    this.#checksums ??= this.#checksumsOfBlocks();
    const { elementBytes } = this.#entry;
    const from = index * elementBytes;
    const blockBytes = this.#block.length;
    const number = Math.floor(from / blockBytes);
    if (number !== this.#number) this.#read(number, this.#checksums);
    return this.#block.readUIntLE(from - number * blockBytes, elementBytes);
  }

  #read(number: number, checksums: Uint32Array): void {
    const { bytes, offset } = this.#entry;
    const begin = number * this.#block.length;
    const block = this.#block.subarray(0, bytes - begin);
    this.#number = -1;
    readFully(this.#fd, block, offset + begin);
    if (crc32(block) !== checksums[number]) throw damaged(this.#entry);
    this.#number = number;
  }

  #checksumsOfBlocks(): Uint32Array {
    const { bytes, crc, offset } = this.#entry;
    const blockBytes = this.#block.length;
    const checksums = new Uint32Array(Math.ceil(bytes / blockBytes));
    const blocksAtOnce = Math.max(1, Math.floor(CHECKED_AT_ONCE / blockBytes));
    const buffer = new Uint8Array(blockBytes * blocksAtOnce);
    let whole = 0;
    for (let at = 0; at < bytes; at += buffer.length) {
      const read = buffer.subarray(0, Math.min(buffer.length, bytes - at));
      readFully(this.#fd, read, offset + at);
      whole = crc32(read, whole);
      for (let begin = 0; begin < read.length; begin += blockBytes)
        checksums[(at + begin) / blockBytes] = crc32(
          read.subarray(begin, begin + blockBytes),
        );
    }
    if (whole !== crc) throw damaged(this.#entry);
    return checksums;
  }
}

function isTable(
  within: SectionEntry | readonly SectionEntry[] | null,
): within is readonly SectionEntry[] {
  return Array.isArray(within);
}

function unfinished(
  entries: readonly SectionEntry[],
  { version }: SectionFileType,
): FileHeader {
  return { version, entries, embedded: null };
}

/** Opens a file and checks its header and table. Offsets are those in the file, within a section or not. */
function openFile(
  path: string,
  type: SectionFileType,
  within: SectionEntry | null,
): { fd: number; header: FileHeader } {
  const fd = openSync(path, "r");
  try {
    const from = within?.offset ?? 0;
    const length = within?.bytes ?? fstatSync(fd).size;
    const head = new Uint8Array(Math.min(FIRST_SECTION, length));
    withPath(path, () => readFully(fd, head, from));
    const header = decodeHeader(head, length, type);
    const entries = header.entries.map((entry) => ({
      ...entry,
      offset: from + entry.offset,
    }));
    return { fd, header: { ...header, entries } };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Fills `target` from a position in a file. */
export function readFully<T extends Uint8Array>(
  fd: number,
  target: T,
  position: number,
): T {
  for (let at = 0; at < target.length;) {
    const length = Math.min(READ_BYTES, target.length - at);
    const read = readSync(fd, target, at, length, position + at);
    if (read === 0) throw truncated();
    at += read;
  }
  return target;
}

export function truncated(): SnapshotFormatError {
  return new SnapshotFormatError(
    "The snapshot file was truncated while it was read",
    "import again",
  );
}

export function damaged({ name }: SectionEntry): SnapshotFormatError {
  return new SnapshotFormatError(
    `The section "${name}" does not match its checksum`,
    "roll back or import again",
  );
}
