import { SECTIONS } from "../container/descriptors.ts";
import type { DiskSections } from "../container/disk-sections.ts";
import { RECORDS_PER_BLOCK, RecordReader } from "./records.ts";

/** So much is read at once: records are mostly asked for in the order of documents. */
const WINDOW_BYTES = 1 << 16;

/** Reads the records of a snapshot on the disk; in memory are the words, and a window of records. */
export class DiskRecords extends RecordReader {
  readonly #sections: DiskSections;
  readonly #blockStarts: Uint32Array;
  readonly #length: number;
  #window = new Uint8Array(WINDOW_BYTES);
  /** Where the window begins and ends in the section. */
  #from = 0;
  #to = 0;

  constructor(sections: DiskSections) {
    super(
      new Uint8Array(0),
      Uint32Array.of(0),
      sections.get(SECTIONS.words.bytes),
      sections.get(SECTIONS.words.offsets),
    );
    this.#sections = sections;
    this.#blockStarts = sections.get(SECTIONS.recordBlocks);
    this.#length = sections.length(SECTIONS.recordBytes);
  }

  override open(doc: number): void {
    const block = Math.floor(doc / RECORDS_PER_BLOCK);
    const from = this.#blockStarts[block]!;
    const to = this.#blockStarts[block + 1] ?? this.#length;
    if (from < this.#from || to > this.#to) this.#read(from, to);
    this.bytes = this.#window.subarray(from - this.#from, to - this.#from);
    super.open(doc % RECORDS_PER_BLOCK);
  }

  #read(from: number, to: number): void {
    if (this.#window.length < to - from)
      this.#window = new Uint8Array((to - from) * 2);
    this.#from = from;
    this.#to =
      from + this.#sections.readAt(SECTIONS.recordBytes, this.#window, from);
  }
}
