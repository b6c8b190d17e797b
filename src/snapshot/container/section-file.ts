import { crc32 } from "node:zlib";
import type { Section } from "./section.ts";

/**
 * The container of a snapshot (FORMAT.md, "Container"): a header, a table of named sections, and the sections, each
 * aligned to 64 bytes and with its own CRC-32.
 */
export const FORMAT_VERSION = 3;
export const ALIGNMENT = 64;
const HEADER_BYTES = 64;
const ENTRY_BYTES = 48;
export const NAME_BYTES = 24;
export const MAX_SECTIONS = 128;
export const FIRST_SECTION = HEADER_BYTES + MAX_SECTIONS * ENTRY_BYTES;

/** The identity of a kind of section file. */
export interface SectionFileType {
  readonly magic: string;
  /** The version that this program writes. */
  readonly version: number;
  /** The oldest version that it reads. */
  readonly oldest: number;
  /** Its name in messages. */
  readonly name: string;
}

export const PROVIDERS_FILE: SectionFileType = {
  magic: "PDSNAPSH",
  version: FORMAT_VERSION,
  oldest: 2,
  name: "snapshot",
};

/** The extended index of a snapshot. */
export const EXTENDED_FILE: SectionFileType = {
  magic: "PDEXTEND",
  version: 1,
  oldest: 1,
  name: "extended index",
};

/** In a snapshot of format version 2, the name of the section that is the file of the extended index. */
const EMBEDDED = "scopes";
/** Parts of the names of sections in an older version, and what they are now. */
const OLD_NAMES: readonly (readonly [old: RegExp, name: string])[] = [
  [/gram(?=[A-Zs])/, "ngram"],
  [/^piece\b/, "frequentNgrams"],
  [/\bloose\b/, "unplaced"],
];

/** The file cannot be used as a snapshot. The message says what is wrong and what to do. */
export class SnapshotFormatError extends Error {
  override readonly name = "SnapshotFormatError";
  /** The fault, as the start of a sentence. */
  readonly fault: string;
  /** The advice, as text after a semicolon. */
  readonly advice: string;

  constructor(fault: string, advice: string, options?: ErrorOptions) {
    super(`${fault}; ${advice}.`, options);
    this.fault = fault;
    this.advice = advice;
  }
}

/** An entry of the section table. */
export interface SectionEntry {
  readonly name: string;
  readonly offset: number;
  readonly bytes: number;
  /** Bytes per element: 1, 2, 4 or 8. */
  readonly elementBytes: number;
  readonly crc: number;
}

/** The header of a file. */
export interface FileHeader {
  /** The file's format version. */
  readonly version: number;
  /** In file order. */
  readonly entries: readonly SectionEntry[];
  /** The extended index, in a snapshot of format version 2 that has one. */
  readonly embedded: SectionEntry | null;
}

/** Finds the entry of a section. Throws SnapshotFormatError if it is missing or has another element size. */
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
      `The snapshot's section "${name}" has the wrong element size`,
      "import again",
    );
  return entry;
}

/** Encodes a file's bytes up to the first section. */
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

/** Checks the first bytes of a file. */
export function decodeHeader(
  bytes: Uint8Array,
  fileLength: number,
  { magic, name, oldest, version: newest }: SectionFileType = PROVIDERS_FILE,
): FileHeader {
  const oneOf = `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
  if (bytes.length < FIRST_SECTION)
    throw new SnapshotFormatError(
      `The file is too short to be ${oneOf}`,
      "import again",
    );
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (new TextDecoder("latin1").decode(bytes.subarray(0, 8)) !== magic) {
    throw new SnapshotFormatError(
      `The file is not ${oneOf} (its first bytes are wrong), or writing it was interrupted`,
      "import again",
    );
  }
  const version = view.getUint32(8, true);
  if (version < oldest || version > newest) {
    const known = oldest === newest ? newest : `${oldest} to ${newest}`;
    throw new SnapshotFormatError(
      `The ${name} has format version ${version}, but this program reads ${known}`,
      "import again, or run the program version that wrote it",
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
      `The ${name} has ${fileLength} bytes; its header says ${length}`,
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
  const embedded = sections.find((each) => each.name === EMBEDDED) ?? null;
  const entries = sections.filter((each) => each !== embedded);
  return {
    version,
    entries: version < newest ? entries.map(renamed) : entries,
    embedded,
  };
}

function renamed(entry: SectionEntry): SectionEntry {
  const name = OLD_NAMES.reduce(
    (before, [old, now]) => before.replace(old, now),
    entry.name,
  );
  return { ...entry, name };
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
