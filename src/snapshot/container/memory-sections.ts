import type { Section, SectionArray } from "./section.ts";
import { decodeHeader, FIRST_SECTION } from "./section-file.ts";
import { Sections } from "./sections.ts";

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
