import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "node:zlib";
import type {
  ArraysOf,
  Section,
  SectionArray,
  SectionGroup,
} from "./section.ts";
import {
  entryOf,
  type FileHeader,
  type SectionEntry,
  decodeHeader,
  FIRST_SECTION,
} from "./section-file.ts";

/**
 * The sections of a file, in memory or on disk. Methods that take a section throw SnapshotFormatError if there is none
 * of that name, or if its type differs. Checksums are verified only by the methods that say so.
 */
export abstract class Sections {
  /** In file order. */
  readonly entries: readonly SectionEntry[];
  readonly header: FileHeader;
  /** The number of bytes that are checked at a time. */
  protected abstract readonly checkedBytes: number;

  constructor(header: FileHeader) {
    this.header = header;
    this.entries = header.entries;
  }

  /** Returns all elements: a view in memory, a copy from disk. */
  abstract get<A extends SectionArray>(section: Section<A>): A;

  /** Reads bytes of the file, valid until the next call. */
  protected abstract part(from: number, length: number): Uint8Array;

  has({ name }: Section): boolean {
    return this.entries.some((entry) => entry.name === name);
  }

  /** Lists the names of the sections whose bytes do not match their checksum. */
  corruptSections(): string[] {
    return [...this.#checks()].filter((name) => name !== null);
  }

  /** Does what corruptSections does, in steps of a few milliseconds, so the thread can do other work in between. */
  async findCorruptSections(): Promise<string[]> {
    const corrupt: string[] = [];
    for (const name of this.#checks()) {
      if (name !== null) corrupt.push(name);
      await nextTurn();
    }
    return corrupt;
  }

  /** Returns the first such name, or null. */
  firstCorrupt(): string | null {
    for (const name of this.#checks()) if (name !== null) return name;
    return null;
  }

  /** Checks one part at a time; yields the name of each corrupt section once. */
  *#checks(): Generator<string | null> {
    for (const { bytes, crc, name, offset } of this.entries) {
      let actual = 0;
      for (let at = 0; at < bytes; at += this.checkedBytes) {
        const length = Math.min(this.checkedBytes, bytes - at);
        actual = crc32(this.part(offset + at, length), actual);
        yield null;
      }
      if (actual !== crc) yield name;
    }
  }

  protected entry(section: Section): SectionEntry {
    return entryOf(this.entries, section);
  }
}

/** Opens the sections of a group, by the group's keys. */
export function openGroup<G extends SectionGroup>(
  sections: Sections,
  group: G,
): ArraysOf<G>;
export function openGroup(
  sections: Sections,
  group: SectionGroup,
): Record<string, SectionArray> {
  return Object.fromEntries(
    Object.entries(group).map(([key, section]) => [key, sections.get(section)]),
  );
}

/** A snapshot's bytes in shared memory, which all worker threads view. */
export class MemorySections extends Sections {
  readonly buffer: SharedArrayBuffer;
  protected readonly checkedBytes = 1 << 21;

  /** Checks header and table. */
  constructor(buffer: SharedArrayBuffer) {
    const { byteLength } = buffer;
    const headBytes = Math.min(FIRST_SECTION, byteLength);
    const head = new Uint8Array(buffer, 0, headBytes).slice();
    super(decodeHeader(head, byteLength));
    this.buffer = buffer;
  }

  get<A extends SectionArray>(section: Section<A>): A {
    const { bytes, offset } = this.entry(section);
    const { element } = section;
    return element.view(this.buffer, offset, bytes / element.bytes);
  }

  protected part(from: number, length: number): Uint8Array {
    return Buffer.from(this.buffer, from, length);
  }
}
