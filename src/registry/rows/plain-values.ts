import { MAX_ROW_BYTES, type CsvScanner } from "../../csv/csv-scanner.ts";
import { WasmModule, type WasmMemory } from "../../csv/wasm.ts";

const TABLE_BYTES = 1 << 12;
/** A row's texts and details; each value has a length. A vector may be written over the end. */
const OUT_BYTES = MAX_ROW_BYTES * 2 + (1 << 16);

/** The room that a scanner must have (CsvLayout). */
export const PLAIN_VALUES_ROOM = TABLE_BYTES + OUT_BYTES;

interface Exports {
  begin(starts: number, ends: number): void;
  pack(
    cells: number,
    count: number,
    textStarts: number,
    textEnds: number,
    target: number,
  ): number;
  record(
    section: number,
    first: number,
    count: number,
    dateCell: number,
    day: number,
    target: number,
  ): number;
  records(
    section: number,
    cells: number,
    texts: number,
    count: number,
    isKeyed: boolean,
    target: number,
  ): number;
}

/** Compiled from `plain-values.as` by `tools/build-wasm.ts`. */
const WASM = new WasmModule<Exports>(
  new URL("plain-values.wasm", import.meta.url),
);

/** Writes values of a scanner's plain rows behind each other: in its memory, from `out` on. */
export class PlainValues {
  /** Where to start; a multiple of four. */
  readonly out: number;
  readonly #memory: WasmMemory;
  readonly #exports: Exports;
  #tables: number;

  constructor({
    ends,
    memory,
    room,
    starts,
  }: Pick<CsvScanner, "ends" | "memory" | "room" | "starts">) {
    this.#memory = memory;
    this.#tables = room;
    this.out = room + TABLE_BYTES;
    this.#exports = WASM.over(memory);
    this.#exports.begin(starts.byteOffset, ends.byteOffset);
  }

  /** A list of cells, to be passed to the other methods. It may be changed. */
  list(cells: ArrayLike<number>): Uint16Array {
    const list = new Uint16Array(
      this.#memory.buffer,
      this.#place(cells.length * 2),
      cells.length,
    );
    list.set(cells);
    return list;
  }

  /** Room for the range of each text of `pack`. */
  ranges(texts: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.#memory.buffer, this.#place(texts * 4), texts);
  }

  /** Writes the values of cells, and notes where each starts and ends. Returns the end of the last one. */
  pack(cells: Uint16Array, starts: Int32Array, ends: Int32Array): number {
    return this.#exports.pack(
      cells.byteOffset,
      cells.length,
      starts.byteOffset,
      ends.byteOffset,
      this.out,
    );
  }

  /**
   * Writes a section of a blob (`detail-blob.ts`) at `to`, with a record of `count` cells from `first` on, of which
   * `dateCell` is the date `day`. Returns its end; `to` if it is empty.
   */
  record(
    section: number,
    first: number,
    count: number,
    to: number,
    dateCell = 0,
    day = 0,
  ): number {
    return this.#exports.record(section, first, count, dateCell, day, to);
  }

  /**
   * Writes a section with records of `texts` cells each. One whose first cell is empty is left out if `isKeyed`,
   * otherwise one whose cells are all empty.
   */
  records(
    section: number,
    cells: Uint16Array,
    texts: number,
    isKeyed: boolean,
    to: number,
  ): number {
    const count = cells.length / texts;
    const at = cells.byteOffset;
    return this.#exports.records(section, at, texts, count, isKeyed, to);
  }

  #place(bytes: number): number {
    const at = this.#tables;
    this.#tables = (at + bytes + 3) & -4;
    if (this.#tables > this.out) throw new RangeError("The lists are too long");
    return at;
  }
}
