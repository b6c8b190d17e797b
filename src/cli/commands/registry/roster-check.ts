import type { Verdict } from "../../../contract/answers.ts";
import { EXPORT_COLUMNS } from "../../../contract/export-columns.ts";
import { CsvScanner } from "../../../csv/csv-scanner.ts";
import { readFirstRow } from "../../../csv/csv-text.ts";
import type { Directory } from "../../../search/directory.ts";

const QUOTE = 0x22;
/** A header that does not end within this many bytes is none. */
const MAX_HEADER_BYTES = 1 << 20;
const MAX_COLUMNS = 10_000;
/** How many lines of bad rows are kept. */
const MAX_BAD_LINES = 5;
const FIRST_ROOM = 1 << 21;
const NEW_COLUMNS = [
  "verdict",
  "replaced_by",
  "suggestions",
  ...EXPORT_COLUMNS.map(({ name }) => name),
].map((name) => `registry_${name}`);
/** The cells of a row without a provider. */
const NO_PROVIDER = Buffer.from(`${",".repeat(EXPORT_COLUMNS.length - 1)}\r\n`);

/** Checks a CSV file with a header, in chunks of any size, and adds columns to its rows. */
export class RosterCheck {
  readonly counts: Record<Verdict, number>;
  rows = 0;
  badRows = 0;
  readonly badLines: number[] = [];
  readonly #data: Directory;
  readonly #column: string;
  readonly #writes: boolean;
  #head = Buffer.alloc(0);
  #scanner: CsvScanner | null = null;
  #columns = 0;
  #npiCell = 0;
  #out = Buffer.allocUnsafe(FIRST_ROOM);
  #length = 0;

  /** `column` is the header of the one with the NPIs. Without `writes` it only counts. */
  constructor(data: Directory, column: string, writes: boolean) {
    this.#data = data;
    this.#column = column;
    this.#writes = writes;
    this.counts = {
      active: 0,
      deactivated: 0,
      not_found: 0,
      invalid_check_digit: 0,
      malformed: 0,
    };
  }

  /** Checks the rows in the next bytes. Returns a sentence if the header is not what it must be. */
  push(chunk: Buffer): string | null {
    if (this.#scanner !== null) {
      this.#scanner.push(chunk);
      return null;
    }
    this.#head = Buffer.concat([this.#head, chunk]);
    return this.#readHeader(false);
  }

  /** Ends the file. */
  end(): string | null {
    const problem = this.#scanner === null ? this.#readHeader(true) : null;
    this.#scanner?.end();
    return problem;
  }

  /** The rows with their new columns since the last call; valid until the next. */
  takeOutput(): Uint8Array {
    const output = this.#out.subarray(0, this.#length);
    this.#length = 0;
    return output;
  }

  #readHeader(isWhole: boolean): string | null {
    const head = this.#head;
    const first = readFirstRow(head, isWhole);
    if (first === null)
      return head.length > MAX_HEADER_BYTES
        ? "The file's first line is no header of a CSV file."
        : null;
    const { cells, next, nextLine } = first;
    const problem = headerProblem(cells);
    if (problem !== null) return problem;
    const wanted = this.#column.trim().toLowerCase();
    const index = cells.findIndex(
      (cell) => cell.trim().toLowerCase() === wanted,
    );
    if (index === -1)
      return `The file has no column "${this.#column}". Name the one with the NPIs with --column. Its columns: ${cells.slice(0, 20).join(", ").slice(0, 500)}.`;
    this.#columns = cells.length;
    this.#npiCell = index + 1;
    this.#scanner = new CsvScanner(
      {
        columns: cells.length,
        cellOfColumn: Uint16Array.from(cells, (_, column) => column + 1),
        cellCount: cells.length + 1,
        firstLine: nextLine,
      },
      { row: () => this.#row(), fault: () => this.#fault() },
    );
    if (this.#writes) {
      let end = next;
      while (end > 0 && (head[end - 1] === 0x0a || head[end - 1] === 0x0d))
        end--;
      this.#raw(head, 0, end);
      this.#text(`,${NEW_COLUMNS.join(",")}\r\n`);
    }
    this.#scanner.push(head.subarray(next));
    this.#head = Buffer.alloc(0);
    return null;
  }

  #row(): void {
    const { bytes, ends, starts } = this.#scanner!;
    const cell = this.#npiCell;
    const npi = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString("latin1", starts[cell], ends[cell])
      .trim();
    const checked = this.#data.check(npi);
    this.rows++;
    this.counts[checked.verdict]++;
    if (!this.#writes) return;
    for (let column = 1; column <= this.#columns; column++) {
      if (column > 1) this.#text(",");
      this.#cell(bytes, starts[column]!, ends[column]!);
    }
    const { found, replacedBy, suggestions, verdict } = checked;
    this.#text(
      `,${verdict},${replacedBy ?? ""},${suggestions?.join(" ") ?? ""},`,
    );
    const fields =
      found === null ? NO_PROVIDER : this.#data.renderCsvRow(found);
    this.#raw(fields, 0, fields.length);
  }

  /** A cell of the file as it is there, quotes included. */
  #cell(bytes: Uint8Array, start: number, end: number): void {
    if (start === end) return;
    const isQuoted = bytes[start - 1] === QUOTE && bytes[end] === QUOTE;
    if (isQuoted) this.#raw(bytes, start - 1, end + 1);
    else this.#raw(bytes, start, end);
  }

  #fault(): void {
    this.badRows++;
    if (this.badLines.length < MAX_BAD_LINES)
      this.badLines.push(this.#scanner!.line);
  }

  #text(text: string): void {
    this.#reserve(text.length);
    this.#length += this.#out.write(text, this.#length, "latin1");
  }

  #raw(bytes: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from);
    this.#out.set(bytes.subarray(from, to), this.#length);
    this.#length += to - from;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#out.length) return;
    const grown = Buffer.allocUnsafe((this.#length + more) * 2);
    this.#out.copy(grown, 0, 0, this.#length);
    this.#out = grown;
  }
}

/** A sentence about a header that is not one of a CSV file; else null. */
function headerProblem(cells: readonly string[]): string | null {
  const advice = "Save it as CSV (UTF-8), with commas.";
  const [only = ""] = cells;
  if (cells.join("") === "") return "The file has no header.";
  if (cells.some((cell) => cell.includes("\0")))
    return `The file is not text in UTF-8. ${advice}`;
  if (cells.some((cell) => /\r(?!\n)/.test(cell)))
    return `The file's lines end with a carriage return only. ${advice}`;
  if (cells.length === 1 && /[;\t]/.test(only))
    return `The file's values are separated by ${only.includes(";") ? "semicolons" : "tabs"}. ${advice}`;
  return cells.length > MAX_COLUMNS
    ? `The file has more than ${MAX_COLUMNS} columns.`
    : null;
}
