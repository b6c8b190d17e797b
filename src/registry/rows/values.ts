import { MAX_ROW_BYTES, type CsvScanner } from "../../csv/csv-scanner.ts";
import { decodeCell, unquoted } from "../../text/csv-text.ts";
import { WasmModule } from "../../csv/wasm.ts";
import { MASKED_NUMBER } from "../files/social-security-numbers.ts";

/** The classes of bytes in a value. */
export const ByteClass = {
  none: 0,
  /** A value that starts or ends with it may mean something other than its bytes. */
  edge: 1,
  /** A value that consists only of such bytes may mean something other than its bytes. */
  only: 2,
} as const;

/**
 * The registry's word for null. A value is null (empty here) if it is blank, `<UNAVAIL>`, or consists only of the
 * characters `- _ = * $ # .` and white space. A masked Social Security number is a value: readers see that there was
 * one.
 */

const UNAVAILABLE = "<UNAVAIL>";
const ONLY_MASK = /^[-_=*$#.\s\0]*$/u;
const OUTER_SPACE = /[\s\0]/u;

/**
 * For CsvScanner: without one of these classes at its ends or in all of it, the bytes of a value in ASCII are its text.
 */
export const VALUE_CLASSES = new Uint8Array(256);
for (const space of "\0\t\n\v\f\r <")
  VALUE_CLASSES[space.charCodeAt(0)] = ByteClass.edge;
for (const mask of "-_=*$#.")
  VALUE_CLASSES[mask.charCodeAt(0)] = ByteClass.only;

const QUOTE = 0x22;
const TABLE_BYTES = 1 << 12;
/** Maximum UTF-8 bytes per Latin-1 byte. */
const GROWTH = 3;
/** A vector may be written over the end. */
const SCRATCH_BYTES = MAX_ROW_BYTES * GROWTH + (1 << 12);
/** A row's texts and details; each value has a length. */
const OUT_BYTES = MAX_ROW_BYTES * GROWTH * 2 + (1 << 16);

/** The room that a scanner must have (CsvLayout). */
export const VALUES_ROOM = TABLE_BYTES + SCRATCH_BYTES + OUT_BYTES;

interface Exports {
  begin(starts: number, ends: number): void;
  pack(
    cells: number,
    count: number,
    textStarts: number,
    textEnds: number,
    target: number,
  ): number;
  record(cells: number, texts: number, target: number): number;
  section(
    number: number,
    cells: number,
    texts: number,
    count: number,
    isKeyed: boolean,
    isOnly: boolean,
    target: number,
  ): number;
}

/** Compiled from `values.as` by `tools/build-wasm.ts`. */
const WASM = new WasmModule<Exports>(new URL("values.wasm", import.meta.url));

const encoder = new TextEncoder();

/** A section of a blob (`detail-blob.ts`), and the cells of its records' texts, one record after the other. */
export interface CellSection {
  readonly number: number;
  readonly cells: Uint16Array;
  /** The number of texts of a record. */
  readonly texts: number;
  /** True if a record is left out without its first text, and not only without any. */
  readonly isKeyed: boolean;
  /** True if there is a single record, whose trailing empty texts are left out. */
  readonly isOnly: boolean;
}

/** The values of a scanner's row: reads them in its memory, and writes them behind each other from `out` on. */
export class RowValues {
  /** The place of the first value in memory, in bytes; a multiple of four. */
  readonly out: number;
  readonly #scanner: CsvScanner;
  readonly #exports: Exports;
  readonly #scratch: number;
  #scratchEnd: number;
  #tables: number;

  constructor(scanner: CsvScanner) {
    this.#scanner = scanner;
    this.#tables = scanner.room;
    this.#scratch = this.#scratchEnd = scanner.room + TABLE_BYTES;
    this.out = this.#scratch + SCRATCH_BYTES;
    this.#exports = WASM.over(scanner.memory);
    this.#exports.begin(scanner.starts.byteOffset, scanner.ends.byteOffset);
  }

  /** Makes a list of cells, to be passed to the other methods. It may be changed. */
  list(cells: ArrayLike<number>): Uint16Array {
    const { buffer } = this.#scanner.memory;
    const at = this.#place(cells.length * 2);
    const list = new Uint16Array(buffer, at, cells.length);
    list.set(cells);
    return list;
  }

  /** Makes room for the range of each text of `pack`. */
  ranges(texts: number): Int32Array<ArrayBuffer> {
    const { buffer } = this.#scanner.memory;
    return new Int32Array(buffer, this.#place(texts * 4), texts);
  }

  /**
   * Prepares a row: makes the range of each cell that of its value, trimmed, in UTF-8, and empty for null. In a plain
   * row they are that already. The cell 0 becomes empty.
   */
  begin(): void {
    this.#scratchEnd = this.#scratch;
    const { ends, isPlain, lastCell, starts } = this.#scanner;
    if (isPlain) return;
    starts[0] = ends[0] = 0;
    for (let cell = 1; cell <= lastCell; cell++)
      if (!this.#isValue(starts[cell]!, ends[cell]!))
        this.write(cell, this.#text(starts[cell]!, ends[cell]!));
  }

  /** Gives a cell of the row another value. */
  write(cell: number, value: string): void {
    const target = this.#scanner.bytes.subarray(this.#scratchEnd, this.out);
    this.#wrote(cell, encoder.encodeInto(value, target).written);
  }

  /** Gives a cell of the row a date as in a blob: two bytes; none for NO_DATE. */
  writeDay(cell: number, day: number): void {
    const { bytes } = this.#scanner;
    bytes[this.#scratchEnd] = day & 0xff;
    bytes[this.#scratchEnd + 1] = day >>> 8;
    this.#wrote(cell, day === 0 ? 0 : 2);
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

  /** Writes a record of a blob at `out`, without its section. Returns its end; `out` if all of its texts are empty. */
  record(cells: Uint16Array): number {
    return this.#exports.record(cells.byteOffset, cells.length, this.out);
  }

  /** Writes a section at `to`, without its empty records. Returns its end; `to` if it has none. */
  section(
    { cells, isKeyed, isOnly, number, texts }: CellSection,
    to: number,
  ): number {
    const count = cells.length / texts;
    const at = cells.byteOffset;
    return this.#exports.section(number, at, texts, count, isKeyed, isOnly, to);
  }

  /** True if the bytes of a cell are its value, as in a plain row. */
  #isValue(start: number, end: number): boolean {
    const { bytes, hasInnerQuotes } = this.#scanner;
    if (start === end) return true;
    if (hasInnerQuotes) return false;
    let highBits = 0;
    for (let at = start; at < end; at++) highBits |= bytes[at]!;
    return (
      highBits < 0x80 &&
      VALUE_CLASSES[bytes[start]!] === ByteClass.none &&
      VALUE_CLASSES[bytes[end - 1]!] === ByteClass.none
    );
  }

  #text(start: number, end: number): string {
    const { bytes } = this.#scanner;
    const text = decodeCell(bytes.subarray(start, end));
    return cleanText(bytes[start - 1] === QUOTE ? unquoted(text) : text);
  }

  #wrote(cell: number, length: number): void {
    const { ends, starts } = this.#scanner;
    starts[cell] = this.#scratchEnd;
    ends[cell] = this.#scratchEnd += length;
  }

  #place(bytes: number): number {
    const at = this.#tables;
    this.#tables = (at + bytes + 3) & -4;
    if (this.#tables > this.#scratch)
      throw new RangeError("The lists are too long");
    return at;
  }
}

/** Removes outer white space of any script; returns '' if the text means null. */
export function cleanText(text: string): string {
  if (ONLY_MASK.test(text) && !text.includes(MASKED_NUMBER)) return "";
  const trimmed = withoutOuterSpace(text);
  return trimmed === UNAVAILABLE ? "" : trimmed;
}

/** Trims both ends, one character at a time: a regular expression would rescan long runs of inner spaces. */
function withoutOuterSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && OUTER_SPACE.test(text.charAt(start))) start++;
  while (end > start && OUTER_SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
