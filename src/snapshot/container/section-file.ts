import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "node:zlib";
import type { Section, SectionArray } from "./descriptors.ts";
import type { Sections } from "./sections.ts";

/**
 * The container of a snapshot (FORMAT.md, "Container"): a header, a table of named sections, and the sections, each
 * aligned to 64 bytes and guarded by its own CRC-32.
 */
export const FORMAT_VERSION = 2;
export const ALIGNMENT = 64;
const HEADER_BYTES = 64;
const ENTRY_BYTES = 48;
export const NAME_BYTES = 24;
export const MAX_SECTIONS = 128;
/** How much is checked in one go. */
const CHECKED_BYTES = 1 << 25;
export const FIRST_SECTION = HEADER_BYTES + MAX_SECTIONS * ENTRY_BYTES;

/** What a file of sections says of itself first. */
export interface SectionFileType {
  readonly magic: string;
  readonly version: number;
  /** What messages call it. */
  readonly name: string;
}

export const PROVIDERS_FILE: SectionFileType = {
  magic: "PDSNAPSH",
  version: FORMAT_VERSION,
  name: "snapshot",
};

/** The file cannot be used as a snapshot. The message is a sentence of the fault and of what to do about it. */
export class SnapshotFormatError extends Error {
  override readonly name = "SnapshotFormatError";
  /** What is wrong, as it stands at the beginning of a sentence. */
  readonly fault: string;
  /** What to do, as it follows a semicolon. */
  readonly advice: string;

  constructor(fault: string, advice: string, options?: ErrorOptions) {
    super(`${fault}; ${advice}.`, options);
    this.fault = fault;
    this.advice = advice;
  }
}

/** A section as the table of a file has it. */
export interface SectionEntry {
  readonly name: string;
  readonly offset: number;
  readonly bytes: number;
  /** Bytes of one element: 1, 2, 4 or 8. */
  readonly elementBytes: number;
  readonly crc: number;
}

/** A snapshot's bytes in shared memory, so that every worker thread views the same ones. */
export class SectionFile implements Sections {
  readonly buffer: SharedArrayBuffer;
  /** Where the file begins in the buffer, and its sections by their offsets in the file. */
  readonly #from: number;
  readonly #sections: readonly SectionEntry[];

  /**
   * Checks header and table of the file at `from` to `from + length` - 1 of a buffer, which is the whole of it but for a
   * file inside a section; the sections' own checksums are `corruptSections`' work.
   */
  constructor(
    buffer: SharedArrayBuffer,
    from = 0,
    length: number = buffer.byteLength - from,
  ) {
    this.buffer = buffer;
    const head = new Uint8Array(
      buffer,
      from,
      Math.min(FIRST_SECTION, length),
    ).slice();
    this.#from = from;
    this.#sections = decodeHeader(head, length);
  }

