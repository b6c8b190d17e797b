import { SECTIONS } from "../container/descriptors.ts";
import { openGroup } from "../container/sections.ts";
import type { DiskSections } from "../container/disk-sections.ts";
import { RECORDS_PER_BLOCK, RecordReader } from "./records.ts";

/** Bytes read at once when blocks are read in order, or are not farther apart than this. */
const AHEAD_BYTES = 1 << 18;
const NEAR_BYTES = 1 << 13;

/**
 * Reads the records of a snapshot on disk. The words are in memory, and the current block, or many if documents are
 * read in order.
 */
export class DiskRecords extends RecordReader {
  readonly #sections: DiskSections;
  readonly #blocks: Uint32Array;
  readonly #length: number;
  /** Start and end of `bytes` in the section. */
  #from = 0;
  #to = 0;
  #doc = -1;

  constructor(sections: DiskSections) {
    const blocks = sections.get(SECTIONS.recordBlocks);
    const words = openGroup(sections, SECTIONS.words);
    super(new Uint8Array(AHEAD_BYTES), blocks, words);
    this.#sections = sections;
    this.#blocks = blocks;
    this.#length = sections.length(SECTIONS.recordBytes);
  }

  override open(doc: number): void {
    const next = this.#doc + 1;
    this.#doc = doc;
    const inBlock = doc % RECORDS_PER_BLOCK;
    if (doc === next && inBlock !== 0)
      return this.openAt(this.start + this.length, 0);
    this.#openIn(Math.floor(doc / RECORDS_PER_BLOCK), inBlock, doc === next);
  }

  /** Opens the records that are read at once. */
  override openRun(doc: number, end: number): number {
    const block = Math.floor(doc / RECORDS_PER_BLOCK);
    this.#doc = doc;
    this.#openIn(block, doc % RECORDS_PER_BLOCK, true);
    let past = block + 1;
    while (past * RECORDS_PER_BLOCK < end && this.#endOf(past) <= this.#to)
      past++;
    return Math.min(end, past * RECORDS_PER_BLOCK) - doc;
  }

  #openIn(block: number, inBlock: number, readsOn: boolean): void {
    const from = this.#blocks[block]!;
    const to = this.#endOf(block);
    if (from < this.#from || to > this.#to) {
      const isNear = from >= this.#from && from - this.#to <= NEAR_BYTES;
      this.#read(from, to, readsOn || isNear);
    }
    this.openAt(from - this.#from, inBlock);
  }

  #endOf(block: number): number {
    return this.#blocks[block + 1] ?? this.#length;
  }

  #read(from: number, to: number, readsOn: boolean): void {
    if (this.bytes.length < to - from)
      this.bytes = new Uint8Array((to - from) * 2);
    const target = readsOn ? this.bytes : this.bytes.subarray(0, to - from);
    this.#from = from;
    this.#to = from + this.#sections.readAt(SECTIONS.recordBytes, target, from);
  }
}
