import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  writeSync,
} from "node:fs";
import { crc32 } from "node:zlib";
import type {
  ArraysOf,
  Section,
  SectionArray,
  SectionGroup,
} from "./descriptors.ts";
import { EarlyFlush } from "./early-flush.ts";
import {
  ALIGNMENT,
  encodeHeader,
  FIRST_SECTION,
  MAX_SECTIONS,
  NAME_BYTES,
  PROVIDERS_FILE,
  type SectionEntry,
  type SectionFileType,
} from "./section-file.ts";

const WRITE_BYTES = 1 << 24;

/**
 * Writes sections one after the other to a new file; `finish` makes it a snapshot and flushes it to the disk. The header is
 * filled in last, so that a file whose writing was cut short is never taken for a snapshot.
 */
export class SectionWriter {
  readonly #fd: number;
  readonly #flush: EarlyFlush;
  readonly #type: SectionFileType;
  readonly #sections: SectionEntry[] = [];
  #position = FIRST_SECTION;
  #open: { section: Section; offset: number; crc: number } | null = null;

  constructor(path: string, type: SectionFileType = PROVIDERS_FILE) {
    this.#type = type;
    this.#fd = openSync(path, "wx", 0o644);
    this.#flush = new EarlyFlush(path);
  }

  /** Writes a whole section. */
  write<A extends SectionArray>(section: Section<A>, array: NoInfer<A>): void {
    this.begin(section);
    this.append(
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
    );
    this.end();
  }

  /** Writes the sections of a group, in its order. */
  writeGroup<G extends SectionGroup>(group: G, arrays: ArraysOf<G>): void;
  writeGroup(
    group: SectionGroup,
    arrays: Readonly<Record<string, SectionArray>>,
  ): void {
    for (const [key, section] of Object.entries(group))
      this.write(section, arrays[key]!);
  }

  /** Begins a section whose bytes follow by `append`. */
  begin(section: Section): void {
    const { name } = section;
    if (
      this.#open !== null ||
      name.length > NAME_BYTES ||
      this.#sections.length === MAX_SECTIONS
    ) {
      throw new Error(`Section ${name} cannot begin here`);
    }
    this.#open = { section, offset: this.#position, crc: 0 };
  }

  append(bytes: Uint8Array): void {
    if (this.#open === null) throw new Error("No section is open");
    this.#open.crc = crc32(bytes, this.#open.crc);
    writeFully(this.#fd, bytes, this.#position);
    this.#position += bytes.length;
    this.#flush.wrote(this.#position);
  }

  end(): void {
    if (this.#open === null) throw new Error("No section is open");
    const { section, offset, crc } = this.#open;
    this.#sections.push({
      name: section.name,
      offset,
      bytes: this.#position - offset,
      elementBytes: section.element.bytes,
      crc,
    });
    this.#position = align(this.#position);
    this.#open = null;
  }

  /** Pads the file, writes table and header, and forces all of it to the disk. Returns the file's length in bytes. */
  finish(): number {
    ftruncateSync(this.#fd, this.#position);
    writeFully(
      this.#fd,
      encodeHeader(this.#sections, this.#position, this.#type),
      0,
    );
    fsyncSync(this.#fd);
    return this.#position;
  }

  [Symbol.dispose](): void {
    this.#flush[Symbol.dispose]();
    closeSync(this.#fd);
  }
}

/** Writes all bytes to a place in a file. */
export function writeFully(
  fd: number,
  bytes: Uint8Array,
  position: number,
): void {
  for (let done = 0; done < bytes.length;) {
    done += writeSync(
      fd,
      bytes,
      done,
      Math.min(bytes.length - done, WRITE_BYTES),
      position + done,
    );
  }
}

/** The first place from a position on at which a section may begin. */
export function align(position: number): number {
  return Math.ceil(position / ALIGNMENT) * ALIGNMENT;
}
