import type { BadRow, BadRowReason } from "../rows/provider-row.ts";
import { dayOfIso, isoDate } from "../../text/dates.ts";
import { checkNpi, isAssignableNpi } from "../npi.ts";
import { NO_DATE } from "../rows/provider-row.ts";
import { RegistryFileError } from "../files/registry-file-error.ts";
import type { CellValue } from "./workbook.ts";

/** The sheet of the registry's workbook, and its columns. */
export const DEACTIVATION_SHEET = "DeactivatedNPIs";
const NPI_COLUMN = /^\s*npi\s*$/i;
const DATE_COLUMN = /^\s*(?:nppes\s+)?(?:npi\s+)?deactivation\s+date\s*$/i;
/** The header follows a title line; a few more lines before it are accepted. */
const HEADER_WITHIN = 5;
const FIRST_ROWS = 1 << 10;
/** As many as an import report lists. */
const MAX_BAD_ROWS_SHOWN = 1_000;

const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const TIME = /T[\d:.]+Z?$/;
const AS_OF = /\bas of\s+(.+?)\s*$/i;
const MONTH_FIRST = /^([a-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4})$/i;
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** The rows of a report of deactivated NPIs, in their order. */
export interface DeactivationRows {
  /** ISO date in the title (`NPPES Deactivated Records as of Nov 09 2026`); null if it has none. */
  asOf: string | null;
  npis: Uint32Array<ArrayBuffer>;
  /** Day number of each deactivation. */
  days: Uint16Array<ArrayBuffer>;
  /** Only the first ones. */
  badRows: readonly BadRow[];
  badRowsByReason: ReadonlyMap<BadRowReason, number>;
}

/** Reads the cells of the report's sheet, row by row; `name` is for error messages. */
export class DeactivationSheet {
  readonly #name: string;
  readonly #titles: (readonly CellValue[])[] = [];
  #columns: { npi: number; date: number } | null = null;
  #npis = new Uint32Array(FIRST_ROWS);
  #days = new Uint16Array(FIRST_ROWS);
  #count = 0;
  readonly #badRows: BadRow[] = [];
  readonly #badRowsByReason = new Map<BadRowReason, number>();

  constructor(name: string) {
    this.#name = name;
  }

  /** Takes a row; `line` is its number. Throws RegistryFileError if the first rows have no header. */
  row(cells: readonly CellValue[], line: number): void {
    const columns = this.#columns;
    if (columns !== null) return this.#listed(cells, columns, line);
    this.#columns = headerOf(cells);
    if (this.#columns === null && this.#titles.push(cells) === HEADER_WITHIN)
      throw this.#isOther();
  }

  /** Returns what was read. Throws RegistryFileError if there was no header or no row. */
  end(): DeactivationRows {
    if (this.#columns === null) throw this.#isOther();
    if (this.#count === 0 && this.#badRows.length === 0)
      throw new RegistryFileError(
        `${this.#name} lists no NPIs. Download it again, or give another report.`,
      );
    return {
      asOf: titleDate(this.#titles),
      npis: this.#npis.slice(0, this.#count),
      days: this.#days.slice(0, this.#count),
      badRows: this.#badRows,
      badRowsByReason: this.#badRowsByReason,
    };
  }

  #listed(
    cells: readonly CellValue[],
    columns: { npi: number; date: number },
    line: number,
  ): void {
    const npi = textOf(cells[columns.npi]);
    const date = cells[columns.date] ?? null;
    if (npi === "" && date === null) return;
    const day = dayOf(date);
    const reason = faultOf(npi, day);
    if (reason === null) this.#add(Number(npi), day);
    else this.#bad(npi, line, reason);
  }

  #add(npi: number, day: number): void {
    if (this.#count === this.#npis.length) {
      const { length } = this.#npis;
      this.#npis = new Uint32Array(this.#npis.buffer.transfer(length * 8));
      this.#days = new Uint16Array(this.#days.buffer.transfer(length * 4));
    }
    this.#npis[this.#count] = npi;
    this.#days[this.#count++] = day;
  }

  #bad(npi: string, line: number, reason: BadRowReason): void {
    const counts = this.#badRowsByReason;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    if (this.#badRows.length === MAX_BAD_ROWS_SHOWN) return;
    const bad: BadRow = { line, reason };
    if (checkNpi(npi) !== "shape") bad.npi = npi;
    this.#badRows.push(bad);
  }

  #isOther(): RegistryFileError {
    return new RegistryFileError(
      `${this.#name} is not a report of deactivated NPIs: its sheet ${DEACTIVATION_SHEET} has no columns "NPI" and "NPPES Deactivation Date". Download it again.`,
    );
  }
}

/** Returns the positions of the columns if the row is the header, else null. */
function headerOf(
  cells: readonly CellValue[],
): { npi: number; date: number } | null {
  const texts = Array.from(cells, textOf);
  const npi = texts.findIndex((text) => NPI_COLUMN.test(text));
  const date = texts.findIndex((text) => DATE_COLUMN.test(text));
  return npi !== -1 && date !== -1 ? { npi, date } : null;
}

function faultOf(npi: string, day: number): BadRowReason | null {
  if (checkNpi(npi) !== "ok" || !isAssignableNpi(Number(npi)))
    return "invalid_npi";
  return day === NO_DATE ? "invalid_deactivation_date" : null;
}

function textOf(cell: CellValue | undefined): string {
  return typeof cell === "string" || typeof cell === "number"
    ? String(cell).trim()
    : "";
}

/** Reads a day number from a date cell, or a text `MM/DD/YYYY` or `YYYY-MM-DD`, with or without time; else NO_DATE. */
function dayOf(cell: CellValue): number {
  if (cell instanceof Date)
    return Number.isNaN(cell.getTime())
      ? NO_DATE
      : dayOfIso(cell.toISOString().slice(0, 10));
  return typeof cell === "string" ? dayOfText(cell.trim()) : NO_DATE;
}

function dayOfText(text: string): number {
  const [, month = "", day = "", year = ""] = SLASHED.exec(text) ?? [];
  return dayOfIso(
    year === ""
      ? text.replace(TIME, "")
      : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`,
  );
}

function titleDate(titles: readonly (readonly CellValue[])[]): string | null {
  for (const title of titles.flat().map(textOf)) {
    const text = AS_OF.exec(title)?.[1] ?? "";
    const [, month = "", day = "", year = ""] = MONTH_FIRST.exec(text) ?? [];
    const number = MONTHS.indexOf(month.toLowerCase()) + 1;
    const found = dayOfText(number === 0 ? text : `${number}/${day}/${year}`);
    if (found !== NO_DATE) return isoDate(found);
  }
  return null;
}
