/** More than a provider's rows in one file need. */
export const MAX_ROW_BYTES = 8192;

const LINE_FEED = 0x0a;
const QUOTE = '"';
/** The bytes between cells. */
const NEXT = '","';
/** By the number of empty cells. */
const EMPTIES = Array.from({ length: 331 }, (_, count) => NEXT.repeat(count));
const EMPTY_BYTES = EMPTIES.map((text) => Buffer.from(text));
/** Copying the bytes of more empty cells than this is faster than writing their text. */
const SHORT = 20;

/** Writes rows, cell by cell. */
export class CsvRow {
  /** The memory to write to, and the position of the next byte. */
  target = Buffer.alloc(2 * MAX_ROW_BYTES);
  at = 0;
  /** The text to be written at this position. */
  #text = QUOTE;

  /** Writes cells. Quotes in them are doubled. */
  add(...cells: readonly string[]): void {
    for (let i = 0; i < cells.length; i++) this.#text += cells[i]! + NEXT;
  }

  /** Writes empty cells. */
  skip(count: number): void {
    if (count <= SHORT) this.#text += EMPTIES[count]!;
    else {
      this.#flush();
      this.target.set(EMPTY_BYTES[count]!, this.at);
      this.at += EMPTY_BYTES[count]!.length;
    }
  }

  /** Ends the row: replaces what would be between the last cell and the next. */
  end(): void {
    this.#flush();
    this.at--;
    this.target[this.at - 1] = LINE_FEED;
    this.#text = QUOTE;
  }

  #flush(): void {
    this.at += this.target.write(this.#text, this.at);
    this.#text = "";
  }
}

/** Writes the line of these cells. */
export function lineOf(cells: readonly string[]): Uint8Array {
  const row = new CsvRow();
  row.add(...cells);
  row.end();
  return row.target.subarray(0, row.at);
}
