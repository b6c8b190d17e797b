import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { CheckedElements } from "./checked-elements.ts";
import {
  decodeHeader,
  FIRST_SECTION,
  PROVIDERS_FILE,
  sectionNamed,
  SnapshotFormatError,
  type Section,
  type SectionFileType,
  type Sections,
} from "./section-file.ts";
import { readFully } from "./read-section-file.ts";

const CHECKED_BYTES = 1 << 22;

/** The sections of a snapshot file that stays on the disk: each is read anew when it is asked for, and nothing is kept. */
export class DiskSections implements Sections, Disposable {
  readonly path: string;
  readonly #fd: number;
  readonly #sections: readonly Section[];

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

  bytes(name: string): Uint8Array {
    return new Uint8Array(this.#read(name, 1));
  }

  /** A section of bytes, compared with its checksum. Throws SnapshotFormatError where it is damaged. */
  checkedBytes(name: string): Uint8Array {
    const bytes = this.bytes(name);
    if (crc32(bytes) !== sectionNamed(this.#sections, name, 1).crc)
      throw new SnapshotFormatError(
        `The section "${name}" does not match its checksum`,
        "roll back or import again",
      );
    return bytes;
  }

  /** The elements of a section of 16 or 32 bits, each checked when it is read. */
  checkedElements(name: string, elementBytes: 2 | 4): CheckedElements {
    const section = sectionNamed(this.#sections, name, elementBytes);
    return new CheckedElements(this.#fd, section);
  }

  uint16(name: string): Uint16Array {
    return new Uint16Array(this.#read(name, 2));
  }

  uint32(name: string): Uint32Array {
    return new Uint32Array(this.#read(name, 4));
  }

  /** How many bytes a section of bytes has. */
  length(name: string): number {
    return sectionNamed(this.#sections, name, 1).bytes;
  }

  /** Reads bytes of a section from `from` on, as many as `target` takes and the section has, and returns how many. */
  readAt(name: string, target: Uint8Array, from: number): number {
    const { bytes, offset } = sectionNamed(this.#sections, name, 1);
    const length = Math.max(0, Math.min(target.length, bytes - from));
    readFully(this.#fd, target.subarray(0, length), offset + from);
    return length;
  }

  /** One element of a section of 16 or 32 bits. */
  element(name: string, elementBytes: 2 | 4, index: number): number {
    const { offset } = sectionNamed(this.#sections, name, elementBytes);
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

  #read(name: string, elementBytes: number): ArrayBuffer {
    const section = sectionNamed(this.#sections, name, elementBytes);
    const bytes = new Uint8Array(section.bytes);
    readFully(this.#fd, bytes, section.offset);
    return bytes.buffer;
  }
}
