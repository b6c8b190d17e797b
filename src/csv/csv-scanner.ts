const QUOTE = 0x22;
const COMMA = 0x2c;
const LF = 0x0a;
const CR = 0x0d;

/** A row that does not end within this many bytes is bad. The registry's longest rows have about ten thousand. */
const MAX_ROW_BYTES = 1 << 20;

/**
 * Rows inside bad rows are found by rereading: up to this many of the longest rows, plus as many bytes as the file had
 * so far. In a damaged file nearly every line may look like the start of such a row; beyond this limit, a bad row is
 * skipped as a whole, so work stays proportional to the file.
 */
const REREAD_ROWS = 64;

/** Bytes of the next chunk first tried to complete a row split across chunks (doubled on failure). */
const FIRST_COMPLETION_BYTES = MAX_ROW_BYTES / 16;

/** Eight empty cells, `"",` eight times, as three eight-byte numbers: runs of them are skipped 24 bytes at a time. */
const EMPTY_RUN = new DataView(
  Uint8Array.from('"",'.repeat(8), (sign) => sign.charCodeAt(0)).buffer,
);
const RUN_0 = EMPTY_RUN.getFloat64(0, true);
const RUN_1 = EMPTY_RUN.getFloat64(8, true);
const RUN_2 = EMPTY_RUN.getFloat64(16, true);
/** One empty cell and the quote that opens the next one, as a four-byte number. */
const EMPTY_AND_QUOTE = 0x222c2222;
const RUN_BYTES = 24;
const RUN_CELLS = 8;

/** A quote, and a line feed, in each byte of a four-byte number. */
const QUOTES = 0x22222222;
const LFS = 0x0a0a0a0a;

const INCOMPLETE = -1;

/** Why a row has no cells: see CsvScanner. */
export type RowFault =
  "wrong_column_count" | "unterminated_quote" | "row_too_long";

