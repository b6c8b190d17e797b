import { INCOMPLETE, AsciiRows } from "./ascii-rows.ts";
import type { WasmMemory } from "./wasm.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const LF = 0x0a;
const CR = 0x0d;

/** A row that does not end within this many bytes is bad. The registry's longest rows have about ten thousand. */
export const MAX_ROW_BYTES = 1 << 20;

/**
 * Rows inside bad rows are found by rereading: up to this many of the longest rows, plus as many bytes as the file had
 * so far. In a damaged file nearly every line may look like the start of such a row; beyond this limit, a bad row is
 * skipped as a whole, so work stays proportional to the file.
 */
const REREAD_ROWS = 64;

/** Bytes of a chunk that are scanned together: they stay in the processor's cache. */
const PIECE_BYTES = 1 << 18;

/** The reasons why a row has no cells: see CsvScanner. */
export type RowFault =
  "wrong_column_count" | "unterminated_quote" | "row_too_long";

/** Receives rows. The scanner's `bytes`, ranges, `line` and `hasInnerQuotes` are valid during the call. */
export interface RowSink {
  row(): void;
  /** Receives a fault. The ranges are those of the cells read before it was found, and of the text passed over. */
  fault(fault: RowFault): void;
}

/** The layout of a file: see Header. */
export interface CsvLayout {
  columns: number;
  cellOfColumn: Uint16Array;
  cellCount: number;
  /** The physical line, from 1, of the first byte. */
  firstLine: number;
  maxRowBytes?: number;
  /** The class of each byte (ByteClass) for values that a plain row must not have; by default, it may have any. */
  classes?: Uint8Array;
  /** Bytes of memory next to the rows that the caller needs. */
  room?: number;
}

const NO_CLASSES = new Uint8Array(256);

/**
 * Scans CSV in chunks of any size and reports the byte ranges of the needed cells, row by row. RFC 4180, with the usual
 * leniency: quoted or bare cells; CRLF or LF; the last line end may be missing; blank lines are skipped; a quote inside
 * a bare cell is a character, and so is one inside a quoted cell that neither ends it nor is doubled.
 *
 * A bad quote must not swallow rows. A row of several lines with the wrong number of columns, or whose quote is still
 * open after `maxRowBytes` or at the end of the file, is reported with its first line, and reading resumes at a line
 * inside it, up to the limit REREAD_ROWS. The rows reported do not depend on chunk boundaries.
 */
export class CsvScanner {
  /** The target of the ranges: the scanner's own memory. */
  readonly bytes: Uint8Array;
  /**
   * By cell number, 1 to `cellCount - 1`; both are equal for an empty cell. A quoted cell's range excludes its quotes.
   */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** True if the row is plain (AsciiRows): each cell's bytes are its value. */
  isPlain = false;
  /** No cell with a greater number has a value. */
  lastCell = 0;
  /** The range of the row, or of the text that is no row, without its line end. */
  rowStart = 0;
  rowEnd = 0;
  /** The number of columns of a fault's bad row; null if the text is no row, such as one with an unclosed quote. */
  columnCount: number | null = null;
  /** The physical line, from 1, on which the row starts. */
  line: number;
  /** True if a needed cell has quotes inside its quotes, so its text differs from its bytes. */
  hasInnerQuotes = false;
  /** Bytes of bad rows that were reread to find the rows inside them. */
  rereadBytes = 0;

  readonly #sink: RowSink;
  readonly #columns: number;
  readonly #cellOfColumn: Uint16Array;
  readonly #maxRowBytes: number;
  readonly #plain: AsciiRows;
  /** The length of a row at the start of the memory whose end is not there yet. */
  #carried = 0;
  /** Inside a line that is too long to be a row; everything up to its end is skipped. */
  #skipsLine = false;
  /** Bytes done with. */
  #passedBytes = 0;
  /** Set by #scanRow. */
  #column = 0;
  #innerLines = 0;

