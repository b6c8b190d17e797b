import { closeSync, fstatSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { withPath } from "../../registry/files/with-path.ts";
import type { Section, SectionArray } from "./section.ts";
import { readFully, truncated } from "./disk-sections.ts";
import { decodeHeader, FIRST_SECTION } from "./section-file.ts";
import { Sections } from "./sections.ts";

const READ_BYTES = 1 << 24;

/** A snapshot's bytes in shared memory, which all worker threads view. */
export class MemorySections extends Sections {
  readonly buffer: SharedArrayBuffer;
  protected readonly checkedBytes = 1 << 25;
  /** Offset of the file in the buffer. */
  readonly #from: number;

  /**
   * Checks header and table of the file at `from` to `from + length` - 1 of a buffer. The file is the whole buffer,
   * unless it is inside a section.
   */
  constructor(
    buffer: SharedArrayBuffer,
    from = 0,
    length: number = buffer.byteLength - from,
  ) {
    const headBytes = Math.min(FIRST_SECTION, length);
    const head = new Uint8Array(buffer, from, headBytes).slice();
    super(decodeHeader(head, length));
    this.buffer = buffer;
    this.#from = from;
  }

  get<A extends SectionArray>(section: Section<A>): A {
    const { bytes, offset } = this.entry(section);
    const { element } = section;
    const at = this.#from + offset;
    return element.view(this.buffer, at, bytes / element.bytes);
  }

  /** The file inside a section. */
  fileIn(section: Section<Uint8Array>): MemorySections {
    const { bytes, offset } = this.entry(section);
    return new MemorySections(this.buffer, this.#from + offset, bytes);
  }

  protected part(from: number, length: number): Uint8Array {
    return Buffer.from(this.buffer, this.#from + from, length);
  }
}

/** Reads a snapshot file into shared memory. */
export function readSectionFile(path: string): SharedArrayBuffer {
  const fd = openSync(path, "r");
  try {
    const buffer = new SharedArrayBuffer(fstatSync(fd).size);
    withPath(path, () => readFully(fd, new Uint8Array(buffer), 0));
    return buffer;
  } finally {
    closeSync(fd);
  }
}

/** The same without blocking this thread. Throws the signal's reason, too. */
export async function loadSectionFile(
  path: string,
  signal: AbortSignal,
): Promise<SharedArrayBuffer> {
  await using file = await open(path);
  const buffer = new SharedArrayBuffer((await file.stat()).size);
  const target = new Uint8Array(buffer);
  for (let at = 0; at < target.length;) {
    signal.throwIfAborted();
    const length = Math.min(READ_BYTES, target.length - at);
    const { bytesRead } = await file.read(target, at, length, at);
    if (bytesRead === 0) throw truncated();
    at += bytesRead;
  }
  return buffer;
}
