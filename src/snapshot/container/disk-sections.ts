import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { Section, SectionArray } from "./descriptors.ts";
import type { Sections } from "./sections.ts";
import { CheckedElements } from "./checked-elements.ts";
import {
  decodeHeader,
  entryOf,
  FIRST_SECTION,
  PROVIDERS_FILE,
  SnapshotFormatError,
  type SectionEntry,
  type SectionFileType,
} from "./section-file.ts";
import { readFully } from "./read-section-file.ts";

const CHECKED_BYTES = 1 << 22;

/** The sections of a snapshot file that stays on the disk: each is read anew when it is asked for, and nothing is kept. */
export class DiskSections implements Sections, Disposable {
  readonly path: string;
  readonly #fd: number;
  readonly #sections: readonly SectionEntry[];

  /** Checks header and table. Throws SnapshotFormatError, and the file system's own errors. */
  constructor(path: string, type: SectionFileType = PROVIDERS_FILE) {
    this.path = path;
    this.#fd = openSync(path, "r");
    try {
      const length = fstatSync(this.#fd).size;
      const head = new Uint8Array(Math.min(FIRST_SECTION, length));
      this.#sections = decodeHeader(readFully(this.#fd, head, 0), length, type);
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  has({ name }: Section): boolean {
    return this.#sections.some((each) => each.name === name);
  }

  get<A extends SectionArray>(section: Section<A>): A {
    const { bytes, offset } = entryOf(this.#sections, section);
    const { element } = section;
    const { buffer } = readFully(this.#fd, new Uint8Array(bytes), offset);
    return element.view(buffer, 0, bytes / element.bytes);
  }

  /** A section of bytes, compared with its checksum. Throws SnapshotFormatError where it is damaged. */
  checkedBytes(section: Section<Uint8Array>): Uint8Array {
    const bytes = this.get(section);
    if (crc32(bytes) !== entryOf(this.#sections, section).crc)
      throw new SnapshotFormatError(
        `The section "${section.name}" does not match its checksum`,
        "roll back or import again",
      );
    return bytes;
  }

  /** The elements of a section of 16 or 32 bits, each checked when it is read. */
  checkedElements(
    section: Section<Uint16Array> | Section<Uint32Array>,
  ): CheckedElements {
    return new CheckedElements(this.#fd, entryOf(this.#sections, section));
  }

  /** How many bytes a section of bytes has. */
  length(section: Section<Uint8Array>): number {
    return entryOf(this.#sections, section).bytes;
  }

  /** Reads bytes of a section from `from` on, as many as `target` takes and the section has, and returns how many. */
  readAt(
    section: Section<Uint8Array>,
    target: Uint8Array,
    from: number,
  ): number {
    const { bytes, offset } = entryOf(this.#sections, section);
    const length = Math.max(0, Math.min(target.length, bytes - from));
    readFully(this.#fd, target.subarray(0, length), offset + from);
    return length;
  }

  /** One element of a section of 16 or 32 bits. */
  element(
    section: Section<Uint16Array> | Section<Uint32Array>,
    index: number,
  ): number {
    const { elementBytes, offset } = entryOf(this.#sections, section);
    const element = Buffer.alloc(elementBytes);
    readFully(this.#fd, element, offset + index * elementBytes);
    return element.readUIntLE(0, elementBytes);
  }

  /** The first section whose bytes do not match its checksum, or null. */
  firstCorrupt(): string | null {
    const buffer = new Uint8Array(CHECKED_BYTES);
    const corrupt = this.#sections.find(({ bytes, crc, offset }) => {
      let actual = 0;
      for (let at = 0; at < bytes;) {
        const length = Math.min(buffer.length, bytes - at);
        const read = readSync(this.#fd, buffer, 0, length, offset + at);
        if (read === 0) return true;
        actual = crc32(buffer.subarray(0, read), actual);
        at += read;
      }
      return actual !== crc;
    });
    return corrupt?.name ?? null;
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}
