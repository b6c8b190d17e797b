import { OFFICIAL_COLUMNS } from "../registry/rows/header.ts";

const LINE_FEED = 0x0a;

/** More than a provider's rows in one file need. The buffer that they are written to has this much room. */
export const MAX_ROW_BYTES = 8192;

/** The index of a column in the official layout. */
export function columnNumber(name: string): number {
  const column = OFFICIAL_COLUMNS.indexOf(name);
  if (column === -1)
    throw new Error(`The official layout has no column "${name}".`);
  return column;
}

/** The header line of these columns, with line end. */
export function headerLine(columns: readonly string[]): Uint8Array {
  return new TextEncoder().encode(
    `${columns.map((name) => `"${name}"`).join(",")}\n`,
  );
}

const encoder = new TextEncoder();

/** Writes rows, column by column from left to right; columns that are skipped are empty. */
export class CsvRow {
  /** Position of the next row. */
  at = 0;
  #target: Uint8Array = new Uint8Array(0);
  #column = 0;
  #text = "";
  readonly #columns: number;
  /** By the number of empty columns. */
  readonly #empties: readonly string[];

  constructor(columns: number) {
    this.#columns = columns;
    this.#empties = Array.from({ length: columns + 1 }, (_, count) =>
      '"",'.repeat(count),
    );
  }

  /** Continues in `target` from `at`. */
  begin(target: Uint8Array, at: number): void {
    this.#target = target;
    this.at = at;
  }

  /** Writes values to columns from `column` on, right of those written before. Quotes in them are doubled. */
  put(column: number, ...values: readonly string[]): void {
    if (column < this.#column)
      throw new Error(`Column ${column} is to the left of what is written.`);
    let text = this.#text + this.#empties[column - this.#column]!;
    for (const value of values) text += `"${value}",`;
    this.#text = text;
    this.#column = column + values.length;
  }

  /** Ends the row. */
  end(): void {
    const text = this.#text + this.#empties[this.#columns - this.#column]!;
    const target = this.#target.subarray(this.at);
    this.at += encoder.encodeInto(text, target).written;
    // Replaces the last column's comma with the line end.
    this.#target[this.at - 1] = LINE_FEED;
    this.#text = "";
    this.#column = 0;
  }
}
