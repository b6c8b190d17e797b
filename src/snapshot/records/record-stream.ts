import { SECTIONS } from "../container/descriptors.ts";
import type { DiskSections } from "../container/disk-sections.ts";

const BUFFER_BYTES = 1 << 20;
const MAX_VARINT = 5;

/** Reads the records of a snapshot on the disk in the order of documents, a megabyte at a time. */
export class RecordStream {
  /** Holds the record that was read last, from `start` to `end` - 1. */
  bytes: Uint8Array = new Uint8Array(BUFFER_BYTES);
  start = 0;
  end = 0;
  readonly #sections: DiskSections;
  /** Where the record that follows begins in `bytes`, where what was read ends there, and where that is in the section. */
  #next = 0;
  #filled = 0;
  #read = 0;

  constructor(sections: DiskSections) {
    this.#sections = sections;
  }

  /** Goes to the next document's record. */
  next(): void {
    if (this.#filled - this.#next < MAX_VARINT) this.#fill(MAX_VARINT);
    const bytes = this.bytes;
    let at = this.#next;
    let byte = bytes[at++]!;
    let length = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!;
      length |= (byte & 0x7f) << shift;
    }
    const prefix = at - this.#next;
    if (this.#filled - at < length) this.#fill(prefix + length);
    this.start = this.#next + prefix;
    this.end = this.#next = this.start + length;
  }

  /** Reads on, so that at least `needed` bytes stand behind `#next`, or all that are left. */
  #fill(needed: number): void {
    const left = this.bytes.subarray(this.#next, this.#filled);
    if (needed > this.bytes.length) {
      const larger = new Uint8Array(needed * 2);
      larger.set(left);
      this.bytes = larger;
    } else {
      this.bytes.copyWithin(0, this.#next, this.#filled);
    }
    this.#filled = left.length;
    this.#next = 0;
    const read = this.#sections.readAt(
      SECTIONS.recordBytes,
      this.bytes.subarray(this.#filled),
      this.#read,
    );
    this.#read += read;
    this.#filled += read;
  }
}
