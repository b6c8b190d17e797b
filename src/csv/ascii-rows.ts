import { WasmMemory, WasmModule } from "./wasm.ts";

/** Whole blocks are read, so up to this many bytes behind the last row. */
const BLOCK_BYTES = 64;

/** The value that `scan` returns instead of the start of the next row. */
export const INCOMPLETE = -1;

/** The places of cells in memory: see CsvLayout. */
interface AsciiLayout {
  columns: number;
  cellOfColumn: Uint16Array;
  cellCount: number;
  classes: Uint8Array;
  room: number;
}

interface Exports {
  begin(
    columns: number,
    cellOfColumn: number,
    classes: number,
    starts: number,
    ends: number,
    found: number,
  ): void;
  scan(rowStart: number, end: number): number;
  columnsOfRow(): number;
  innerLinesOfRow(): number;
  lastCellOfRow(): number;
}

/**
 * Compiled from `ascii-rows.as` by `tools/build-wasm.ts`. Its instructions for sixteen bytes at a time are what
 * JavaScript lacks.
 */
const WASM = new WasmModule<Exports>(
  new URL("ascii-rows.wasm", import.meta.url),
);

/**
 * Memory for rows, and a scanner of the plain ones in it: rows of ASCII with all cells quoted, without a quote inside,
 * and without a value whose bytes have a class (ByteClass) by which it may mean something else. Nearly all of the
 * registry's rows are plain.
 */
export class AsciiRows {
  /** The memory; rows are in `[begin, begin + length)`. */
  readonly bytes: Uint8Array;
  readonly begin: number;
  readonly memory: WasmMemory;
  /** The start of the layout's further room. */
  readonly room: number;
  /** By cell: see CsvScanner. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Both, so one call clears them. */
  readonly #ranges: Int32Array;
  readonly #exports: Exports;
  /** True if the ranges have something that `scan` did not write. */
  #isForeign = false;

  constructor(layout: AsciiLayout, length: number) {
    const { cellCount, cellOfColumn, classes, columns } = layout;
    let used = 0;
    const place = (bytes: number): number => {
      const at = used;
      used = (used + bytes + BLOCK_BYTES - 1) & -BLOCK_BYTES;
      return at;
    };
    const cells = place((columns + 1) * 2);
    const classesAt = place(classes.length);
    const ranges = place(cellCount * 8);
    const found = place(columns * 2);
    this.begin = place(length + BLOCK_BYTES);
    this.room = place(layout.room);
    this.memory = new WasmMemory(used);
    const { buffer } = this.memory;
    this.bytes = new Uint8Array(buffer);
    this.#ranges = new Int32Array(buffer, ranges, cellCount * 2);
    this.starts = this.#ranges.subarray(0, cellCount);
    this.ends = this.#ranges.subarray(cellCount);
    new Uint16Array(buffer, cells, columns).set(
      cellOfColumn.subarray(0, columns),
    );
    this.bytes.set(classes, classesAt);
    this.#exports = WASM.over(this.memory);
    const ends = ranges + cellCount * 4;
    this.#exports.begin(columns, cells, classesAt, ranges, ends, found);
  }

  /**
   * Reads the row at `rowStart`. Returns where the next one starts, INCOMPLETE if no end is found before `end`, or
   * another negative number if it isn't plain: then the ranges mean nothing.
   */
  scan(rowStart: number, end: number): number {
    if (this.#isForeign) this.clear();
    this.#isForeign = false;
    return this.#exports.scan(rowStart, end);
  }

  /** Empties all ranges, for a row that isn't plain. */
  clear(): void {
    this.#ranges.fill(0);
    this.#isForeign = true;
  }

  /** The number of columns that the last row has. */
  get columns(): number {
    return this.#exports.columnsOfRow();
  }

  /** Line feeds in its cells. */
  get innerLines(): number {
    return this.#exports.innerLinesOfRow();
  }

  /** The greatest number of a cell that isn't empty. */
  get lastCell(): number {
    return this.#exports.lastCellOfRow();
  }
}
