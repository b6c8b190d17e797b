import type { DiskSections } from "./disk-sections.ts";
import { RECORDS_PER_BLOCK, RecordReader } from "./records.ts";

/** Reads the records of a snapshot on the disk; in memory are the words, and one block of records at a time. */
export class DiskRecords extends RecordReader {
  readonly #sections: DiskSections;
  readonly #blockStarts: Uint32Array;
  readonly #length: number;
  #block = -1;

  constructor(sections: DiskSections) {
    super(
      new Uint8Array(0),
      Uint32Array.of(0),
      sections.bytes("record.wordBytes"),
      sections.uint32("record.wordOffsets"),
    );
    this.#sections = sections;
    this.#blockStarts = sections.uint32("record.blocks");
    this.#length = sections.length("record.bytes");
  }

  override open(doc: number): void {
    const block = Math.floor(doc / RECORDS_PER_BLOCK);
    if (block !== this.#block) this.#read(block);
    super.open(doc % RECORDS_PER_BLOCK);
  }

  #read(block: number): void {
    const from = this.#blockStarts[block]!;
    const to = this.#blockStarts[block + 1] ?? this.#length;
    if (this.bytes.length < to - from)
      this.bytes = new Uint8Array((to - from) * 2);
    this.#sections.readAt(
      "record.bytes",
      this.bytes.subarray(0, to - from),
      from,
    );
    this.#block = block;
  }
}
