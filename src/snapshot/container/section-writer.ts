import {
  closeSync,
  fdatasync,
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
} from "./section.ts";
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
/** The number of unwritten bytes from which the system is made to flush. */
const FLUSHED_BYTES = 1 << 26;

/**
 * Takes sections one after the other, and notes the place, length, and checksum of each in a file. Keeps no bytes,
 * which is enough to compare sections with those of a file; `SectionFileWriter` writes them.
 */
export class SectionWriter {
  readonly #sections: SectionEntry[] = [];
  #position = FIRST_SECTION;
  #open: { section: Section; offset: number; crc: number } | null = null;

  /** The sections written so far, which can be read from the file. */
  get written(): readonly SectionEntry[] {
    return this.#sections;
  }

  /** Writes a whole section from one or more arrays. */
  write<A extends SectionArray>(
    section: Section<A>,
    ...arrays: NoInfer<A>[]
  ): void {
    this.begin(section);
    for (const { buffer, byteLength, byteOffset } of arrays)
      this.append(new Uint8Array(buffer, byteOffset, byteLength));
    this.end();
  }

  /** Writes the sections of a group, in order. */
  writeGroup<G extends SectionGroup>(group: G, arrays: ArraysOf<G>): void;
  writeGroup(
    group: SectionGroup,
    arrays: Readonly<Record<string, SectionArray>>,
  ): void {
    for (const [key, section] of Object.entries(group))
      this.write(section, arrays[key]!);
  }

  /** Starts a section; `append` adds its bytes. */
  begin(section: Section): void {
    const { name } = section;
    if (
      this.#open !== null ||
      name.length > NAME_BYTES ||
      this.#sections.length === MAX_SECTIONS
    ) {
      throw new Error(`Section ${name} cannot start here`);
    }
    this.#open = { section, offset: this.#position, crc: 0 };
  }

  append(bytes: Uint8Array): void {
    if (this.#open === null) throw new Error("No section is open");
    this.#open.crc = crc32(bytes, this.#open.crc);
    this.put(bytes, this.#position);
    this.#position += bytes.length;
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

  /** The length of the file with the sections so far. */
  protected get length(): number {
    return this.#position;
  }

  /** Receives the bytes of sections, each with its position in the file. */
  protected put(_bytes: Uint8Array, _position: number): void {}
}

/**
 * Writes sections one after the other to a new file; `finish` makes it a snapshot and flushes it to disk. The header is
 * written last, so an interrupted file is never mistaken for a snapshot.
 */
export class SectionFileWriter extends SectionWriter implements Disposable {
  readonly #fd: number;
  readonly #flush: EarlyFlush;
  readonly #type: SectionFileType;

  /** Creates a new file at `path`. */
  constructor(path: string, type: SectionFileType = PROVIDERS_FILE) {
    super();
    this.#type = type;
    this.#fd = openSync(path, "wx", 0o644);
    this.#flush = new EarlyFlush(path);
  }

  /** Pads the file, writes table and header, and flushes everything to disk. Returns the file's length in bytes. */
  finish(): number {
    const { length } = this;
    ftruncateSync(this.#fd, length);
    writeFully(this.#fd, encodeHeader(this.written, length, this.#type), 0);
    fsyncSync(this.#fd);
    return length;
  }

  [Symbol.dispose](): void {
    this.#flush[Symbol.dispose]();
    closeSync(this.#fd);
  }

  protected override put(bytes: Uint8Array, position: number): void {
    writeFully(this.#fd, bytes, position);
    this.#flush.wrote(position + bytes.length);
  }
}

/**
 * Flushes a file to disk while more of it is written, so the final flush is short; the system would only start after
 * half a minute. Uses its own descriptor: the system reports a disk error once per descriptor, and the final flush must
 * still see it.
 */
class EarlyFlush implements Disposable {
  readonly #fd: number;
  #begun = 0;
  #running = 0;
  #isDone = false;

  /** Opens the file, which must exist. */
  constructor(path: string) {
    this.#fd = openSync(path, "r");
  }

  /** Notes that the file is written up to `end`. */
  wrote(end: number): void {
    if (end - this.#begun < FLUSHED_BYTES) return;
    this.#begun = end;
    this.#running++;
    fdatasync(this.#fd, () => {
      this.#running--;
      this.#close();
    });
  }

  [Symbol.dispose](): void {
    this.#isDone = true;
    this.#close();
  }

  #close(): void {
    if (this.#isDone && this.#running === 0) closeSync(this.#fd);
  }
}

/** Writes all bytes at a position of a file. */
function writeFully(fd: number, bytes: Uint8Array, position: number): void {
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

/** Returns the first position from `position` on at which a section may start. */
function align(position: number): number {
  return Math.ceil(position / ALIGNMENT) * ALIGNMENT;
}