/** Receives rows. The scanner's `bytes`, ranges, `line` and `hasInnerQuotes` are valid during the call. */
export interface RowSink {
  row(): void;
  /** The ranges are those of the cells read before the fault was found, and of the text that is passed over. */
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
}

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
  /** The target of the ranges: the chunk, or the scanner's own memory. */
  bytes: Uint8Array = new Uint8Array(0);
  /**
   * By cell number, 1 to `cellCount - 1`; both are equal for an empty cell, and 0 for one that was skipped. A quoted
   * cell's range excludes its quotes.
   */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Both, so one call clears them. */
  readonly #ranges: Int32Array;
  /** The greatest number of a cell that was not skipped. */
  lastCell = 0;
  /** The range of the row, or of the text that is no row, without its line end. */
  rowStart = 0;
  rowEnd = 0;
  /** How many columns the bad row of a fault has; null if the text is no row, such as one with an unclosed quote. */
  columnCount: number | null = null;
  /** The physical line, from 1, on which the row starts. */
  line: number;
  /** Whether a needed cell has quotes inside its quotes, so its text differs from its bytes. */
  hasInnerQuotes = false;
  /** Bytes of bad rows that were reread to find the rows inside them. */
  rereadBytes = 0;

  readonly #sink: RowSink;
  readonly #columns: number;
  readonly #cellOfColumn: Uint16Array;
  readonly #maxRowBytes: number;
  #view: DataView = new DataView(new ArrayBuffer(0));
  /** The start of a row whose end is not there yet. */
  #carry = new Uint8Array(FIRST_COMPLETION_BYTES);
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
    this.#ranges = new Int32Array(layout.cellCount * 2);
    this.starts = this.#ranges.subarray(0, layout.cellCount);
    this.ends = this.#ranges.subarray(layout.cellCount);
  }

  /** Scans the next bytes of the file. Neither changes nor keeps the chunk. */
  push(chunk: Uint8Array): void {
    // To V8, a Buffer is a different kind of object; with a single kind, the loops below stay fast.
    const bytes = new Uint8Array(
      chunk.buffer,
      chunk.byteOffset,
      chunk.byteLength,
    );
    const from = this.#carried > 0 ? this.#completeCarried(bytes) : 0;
    if (from < bytes.length)
      this.#keep(bytes, this.#scanRows(bytes, from, bytes.length, false));
  }

  /** Ends the file: the rest is the last row. */
  end(): void {
    const end = this.#carried;
    this.#carried = 0;
    if (end > 0) this.#scanRows(this.#carry, 0, end, true);
  }

  /** Completes the carried row from the chunk. Returns where the next row starts in the chunk, or its length. */
  #completeCarried(chunk: Uint8Array): number {
    let taken = 0;
    /** Position of the chunk's first byte in the carried bytes. */
    let seam = this.#carried;
    let length = Math.min(
      FIRST_COMPLETION_BYTES,
      Math.ceil(this.#maxRowBytes / 16),
    );
    for (; taken < chunk.length; length *= 2) {
      const more = Math.min(length, chunk.length - taken);
      this.#append(chunk, taken, taken + more);
      taken += more;
      const next = this.#scanRows(this.#carry, 0, this.#carried, false);
      if (next >= seam) {
        this.#carried = 0;
        return next - seam;
      }
      this.#carry.copyWithin(0, next, this.#carried);
      this.#carried -= next;
      seam -= next;
    }
    return chunk.length;
  }

  #keep(bytes: Uint8Array, from: number): void {
    this.#carried = 0;
    this.#append(bytes, from, bytes.length);
  }

  #append(bytes: Uint8Array, from: number, to: number): void {
    const needed = this.#carried + to - from;
    if (needed > this.#carry.length) {
      const grown = new Uint8Array(Math.max(needed, this.#carry.length * 2));
      grown.set(this.#carry.subarray(0, this.#carried));
      this.#carry = grown;
    }
    this.#carry.set(bytes.subarray(from, to), this.#carried);
    this.#carried = needed;
  }

  /** Passes on the rows that are complete in `[from, end)`. Returns where the first incomplete row starts. */
  #scanRows(
    bytes: Uint8Array,
    from: number,
    end: number,
    last: boolean,
  ): number {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = this.#skipsLine ? this.#skipLine(from, end) : from;
    let passed = from;
    while (at < end) {
      this.#passedBytes += at - passed;
      passed = at;
      const next = this.#scanRow(at, end, last);
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
  #scanRow(rowStart: number, end: number, last: boolean): number {
    const bytes = this.bytes;
    const view = this.#view;
    const starts = this.starts;
    const ends = this.ends;
    const cellOfColumn = this.#cellOfColumn;
    const columns = this.#columns;
    this.#ranges.fill(0);
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
        while (
          at + RUN_BYTES <= end &&
          view.getFloat64(at, true) === RUN_0 &&
          view.getFloat64(at + 8, true) === RUN_1 &&
          view.getFloat64(at + 16, true) === RUN_2
        ) {
          at += RUN_BYTES;
          column += RUN_CELLS;
        }
        if (at >= end || bytes[at] !== QUOTE) continue;
        while (at + 4 <= end && view.getInt32(at, true) === EMPTY_AND_QUOTE) {
          at += 3;
          column++;
        }
        const start = ++at;
        let inner = false;
        for (;;) {
          for (;;) {
            while (at + 4 <= end) {
              const four = view.getInt32(at, true);
              const stops = zeroBytes(four ^ QUOTES) | zeroBytes(four ^ LFS);
              if (stops !== 0) {
                at += (31 - Math.clz32(stops & -stops)) >>> 3;
                break;
              }
              at += 4;
            }
            while (at < end && bytes[at] !== QUOTE && bytes[at] !== LF) at++;
            if (at >= end || bytes[at] === QUOTE) break;
            innerLines++;
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

  /** Where a row may start inside a bad one; null if nowhere. */
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

/** The highest bit of each byte that is zero, up to the first one; bits of bytes behind it mean nothing. */
function zeroBytes(four: number): number {
  return (four - 0x01010101) & ~four & 0x80808080;
}

/** Whether the carriage returns from `at` on lead to a line end, or to the end of the file. */
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
