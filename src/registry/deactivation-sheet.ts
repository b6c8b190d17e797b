import type { BadRow, BadRowReason } from "./bad-row.ts";
import { dayOfIso, isoDate } from "./dates.ts";
import { checkNpi, isAssignableNpi } from "./npi.ts";
import { NO_DATE } from "./provider-row.ts";
import { RegistryFileError } from "./registry-file-error.ts";

/** The sheet of the registry's workbook, and its columns. */
export const DEACTIVATION_SHEET = "DeactivatedNPIs";
const NPI_COLUMN = /^\s*npi\s*$/i;
const DATE_COLUMN = /^\s*(?:nppes\s+)?(?:npi\s+)?deactivation\s+date\s*$/i;
/** The header stands behind a line of title; somewhat more before it does no harm. */
const HEADER_WITHIN = 5;

const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const AS_OF = /\bas of\s+(.+?)\s*$/i;
const MONTH_FIRST = /^([a-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4})$/i;
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** The rows of a report of deactivated NPIs, in their order. */
export interface DeactivationRows {
  /** ISO date that the title gives (`NPPES Deactivated Records as of Nov 09 2026`); null when it gives none. */
  asOf: string | null;
  npis: Uint32Array<ArrayBuffer>;
  /** The day number of each one's deactivation. */
  days: Uint16Array<ArrayBuffer>;
  badRows: BadRow[];
}

/** Reads the cells of the report's sheet, row by row; `name` is for the sentence of the RegistryFileError when it is another. */
export function readDeactivationSheet(
  rows: readonly (readonly unknown[])[],
  name: string,
): DeactivationRows {
  const { columns, header } = findHeader(rows, name);
  const npis = new Uint32Array(rows.length);
  const days = new Uint16Array(rows.length);
  const badRows: BadRow[] = [];
  let count = 0;
  for (let at = header + 1; at < rows.length; at++) {
    const npi = textOf(rows[at]![columns.npi]);
    const date = rows[at]![columns.date] ?? null;
    if (npi === "" && date === null) continue;
    const day = dayOf(date);
    const reason = faultOf(npi, day);
    if (reason === null) {
      npis[count] = Number(npi);
      days[count++] = day;
    } else {
      const bad: BadRow = { line: at + 1, reason };
      if (checkNpi(npi) !== "shape") bad.npi = npi;
      badRows.push(bad);
    }
  }
  if (count === 0 && badRows.length === 0)
    throw new RegistryFileError(
      `${name} lists no NPI: download it again, or give another report.`,
    );
  return {
    asOf: titleDate(rows.slice(0, header)),
    npis: npis.slice(0, count),
    days: days.slice(0, count),
    badRows,
  };
}

function findHeader(
  rows: readonly (readonly unknown[])[],
  name: string,
): { header: number; columns: { npi: number; date: number } } {
  for (const [header, cells] of rows.slice(0, HEADER_WITHIN).entries()) {
    const texts = cells.map(textOf);
    const npi = texts.findIndex((text) => NPI_COLUMN.test(text));
    const date = texts.findIndex((text) => DATE_COLUMN.test(text));
    if (npi !== -1 && date !== -1) return { header, columns: { npi, date } };
  }
  throw new RegistryFileError(
    `${name} is no report of deactivated NPIs, for its sheet ${DEACTIVATION_SHEET} has no columns "NPI" and "NPPES Deactivation Date": download it again.`,
  );
}

function faultOf(npi: string, day: number): BadRowReason | null {
  if (checkNpi(npi) !== "ok" || !isAssignableNpi(Number(npi)))
    return "invalid_npi";
  return day === NO_DATE ? "invalid_deactivation_date" : null;
}

function textOf(cell: unknown): string {
  return typeof cell === "string" || typeof cell === "number"
    ? String(cell).trim()
    : "";
}

/** The day number of a date cell, or of a text `MM/DD/YYYY` or `YYYY-MM-DD`; NO_DATE for anything else. */
function dayOf(cell: unknown): number {
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
      ? text
      : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`,
  );
}

function titleDate(titles: readonly (readonly unknown[])[]): string | null {
  for (const title of titles.flat().map(textOf)) {
    const text = AS_OF.exec(title)?.[1] ?? "";
    const [, month = "", day = "", year = ""] = MONTH_FIRST.exec(text) ?? [];
    const number = MONTHS.indexOf(month.toLowerCase()) + 1;
    const found = dayOfText(number === 0 ? text : `${number}/${day}/${year}`);
    if (found !== NO_DATE) return isoDate(found);
  }
  return null;
}
