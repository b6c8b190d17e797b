import { OFFICIAL_COLUMNS } from "../registry/rows/header.ts";
import type { WordPool } from "./names/word-pool.ts";
import type { WeekChange } from "./week-changes.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const ZERO = 0x30;
const LOWER_CASE_BIT = 0x20;
/** `"",` */
const EMPTY_BYTES = 3;

/** More than any generated row needs. The buffer that a row is written to has this much room. */
export const MAX_ROW_BYTES = 8192;

/**
 * Writes a provider's rows of a file, if any, to `target` from `at` (with MAX_ROW_BYTES of room). Returns their end.
 */
export type WriteRows = (
  target: Uint8Array,
  at: number,
  index: number,
  change?: WeekChange,
) => number;

/** The index of a column in the official layout. */
export function columnNumber(name: string): number {
  const column = OFFICIAL_COLUMNS.indexOf(name);
  if (column === -1)
    throw new Error(`The official layout has no column "${name}".`);
  return column;
}

/** The header line of these columns, or of the official layout, with line end. */
export function headerLine(
  columns: readonly string[] = OFFICIAL_COLUMNS,
): Uint8Array {
  return new TextEncoder().encode(
    `${columns.map((name) => `"${name}"`).join(",")}\n`,
  );
}

/**
 * Writes one row, column by column from left to right; columns that are skipped are empty. Callers copy each value to
 * `bytes` at `at`, between `open` and `close`.
 */
export class CsvRow {
  bytes: Uint8Array = new Uint8Array(0);
  /** Position of the next byte. */
  at = 0;
  #column = 0;
  readonly #columns: number;
  readonly #empties: Buffer;

  /** `columns`: the number of columns, by default that of the official layout. */
  constructor(columns: number = OFFICIAL_COLUMNS.length) {
    this.#columns = columns;
    this.#empties = Buffer.from('"",'.repeat(columns));
  }

  /** Starts a row in `target` at `start`. */
  begin(target: Uint8Array, start: number): void {
    this.bytes = target;
    this.at = start;
    this.#column = 0;
  }

  /** Starts a value in a column to the right of the last one. */
  open(column: number): void {
    this.#skipTo(column);
    this.bytes[this.at++] = QUOTE;
  }

  close(): void {
    this.bytes[this.at++] = QUOTE;
    this.bytes[this.at++] = COMMA;
    this.#column++;
  }

  /** Ends the row. Returns where the next one starts. */
  end(): number {
    this.#skipTo(this.#columns);
    // Replaces the last column's comma with the line end.
    this.bytes[this.at - 1] = LINE_FEED;
    return this.at;
  }

  putByte(byte: number): void {
    this.bytes[this.at++] = byte;
  }

  putWord(pool: WordPool, word: number): void {
    this.at = pool.put(this.bytes, this.at, word);
  }

  /** Lower-cases what was written from `start`, except the first letter of each word; ASCII only. */
  titleCase(start: number): void {
    for (let i = start + 1; i < this.at; i++) {
      const byte = this.bytes[i]!;
      if (isCapital(byte) && isLetter(this.bytes[i - 1]!))
        this.bytes[i] = byte | LOWER_CASE_BIT;
    }
  }

  /** Writes an integer below 2³¹, padded with zeros to `width` digits. */
  putNumber(value: number, width = 1): void {
    let digits = 1;
    for (let limit = 10; value >= limit || digits < width; limit *= 10)
      digits++;
    let rest = value | 0;
    for (let place = this.at + digits - 1; place >= this.at; place--) {
      const next = (rest / 10) | 0;
      this.bytes[place] = ZERO + rest - next * 10;
      rest = next;
    }
    this.at += digits;
  }

  #skipTo(column: number): void {
    const empty = column - this.#column;
    if (empty === 0) return;
    if (empty < 0)
      throw new Error(`Column ${column} is to the left of what is written.`);
    this.#empties.copy(this.bytes, this.at, 0, empty * EMPTY_BYTES);
    this.at += empty * EMPTY_BYTES;
    this.#column = column;
  }
}

function isCapital(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}

/** Whether a byte is an ASCII letter, or part of a letter beyond ASCII. */
function isLetter(byte: number): boolean {
  return isCapital(byte & ~LOWER_CASE_BIT) || byte >= 0x80;
}
