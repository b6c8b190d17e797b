const QUOTE = 0x22;
const COMMA = 0x2c;
const LF = 0x0a;
const CR = 0x0d;

/** A row whose end is not found within this many bytes is bad. The registry's longest are some ten thousand. */
const MAX_ROW_BYTES = 1 << 20;

/**
 * Bytes may be read anew for the sake of rows inside bad ones as far as so many of the longest rows, and as many bytes as
 * the file has had so far. In a damaged file nearly every line may seem to begin such a row: beyond this a bad row is
 * passed over as a whole, so that the work stays in proportion to the file.
 */
const REREAD_ROWS = 64;

/** A row that a chunk's end cut is completed with so many bytes of the next chunk first, and with more if need be. */
const FIRST_COMPLETION_BYTES = MAX_ROW_BYTES / 16;

/** Eight empty cells, `"",` eight times, as three numbers of eight bytes: an empty run is passed 24 bytes at a time. */
const EMPTY_RUN = new DataView(
  Uint8Array.from('"",'.repeat(8), (sign) => sign.charCodeAt(0)).buffer,
);
const RUN_0 = EMPTY_RUN.getFloat64(0, true);
const RUN_1 = EMPTY_RUN.getFloat64(8, true);
const RUN_2 = EMPTY_RUN.getFloat64(16, true);
/** One empty cell and the quote that opens the next, as a number of four bytes. */
const EMPTY_AND_QUOTE = 0x222c2222;
const RUN_BYTES = 24;
const RUN_CELLS = 8;

const INCOMPLETE = -1;

/** Why a row has no cells: see CsvScanner. */
export type RowFault =
  "wrong_column_count" | "unterminated_quote" | "row_too_long";

/** Where rows go. The scanner's `bytes`, `starts`, `ends`, `line` and `hasInnerQuotes` hold during the call. */
export interface RowSink {
  row(): void;
  /** In a faulty row the ranges are those of the cells that were read before the fault showed. */
  fault(fault: RowFault): void;
}

/** What a scanner needs to know of a file: see Header. */
export interface CsvLayout {
  columns: number;
  cellOfColumn: Uint8Array;
  cellCount: number;
  /** The physical line, from 1, on which the first byte stands. */
  firstLine: number;
  maxRowBytes?: number;
}

/**
 * Scans CSV in chunks of any size and gives the byte ranges of the needed cells, row by row. RFC 4180, and as lenient as
 * real readers are: quoted or bare cells, CRLF or LF, a missing last line end, blank lines passed over, a quote inside a
 * bare cell is a character, a quote inside a quoted cell that neither ends it nor is doubled is one too.
 *
 * A bad quote must not swallow rows. A row of more than one line that has the wrong number of columns, or whose quote is
 * still open after `maxRowBytes` or at the file's end, is reported by its first line, and reading goes on at a line inside
 * it, unless that has been the case too often (REREAD_ROWS). The rows reported do not depend on where chunks end.
 */
export class CsvScanner {
  /** What the ranges point into: the chunk, or the scanner's own memory. */
  bytes: Uint8Array = new Uint8Array(0);
  /** By cell number, 1 to `cellCount - 1`; the two are equal for an empty cell. A quoted cell's range lies inside its quotes. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** The physical line, from 1, on which the row begins. */
  line: number;
  /** Whether a needed cell holds quotes inside its quotes, so that its text is not its bytes. */
  hasInnerQuotes = false;
  /** How many bytes of bad rows were read anew to find the rows inside them. */
  rereadBytes = 0;

