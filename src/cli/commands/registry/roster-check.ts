import type { Verdict } from "../../../contract/answers.ts";
import { EXPORT_COLUMNS } from "../../../contract/export-columns.ts";
import { CsvScanner } from "../../../csv/csv-scanner.ts";
import { readFirstRow } from "../../../csv/csv-text.ts";
import { READ_AHEAD, type Directory } from "../../../search/directory.ts";
import type { FoundRecord } from "../../../search/query.ts";
import { constant, JsonText } from "../../../search/render/json-text.ts";

/** A header that does not end within this many bytes is none. */
const MAX_HEADER_BYTES = 1 << 20;
const MAX_COLUMNS = 10_000;
/** How many lines of bad rows are kept. */
const MAX_BAD_LINES = 5;
/** The number of the cell with the NPI: no other is needed. */
const NPI_CELL = 1;
const NPI_LENGTH = 10;
const COMMA = constant(",");
const NEW_COLUMNS = [
  "verdict",
  "replaced_by",
  "suggestions",
  ...EXPORT_COLUMNS.map(({ name }) => name),
].map((name) => `registry_${name}`);
const VERDICT_CELL = {
  active: constant(",active,"),
  deactivated: constant(",deactivated,"),
  not_found: constant(",not_found,"),
  invalid_check_digit: constant(",invalid_check_digit,"),
  malformed: constant(",malformed,"),
} satisfies Record<Verdict, Uint8Array>;
/** The cells of a row without a provider. */
const NO_PROVIDER = constant(`${",".repeat(EXPORT_COLUMNS.length - 1)}\r\n`);

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
  /** The bytes of the scanner as a Buffer. */
  #bytes: Buffer = Buffer.alloc(0);
  /** Rows that are not written yet: their bytes, where each ends, and their NPIs. */
  readonly #rows = new JsonText();
  readonly #rowEnds: number[] = [];
  readonly #npis: string[] = [];
  readonly #out = new JsonText();
  readonly #writeProvider: (found: FoundRecord) => void;

  /** `column` is the header of the one with the NPIs. Without `writes` it only counts. */
  constructor(data: Directory, column: string, writes: boolean) {
    this.#data = data;
    this.#column = column;
    this.#writes = writes;
    this.#writeProvider = data.csvRows(this.#out);
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

  /** The rows with their new columns since the last call. */
  takeOutput(): Uint8Array {
    this.#write();
    const output = this.#out.copy();
    this.#out.begin();
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
    const scanner = new CsvScanner(
      {
        columns: cells.length,
        cellOfColumn: Uint16Array.from(cells, (_, column) =>
          column === index ? NPI_CELL : 0,
        ),
        cellCount: NPI_CELL + 1,
        firstLine: nextLine,
      },
      { row: () => this.#row(scanner), fault: () => this.#fault(scanner) },
    );
    this.#scanner = scanner;
    if (this.#writes) {
      let end = next;
      while (end > 0 && (head[end - 1] === 0x0a || head[end - 1] === 0x0d))
        end--;
      this.#out.raw(head.subarray(0, end));
      this.#out.ascii(`,${NEW_COLUMNS.join(",")}\r\n`);
    }
    this.#scanner.push(head.subarray(next));
    this.#head = Buffer.alloc(0);
    return null;
  }

  #row(scanner: CsvScanner): void {
    const { bytes, ends, rowEnd, rowStart, starts } = scanner;
    if (bytes.buffer !== this.#bytes.buffer)
      this.#bytes = Buffer.from(bytes.buffer);
    const from = bytes.byteOffset + starts[NPI_CELL]!;
    const to = bytes.byteOffset + ends[NPI_CELL]!;
    let npi = this.#bytes.toString("latin1", from, to).trim();
    // Outer white space of any script, such as the no-break spaces of web pages.
    if (npi.length > NPI_LENGTH)
      npi = this.#bytes.toString("utf8", from, to).trim();
    this.rows++;
    if (!this.#writes) {
      this.counts[this.#data.verdictOf(npi).verdict]++;
      return;
    }
    this.#rows.raw(bytes.subarray(rowStart, rowEnd));
    this.#rowEnds.push(this.#rows.length);
    if (this.#npis.push(npi) === READ_AHEAD) this.#write();
  }

  /** Checks and writes the rows. */
  #write(): void {
    const out = this.#out;
    const rows = this.#rows.view();
    this.#data.readAhead(this.#npis);
    for (const [index, npi] of this.#npis.entries()) {
      const { found, replacedBy, suggestions, verdict } = this.#data.check(npi);
      this.counts[verdict]++;
      out.raw(
        rows.subarray(this.#rowEnds[index - 1] ?? 0, this.#rowEnds[index]),
      );
      out.raw(VERDICT_CELL[verdict]);
      if (replacedBy !== null) out.ascii(replacedBy);
      out.raw(COMMA);
      if (suggestions !== null) out.ascii(suggestions.join(" "));
      out.raw(COMMA);
      if (found === null) out.raw(NO_PROVIDER);
      else this.#writeProvider(found);
    }
    this.#rows.begin();
    this.#rowEnds.length = 0;
    this.#npis.length = 0;
  }

  #fault(scanner: CsvScanner): void {
    this.badRows++;
    if (this.badLines.length < MAX_BAD_LINES) this.badLines.push(scanner.line);
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