  /** All sections, in the order in which they were written. */
  sections(): SectionEntry[] {
    return [...this.#sections];
  }

  has({ name }: Section): boolean {
    return this.#sections.some((section) => section.name === name);
  }

  /** The file that a section holds. */
  fileIn(section: Section<Uint8Array>): SectionFile {
    const { bytes, offset } = entryOf(this.#sections, section);
    return new SectionFile(this.buffer, this.#from + offset, bytes);
  }

  get<A extends SectionArray>(section: Section<A>): A {
    const { bytes, offset } = entryOf(this.#sections, section);
    const { element } = section;
    return element.view(
      this.buffer,
      this.#from + offset,
      bytes / element.bytes,
    );
  }

  /** The names of the sections whose bytes do not match their checksum. */
  corruptSections(): string[] {
    const checks = this.#checks();
    for (;;) {
      const step = checks.next();
      if (step.done === true) return step.value;
    }
  }

  /** The same, some ten milliseconds at a time, so that the thread can do other work meanwhile. */
  async findCorruptSections(): Promise<string[]> {
    const checks = this.#checks();
    for (;;) {
      const step = checks.next();
      if (step.done === true) return step.value;
      await nextTurn();
    }
  }

  *#checks(): Generator<void, string[]> {
    const corrupt: string[] = [];
    for (const { bytes, crc, name, offset } of this.#sections) {
      let actual = 0;
      for (let at = 0; at < bytes; at += CHECKED_BYTES) {
        const length = Math.min(CHECKED_BYTES, bytes - at);
        const from = this.#from + offset + at;
        actual = crc32(Buffer.from(this.buffer, from, length), actual);
        yield;
      }
      if (actual !== crc) corrupt.push(name);
    }
    return corrupt;
  }
}

/** The entry of a section; throws SnapshotFormatError where there is none, or one with elements of another size. */
export function entryOf(
  entries: readonly SectionEntry[],
  { element, name }: Section,
): SectionEntry {
  const entry = entries.find((each) => each.name === name);
  if (entry === undefined)
    throw new SnapshotFormatError(
      `The snapshot has no section "${name}"`,
      "import again",
    );
  if (entry.elementBytes !== element.bytes || entry.bytes % element.bytes !== 0)
    throw new SnapshotFormatError(
      `The snapshot's section "${name}" has another element size`,
      "import again",
    );
  return entry;
}

/** A file's first bytes, up to the first section. */
export function encodeHeader(
  sections: readonly SectionEntry[],
  length: number,
  type: SectionFileType = PROVIDERS_FILE,
): Uint8Array {
  const bytes = new Uint8Array(FIRST_SECTION);
  const view = new DataView(bytes.buffer);
  sections.forEach((section, index) => {
    const at = HEADER_BYTES + index * ENTRY_BYTES;
    new TextEncoder().encodeInto(
      section.name,
      bytes.subarray(at, at + NAME_BYTES),
    );
    view.setBigUint64(at + 24, BigInt(section.offset), true);
    view.setBigUint64(at + 32, BigInt(section.bytes), true);
    view.setUint32(at + 40, section.elementBytes, true);
    view.setUint32(at + 44, section.crc, true);
  });
  new TextEncoder().encodeInto(type.magic, bytes);
  view.setUint32(8, type.version, true);
  view.setUint32(12, sections.length, true);
  view.setBigUint64(16, BigInt(length), true);
  view.setUint32(24, crc32(bytes.subarray(HEADER_BYTES)), true);
  view.setUint32(28, crc32(bytes.subarray(0, 28)), true);
  return bytes;
}

/** Checks a file's first bytes and returns its sections. */
export function decodeHeader(
  bytes: Uint8Array,
  fileLength: number,
  { magic, name, version: known }: SectionFileType = PROVIDERS_FILE,
): SectionEntry[] {
  if (bytes.length < FIRST_SECTION)
    throw new SnapshotFormatError(
      `The file is too short for a ${name}`,
      "import again",
    );
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (new TextDecoder("latin1").decode(bytes.subarray(0, 8)) !== magic) {
    throw new SnapshotFormatError(
      `The file is not a ${name} (its first bytes are others), or was not finished`,
      "import again",
    );
  }
  const version = view.getUint32(8, true);
  if (version !== known) {
    throw new SnapshotFormatError(
      `The ${name} has format version ${version}, this program reads ${known}`,
      "import again, or use the matching program",
    );
  }
  if (crc32(bytes.subarray(0, 28)) !== view.getUint32(28, true)) {
    throw new SnapshotFormatError(
      `The ${name}'s header is damaged`,
      "roll back or import again",
    );
  }
  if (crc32(bytes.subarray(HEADER_BYTES)) !== view.getUint32(24, true)) {
    throw new SnapshotFormatError(
      `The ${name}'s section table is damaged`,
      "roll back or import again",
    );
  }
  const length = Number(view.getBigUint64(16, true));
  if (length !== fileLength) {
    throw new SnapshotFormatError(
      `The ${name} has ${fileLength} bytes instead of ${length}`,
      "roll back or import again",
    );
  }
  const sections = Array.from(
    { length: view.getUint32(12, true) },
    (_, index) => decodeEntry(bytes, view, index),
  );
  const isInside = ({ offset, bytes: size }: SectionEntry): boolean =>
    offset % ALIGNMENT === 0 && offset + size <= length;
  if (!sections.every(isInside)) {
    throw new SnapshotFormatError(
      `The ${name}'s section table points outside the file`,
      "roll back or import again",
    );
  }
  return sections;
}

function decodeEntry(
  bytes: Uint8Array,
  view: DataView,
  index: number,
): SectionEntry {
  const at = HEADER_BYTES + index * ENTRY_BYTES;
  const name = Array.from(bytes.subarray(at, at + NAME_BYTES)).filter(
    (byte) => byte !== 0,
  );
  return {
    name: String.fromCharCode(...name),
    offset: Number(view.getBigUint64(at + 24, true)),
    bytes: Number(view.getBigUint64(at + 32, true)),
    elementBytes: view.getUint32(at + 40, true),
    crc: view.getUint32(at + 44, true),
  };
}
