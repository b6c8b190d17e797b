import { RECORDS_PER_BLOCK } from "./records.ts";
import { SECTIONS } from "../container/descriptors.ts";
import { writeVarint } from "../bytes/varint.ts";
import type { SectionWriter } from "../container/section-writer.ts";

const BUFFER_BYTES = 1 << 20;
const MAX_VARINT = 5;

/** Writes the sections `record.bytes` and `record.blocks`, record by record in the order of documents. */
export class RecordSection {
  readonly #writer: SectionWriter;
  readonly #blocks: Uint32Array;
  #doc = 0;
  #buffer = new Uint8Array(BUFFER_BYTES * 2);
  #filled = 0;
  #written = 0;

  constructor(writer: SectionWriter, count: number) {
    this.#writer = writer;
    this.#blocks = new Uint32Array(Math.ceil(count / RECORDS_PER_BLOCK));
    writer.begin(SECTIONS.recordBytes);
  }

  /** Adds the next document's record. */
  add(source: Uint8Array, start: number, end: number): void {
    const room = this.#filled + end - start + MAX_VARINT;
    if (room > this.#buffer.length) this.#grow(room);
    if (this.#doc % RECORDS_PER_BLOCK === 0)
      this.#blocks[this.#doc / RECORDS_PER_BLOCK] =
        this.#written + this.#filled;
    const buffer = this.#buffer;
    let to = writeVarint(buffer, this.#filled, end - start);
    for (let from = start; from < end; from++) buffer[to++] = source[from]!;
    this.#filled = to;
    this.#doc++;
    if (to >= BUFFER_BYTES) this.#flush();
  }

  end(): void {
    this.#flush();
    this.#writer.end();
    this.#writer.write(SECTIONS.recordBlocks, this.#blocks);
  }

  #flush(): void {
    this.#writer.append(this.#buffer.subarray(0, this.#filled));
    this.#written += this.#filled;
    this.#filled = 0;
  }

  #grow(length: number): void {
    const grown = new Uint8Array(length * 2);
    grown.set(this.#buffer);
    this.#buffer = grown;
  }
}