  readonly #sink: RowSink;
  readonly #columns: number;
  readonly #cellOfColumn: Uint8Array;
  readonly #maxRowBytes: number;
  #view: DataView = new DataView(new ArrayBuffer(0));
  /** The beginning of a row whose end is not there yet. */
  #carry = new Uint8Array(FIRST_COMPLETION_BYTES);
  #carried = 0;
  /** Inside a line that is too long to be a row: everything is passed over to its end. */
  #skipsLine = false;
  /** How many bytes were done with. */
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
    this.starts = new Int32Array(layout.cellCount);
    this.ends = new Int32Array(layout.cellCount);
  }

  /** Scans the next bytes of the file. The chunk is not changed and not kept. */
  push(chunk: Uint8Array): void {
    // A Buffer is another kind of object for the engine; with one kind alone the loops below stay fast.
    const bytes = new Uint8Array(
      chunk.buffer,
      chunk.byteOffset,
      chunk.byteLength,
    );
    const from = this.#carried > 0 ? this.#completeCarried(bytes) : 0;
    if (from < bytes.length)
      this.#keep(bytes, this.#scanRows(bytes, from, bytes.length, false));
  }

  /** Ends the file: what is left is the last row. */
  end(): void {
    const end = this.#carried;
    this.#carried = 0;
    if (end > 0) this.#scanRows(this.#carry, 0, end, true);
  }

  /** Completes the carried row from the chunk's beginning; returns where in the chunk the next row begins, or its length. */
  #completeCarried(chunk: Uint8Array): number {
    let taken = 0;
    /** Where the chunk's first byte stands in the carried bytes. */
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

  /** Hands on the rows that begin and end in `[from, end)`; returns where the first row begins that does not end there. */
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

  /** Reads one row: cells into `starts` and `ends`, how many columns and inner line ends. Returns the next row's place. */
  #scanRow(rowStart: number, end: number, last: boolean): number {
    const bytes = this.bytes;
    const view = this.#view;
    const starts = this.starts;
    const ends = this.ends;
    const cellOfColumn = this.#cellOfColumn;
    const columns = this.#columns;
    starts.fill(0);
    ends.fill(0);
    this.hasInnerQuotes = false;
    let innerLines = 0;
    let column = 0;
    let at = rowStart;
    let next = INCOMPLETE;
    while (next === INCOMPLETE) {
      if (at >= end) {
        if (!last) break;
        // The file ends behind a comma.
        column++;
        next = at;
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
          for (; at < end; at++) {
            const byte = bytes[at]!;
            if (byte === QUOTE) break;
            if (byte === LF) innerLines++;
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
        if (inner && cell !== 0) this.hasInnerQuotes = true;
        column++;
        if (at + 1 < end && bytes[at + 1] === COMMA) at += 2;
        else next = afterLineEnd(bytes, at + 1, end);
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
        const cell = column < columns ? cellOfColumn[column]! : 0;
        starts[cell] = start;
        ends[cell] = cellEnd;
        column++;
      }
    }
    this.#column = column;
    this.#innerLines = innerLines;
    return next;
  }

  /** A row that ended with too few or too many columns. */
  #wrongCount(rowStart: number, rowEnd: number): number {
    const bytes = this.bytes;
    if (this.#column === 1 && isBlank(bytes, rowStart, rowEnd)) {
      this.line++;
      return rowEnd;
    }
    this.#sink.fault("wrong_column_count");
    if (this.#innerLines > 0) {
      // A lost quote joined this row to the next, or a good row with line breaks in it has lost a cell. The next line
      // that begins as rows of this file do is a row in the first case, and rarely there in the second.
      const quoted = bytes[rowStart] === QUOTE;
      let line = this.line;
      for (let at = rowStart; at < rowEnd - 1; at++) {
        if (bytes[at] !== LF) continue;
        line++;
        if (!quoted || bytes[at + 1] === QUOTE) {
          if (!this.#mayReread(rowEnd - at - 1)) break;
          this.line = line;
          return at + 1;
        }
      }
    }
    this.line += this.#innerLines + 1;
    return rowEnd;
  }

  /** A row without an end in sight: reports it and returns where to go on, behind its first line end. */
  #passOver(rowStart: number, end: number): number {
    const limit = Math.min(end, rowStart + this.#maxRowBytes);
    const lineEnd = this.bytes.subarray(rowStart, limit).indexOf(LF);
    const tooLong = lineEnd < 0 && end - rowStart > this.#maxRowBytes;
    this.#sink.fault(tooLong ? "row_too_long" : "unterminated_quote");
    if (lineEnd >= 0) {
      const next = rowStart + lineEnd + 1;
      this.line++;
      if (this.#mayReread(limit - next)) return next;
      for (let at = next; at < limit; at++)
        if (this.bytes[at] === LF) this.line++;
    }
    this.#skipsLine = true;
    return this.#skipLine(limit, end);
  }

  #mayReread(bytes: number): boolean {
    const most = this.#passedBytes + REREAD_ROWS * this.#maxRowBytes;
    if (this.rereadBytes + bytes > most) return false;
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