  constructor(layout: CsvLayout, sink: RowSink) {
    this.#columns = layout.columns;
    this.#cellOfColumn = layout.cellOfColumn;
    this.#maxRowBytes = layout.maxRowBytes ?? MAX_ROW_BYTES;
    this.#sink = sink;
    this.line = layout.firstLine;
    this.#plain = new AsciiRows(
      {
        ...layout,
        classes: layout.classes ?? NO_CLASSES,
        room: layout.room ?? 0,
      },
      this.#maxRowBytes + PIECE_BYTES,
    );
    this.bytes = this.#plain.bytes;
    this.starts = this.#plain.starts;
    this.ends = this.#plain.ends;
  }

  /** The memory of `bytes`, and where the layout's `room` starts in it. */
  get memory(): WasmMemory {
    return this.#plain.memory;
  }

  get room(): number {
    return this.#plain.room;
  }

  /** Scans the next bytes of the file. Neither changes nor keeps the chunk. */
  push(chunk: Uint8Array): void {
    const { begin } = this.#plain;
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      const piece = chunk.subarray(from, from + PIECE_BYTES);
      this.bytes.set(piece, begin + this.#carried);
      const end = begin + this.#carried + piece.length;
      const next = this.#scanRows(end, false);
      this.bytes.copyWithin(begin, next, end);
      this.#carried = end - next;
    }
  }

  /** Ends the file: the rest is the last row. */
  end(): void {
    const end = this.#plain.begin + this.#carried;
    this.#carried = 0;
    this.#scanRows(end, true);
  }

  /** Passes on the rows that are complete up to `end`. Returns where the first incomplete row starts. */
  #scanRows(end: number, last: boolean): number {
    const from = this.#plain.begin;
    let at = this.#skipsLine ? this.#skipLine(from, end) : from;
    let passed = from;
    while (at < end) {
      this.#passedBytes += at - passed;
      passed = at;
      const next = this.#nextRow(at, end, last);
      if (next === INCOMPLETE && !last && end - at <= this.#maxRowBytes) break;
      if (next === INCOMPLETE || next - at > this.#maxRowBytes) {
        at = this.#passOver(at, end);
      } else if (this.#column === this.#columns) {
        this.#sink.row();
        this.line += this.#innerLines + 1;
        at = next;
      } else {
        at = this.#wrongCount(at, next);
      }
    }
    this.#passedBytes += at - passed;
    return at;
  }

  /** Reads one row: its cells, number of columns and inner line ends. Returns the start of the next row. */
  #nextRow(rowStart: number, end: number, last: boolean): number {
    const plain = this.#plain;
    const next = plain.scan(rowStart, end);
    if (next < 0) {
      this.isPlain = false;
      const mayEnd = last || end - rowStart > this.#maxRowBytes;
      if (next === INCOMPLETE && !mayEnd) return next;
      return this.#scanRow(rowStart, end, last);
    }
    this.isPlain = true;
    this.hasInnerQuotes = false;
    this.rowStart = rowStart;
    this.rowEnd = this.bytes[next - 2] === CR ? next - 2 : next - 1;
    this.lastCell = plain.lastCell;
    this.#column = plain.columns;
    this.#innerLines = plain.innerLines;
    return next;
  }

  /** Reads a row that isn't plain, as #nextRow does. */
  #scanRow(rowStart: number, end: number, last: boolean): number {
    const bytes = this.bytes;
    const starts = this.starts;
    const ends = this.ends;
    const cellOfColumn = this.#cellOfColumn;
    const columns = this.#columns;
    this.#plain.clear();
    this.hasInnerQuotes = false;
    let innerLines = 0;
    let column = 0;
    let lastCell = 0;
    let at = rowStart;
    let next = INCOMPLETE;
    let rowEnd = rowStart;
    while (next === INCOMPLETE) {
      if (at >= end) {
        if (!last) break;
        // The file ends after a comma.
        column++;
        next = rowEnd = at;
        break;
      }
      if (bytes[at] === QUOTE) {
        const start = ++at;
        let inner = false;
        for (;;) {
          while (at < end && bytes[at] !== QUOTE) {
            if (bytes[at] === LF) innerLines++;
            at++;
          }
          if (at >= end) break;
          const behind = at + 1 < end ? bytes[at + 1]! : LF;
          if (behind === COMMA) break;
          if (
            behind === LF ||
            (behind === CR && endsLine(bytes, at + 1, end, last))
          )
            break;
          inner = true;
          at += behind === QUOTE ? 2 : 1;
        }
        if (at >= end || (at + 1 === end && !last)) break;
        const cell = column < columns ? cellOfColumn[column]! : 0;
        starts[cell] = start;
        ends[cell] = at;
        if (cell > lastCell) lastCell = cell;
        if (inner && cell !== 0) this.hasInnerQuotes = true;
        column++;
        if (at + 1 < end && bytes[at + 1] === COMMA) at += 2;
        else {
          rowEnd = at + 1;
          next = afterLineEnd(bytes, rowEnd, end);
        }
      } else {
        const start = at;
        let byte = 0;
        while (at < end) {
          byte = bytes[at]!;
          if (byte === COMMA || byte === LF) break;
          at++;
        }
        if (at >= end && !last) break;
        let cellEnd = at;
        if (at < end && byte === COMMA) {
          at++;
        } else {
          while (cellEnd > start && bytes[cellEnd - 1] === CR) cellEnd--;
          next = at < end ? at + 1 : at;
        }
        rowEnd = cellEnd;
        const cell = column < columns ? cellOfColumn[column]! : 0;
        starts[cell] = start;
        ends[cell] = cellEnd;
        if (cell > lastCell) lastCell = cell;
        column++;
      }
    }
    this.rowStart = rowStart;
    this.rowEnd = rowEnd;
    this.lastCell = lastCell;
    this.#column = column;
    this.#innerLines = innerLines;
    return next;
  }

  /** Handles a row with too few or too many columns. Returns where to resume. */
  #wrongCount(rowStart: number, rowEnd: number): number {
    if (this.#column === 1 && isBlank(this.bytes, rowStart, rowEnd)) {
      this.line++;
      return rowEnd;
    }
    const next = this.#innerRow(rowStart, rowEnd);
    this.#fault("wrong_column_count", next);
    this.#countLines(rowStart, next ?? rowEnd);
    return next ?? rowEnd;
  }

  /** Returns where a row may start inside a bad one; null if nowhere. */
  #innerRow(rowStart: number, rowEnd: number): number | null {
    if (this.#innerLines === 0) return null;
    const bytes = this.bytes;
    // Either a lost quote joined this row to the next, or a good row with line breaks in it lost a cell. In the first
    // case, the next line that starts like a row is a row; in the second case, there rarely is one.
    const quoted = bytes[rowStart] === QUOTE;
    for (let at = rowStart; at < rowEnd - 1; at++)
      if (bytes[at] === LF && (!quoted || bytes[at + 1] === QUOTE))
        return this.#mayReread(rowEnd - at - 1) ? at + 1 : null;
    return null;
  }

  /** Reports a row without an end. Returns where to resume: after its first line end. */
  #passOver(rowStart: number, end: number): number {
    const limit = Math.min(end, rowStart + this.#maxRowBytes);
    const lineEnd = this.bytes.subarray(rowStart, limit).indexOf(LF);
    const tooLong = lineEnd < 0 && end - rowStart > this.#maxRowBytes;
    const next = lineEnd < 0 ? limit : rowStart + lineEnd + 1;
    this.#fault(tooLong ? "row_too_long" : "unterminated_quote", next);
    if (lineEnd >= 0) {
      this.line++;
      if (this.#mayReread(limit - next)) return next;
      this.#countLines(next, limit);
    }
    this.#skipsLine = true;
    return this.#skipLine(limit, end);
  }

  /** Reports a fault of the row, or of text that is no row and ends in front of `next`. */
  #fault(fault: RowFault, next: number | null): void {
    this.columnCount = next === null ? this.#column : null;
    let end = next ?? this.rowEnd;
    while (end > this.rowStart && isBlank(this.bytes, end - 1, end)) end--;
    this.rowEnd = end;
    this.#sink.fault(fault);
  }

  #countLines(from: number, to: number): void {
    for (let at = from; at < to; at++) if (this.bytes[at] === LF) this.line++;
  }

  #mayReread(bytes: number): boolean {
    const maxRereadBytes = this.#passedBytes + REREAD_ROWS * this.#maxRowBytes;
    if (this.rereadBytes + bytes > maxRereadBytes) return false;
    this.rereadBytes += bytes;
    return true;
  }

  #skipLine(from: number, end: number): number {
    const lineEnd = this.bytes.subarray(from, end).indexOf(LF);
    if (lineEnd < 0) return end;
    this.#skipsLine = false;
    this.line++;
    return from + lineEnd + 1;
  }
}

/** True if the carriage returns from `at` on lead to a line end, or to the end of the file. */
function endsLine(
  bytes: Uint8Array,
  at: number,
  end: number,
  last: boolean,
): boolean {
  let behind = at;
  while (behind < end && bytes[behind] === CR) behind++;
  return behind < end ? bytes[behind] === LF : last;
}

function afterLineEnd(bytes: Uint8Array, at: number, end: number): number {
  let behind = at;
  while (behind < end && bytes[behind] === CR) behind++;
  return Math.min(behind + 1, end);
}

function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    if (bytes[at] !== LF && bytes[at] !== CR) return false;
  }
  return true;
}
