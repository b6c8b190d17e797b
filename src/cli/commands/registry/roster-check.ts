import type { Verdict } from "../../../contract/verdicts.ts";
import { EXPORT_COLUMNS } from "../../../contract/export-columns.ts";
import { CommaConverter } from "../../../csv/comma-converter.ts";
import { CsvScanner, type RowFault } from "../../../csv/csv-scanner.ts";
import {
  decodeCell,
  headerProblem,
  readFirstRow,
  unquoted,
} from "../../../text/csv-text.ts";
import { ungroupedNpi, unwrappedNpi } from "../../../registry/npi.ts";
import {
  columnNamed,
  comparedColumns,
  type RosterColumn,
} from "../../../registry/rosters/roster-columns.ts";
import { rosterDifferences } from "../../../registry/rosters/roster-differences.ts";
import type { Directory } from "../../../search/directory.ts";
import type { CheckedNpi } from "../../../search/npi-checker.ts";
import { READ_AHEAD } from "../../../search/render/rendering.ts";
import type { FoundRecord } from "../../../search/query.ts";
import { constant, JsonText } from "../../../search/render/json-text.ts";

/** A header that does not end within this many bytes is none. */
const MAX_HEADER_BYTES = 1 << 20;
/** The number of lines of odd rows that are kept. */
const MAX_LINES = 5;
/** The number of the cell with the NPI. Those that are compared follow. */
const NPI_CELL = 1;
const NPI_LENGTH = 10;
const COMMA = constant(",");
const COMMA_BYTE = 0x2c;
const QUOTE_BYTE = 0x22;
const ROW_END = constant("\r\n");
const NEW_COLUMNS = [
  "verdict",
  "replaced_by",
  "suggestions",
  ...EXPORT_COLUMNS.map(({ name }) => name),
  "differs",
].map((name) => `registry_${name}`);
const VERDICT_CELL = {
  active: constant(",active,"),
  deactivated: constant(",deactivated,"),
  not_found: constant(",not_found,"),
  invalid_check_digit: constant(",invalid_check_digit,"),
  malformed: constant(",malformed,"),
} satisfies Record<Verdict, Uint8Array>;
/** The cells of a row without a provider. */
const NO_PROVIDER = constant(`${",".repeat(EXPORT_COLUMNS.length)}\r\n`);

/** The number of rows with some fault, and the lines of the first. */
export interface OddRows {
  count: number;
  readonly lines: number[];
}

/**
 * Checks a CSV file with a header, in chunks of any size, and adds columns to its rows. A row with too few cells gets
 * empty ones, and those that it has too many follow the new columns. Text that is no row, such as after a quote that is
 * never closed, becomes a row with that text in the first cell.
 */
export class RosterCheck {
  readonly counts: Record<Verdict, number>;
  rows = 0;
  /** Rows with more or fewer cells than the header. */
  readonly ragged: OddRows = { count: 0, lines: [] };
  /** Text that is no row. */
  readonly unreadable: OddRows = { count: 0, lines: [] };
  /** Lines that are too long to be rows, which are not in the output. */
  readonly leftOut: OddRows = { count: 0, lines: [] };
  /** Rows whose NPI is in another form than ten digits. */
  readonly ungrouped: OddRows = { count: 0, lines: [] };
  readonly #data: Directory;
  readonly #column: string;
  readonly #writes: boolean;
  readonly #converter = new CommaConverter();
  #head = Buffer.alloc(0);
  #scanner: CsvScanner | null = null;
  /** The bytes of the scanner as a Buffer. */
  #bytes: Buffer = Buffer.alloc(0);
  /** Rows that are not written yet: their bytes, where each ends, and their NPIs. */
  readonly #rows = new JsonText();
  readonly #rowEnds: number[] = [];
  readonly #npis: string[] = [];
  /** Their cells that are compared, by column. */
  readonly #cells: string[][] = [];
  #compared: readonly RosterColumn[] = [];
  /** The cells that such a row has too many, by its index. */
  readonly #surplus = new Map<number, Uint8Array>();
  /** The number of cells of the header. */
  #columns = 0;
  readonly #out = new JsonText();
  readonly #writeProvider: (found: FoundRecord) => void;

