import type { Section, SectionArray } from "./section.ts";
import { decodeHeader, FIRST_SECTION } from "./section-file.ts";
import { Sections } from "./sections.ts";

/** A snapshot's bytes in shared memory, which all worker threads view. */
export class MemorySections extends Sections {
  readonly buffer: SharedArrayBuffer;
  protected readonly checkedBytes = 1 << 21;
  /** Offset of the file in the buffer. */
  protected readonly from: number;

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
    this.from = from;
  }

  get<A extends SectionArray>(section: Section<A>): A {
    const { bytes, offset } = this.entry(section);
    const { element } = section;
    const at = this.from + offset;
    return element.view(this.buffer, at, bytes / element.bytes);
  }

  /** The file inside a section. */
  fileIn(section: Section<Uint8Array>): MemorySections {
    const { bytes, offset } = this.entry(section);
    return new MemorySections(this.buffer, this.from + offset, bytes);
  }

  protected part(from: number, length: number): Uint8Array {
    return Buffer.from(this.buffer, this.from + from, length);
  }
}