  /** `column` is the header of the one with the NPIs. Without `writes` it only counts. */
  constructor(data: Directory, column: string, writes: boolean) {
    this.#data = data;
    this.#column = column;
    this.#writes = writes;
    this.#writeProvider = data.lookup.rendering.csvRows(this.#out);
    this.counts = {
      active: 0,
      deactivated: 0,
      not_found: 0,
      invalid_check_digit: 0,
      malformed: 0,
    };
  }

  /** Checks the rows in the next bytes. Returns a sentence if the header is not what it must be. */
  push(chunk: Uint8Array): string | null {
    return this.#read(this.#converter.push(chunk), false);
  }

  /** Ends the file. */
  end(): string | null {
    const problem = this.#read(this.#converter.end(), true);
    this.#scanner?.end();
    return problem;
  }

  #read(bytes: Uint8Array, isWhole: boolean): string | null {
    if (this.#scanner !== null) {
      this.#scanner.push(bytes);
      return null;
    }
    this.#head = Buffer.concat([this.#head, bytes]);
    return this.#readHeader(isWhole);
  }

  /** Takes the rows with their new columns since the last call. */
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
        ? "The file's first line isn't a CSV header."
        : null;
    const { cells, next, nextLine } = first;
    const problem = headerProblem(cells);
    if (problem !== null) return problem;
    const index = columnNamed(cells, this.#column);
    if (index === -1)
      return `The file has no column "${this.#column}". Name the one with the NPIs with --column. Its columns: ${cells.slice(0, 20).join(", ").slice(0, 500)}.`;
    this.#columns = cells.length;
    if (this.#writes)
      this.#compared = comparedColumns(cells).filter(
        (column) => column.index !== index,
      );
    const cellOfColumn = new Uint16Array(cells.length);
    cellOfColumn[index] = NPI_CELL;
    for (const [place, column] of this.#compared.entries())
      cellOfColumn[column.index] = NPI_CELL + 1 + place;
    const scanner = new CsvScanner(
      {
        columns: cells.length,
        cellOfColumn,
        cellCount: NPI_CELL + 1 + this.#compared.length,
        firstLine: nextLine + this.#converter.removedLines,
      },
      {
        row: () => this.#row(scanner),
        fault: (fault) => this.#fault(scanner, fault),
      },
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
    const { bytes, rowEnd, rowStart } = scanner;
    if (this.#writes) this.#rows.raw(bytes.subarray(rowStart, rowEnd));
    this.#check(this.#npiOf(scanner), this.#comparedCells(scanner));
  }

  #fault(scanner: CsvScanner, fault: RowFault): void {
    const { bytes, columnCount, line, rowEnd, rowStart } = scanner;
    if (fault === "row_too_long") return note(this.leftOut, line);
    if (!this.#writes) this.#rows.begin();
    const columns = this.#columns;
    const rows = this.#rows;
    if (columnCount === null) {
      note(this.unreadable, line);
      rows.cell(bytes, rowStart, rowEnd);
      rows.ascii(",".repeat(columns - 1));
      this.#check("", []);
      return;
    }
    note(this.ragged, line);
    const row = bytes.subarray(rowStart, rowEnd);
    const end = columnCount > columns ? endOfCells(row, columns) : row.length;
    rows.raw(row.subarray(0, end));
    rows.ascii(",".repeat(Math.max(0, columns - columnCount)));
    if (end < row.length && this.#writes)
      this.#surplus.set(this.#npis.length, row.slice(end));
    this.#check(this.#npiOf(scanner), this.#comparedCells(scanner));
  }

  /** Returns the cells of the scanner's row that are compared, at their columns. */
  #comparedCells({ bytes, ends, hasInnerQuotes, starts }: CsvScanner) {
    const cells: string[] = [];
    for (const [place, { index }] of this.#compared.entries()) {
      const cell = NPI_CELL + 1 + place;
      const text = decodeCell(bytes.subarray(starts[cell], ends[cell]));
      cells[index] = hasInnerQuotes ? unquoted(text) : text;
    }
    return cells;
  }

  /** Returns the NPI of the scanner's row; empty if the row has no such cell. */
  #npiOf({ bytes, ends, line, starts }: CsvScanner): string {
    if (bytes.buffer !== this.#bytes.buffer)
      this.#bytes = Buffer.from(bytes.buffer);
    const from = bytes.byteOffset + starts[NPI_CELL]!;
    const to = bytes.byteOffset + ends[NPI_CELL]!;
    const npi = this.#bytes.toString("latin1", from, to).trim();
    if (npi.length <= NPI_LENGTH) return npi;
    const unwrapped = unwrappedNpi(this.#bytes.toString("utf8", from, to));
    const ungrouped = ungroupedNpi(unwrapped);
    if (ungrouped !== unwrapped) note(this.ungrouped, line);
    return ungrouped;
  }

  /** Checks a row, which ends where `#rows` does. */
  #check(npi: string, cells: string[]): void {
    this.rows++;
    if (!this.#writes) {
      this.counts[this.#data.lookup.checker.verdictOf(npi)]++;
      return;
    }
    this.#rowEnds.push(this.#rows.length);
    this.#cells.push(cells);
    if (this.#npis.push(npi) === READ_AHEAD) this.#write();
  }

  /** Writes the rows with what the data says of them. */
  #write(): void {
    const out = this.#out;
    const rows = this.#rows.view();
    this.#data.lookup.rendering.readAhead(this.#npis);
    for (const [index, npi] of this.#npis.entries()) {
      const checked = this.#data.lookup.checker.check(npi);
      const { found, replacedBy, suggestions, verdict } = checked;
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
      else {
        this.#writeProvider(found);
        out.truncate(out.length - ROW_END.length);
        out.raw(COMMA);
        out.ascii(this.#differing(checked, this.#cells[index]!));
        out.raw(ROW_END);
      }
      const surplus = this.#surplus.get(index);
      if (surplus === undefined) continue;
      out.truncate(out.length - ROW_END.length);
      out.raw(surplus);
      out.raw(ROW_END);
    }
    this.#rows.begin();
    this.#rowEnds.length = 0;
    this.#npis.length = 0;
    this.#cells.length = 0;
    this.#surplus.clear();
  }

  /** Names what differs of a row and its provider, with spaces between. */
  #differing(checked: CheckedNpi, cells: readonly string[]): string {
    if (this.#compared.length === 0) return "";
    const { provider } = JSON.parse(
      this.#data.lookup.rendering.renderChecked(checked),
    );
    const found = rosterDifferences(this.#compared, cells, provider);
    return [...new Set(found.map(({ column }) => column.field))].join(" ");
  }
}

function note(odd: OddRows, line: number): void {
  odd.count++;
  if (odd.lines.length < MAX_LINES) odd.lines.push(line);
}

/** Finds the end of the first cells of a row, read as CsvScanner reads them. The row has more. */
function endOfCells(row: Uint8Array, cells: number): number {
  let at = 0;
  for (let cell = 0; cell < cells; cell++) {
    if (cell > 0) at++;
    if (row[at] === QUOTE_BYTE) {
      at++;
      while (
        at < row.length &&
        (row[at] !== QUOTE_BYTE || row[at + 1] !== COMMA_BYTE)
      )
        at += row[at] === QUOTE_BYTE && row[at + 1] === QUOTE_BYTE ? 2 : 1;
    }
    while (at < row.length && row[at] !== COMMA_BYTE) at++;
  }
  return at;
}
