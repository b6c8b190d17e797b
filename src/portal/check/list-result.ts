import type { BatchEntry } from "../../contract/answers.ts";
import type { Verdict } from "../../contract/verdicts.ts";
import { checkNpi } from "../../registry/npi.ts";
import {
  rosterDifferences,
  type RosterDifference,
} from "../../registry/rosters/roster-differences.ts";
import type { ListRow, UserList } from "./read-list.ts";

/** The names of the verdicts. */
export const VERDICT_NAMES: Readonly<Record<Verdict, string>> = {
  active: "Valid",
  deactivated: "Deactivated",
  not_found: "Not in the registry",
  invalid_check_digit: "Wrong check digit",
  malformed: "Not 10 digits",
};

/** A row of a list, and what the registry says of it. */
export interface CheckedRow {
  readonly row: ListRow;
  /** Null until it is checked. */
  readonly verdict: Verdict | null;
  /** The entry of its batch; null until it is checked, and for what isn't ten digits. */
  readonly entry: BatchEntry | null;
  readonly differences: readonly RosterDifference[];
}

/** The new columns of a list, each with its value of a row. */
const NEW_COLUMNS: Readonly<Record<string, (checked: CheckedRow) => string>> = {
  verdict: ({ verdict }) => verdict ?? "",
  replaced_by: ({ entry }) => entry?.replaced_by ?? "",
  suggestions: ({ entry }) => entry?.suggestions?.join(" ") ?? "",
  last_name: ({ entry }) => entry?.provider?.name?.last ?? "",
  first_name: ({ entry }) => entry?.provider?.name?.first ?? "",
  organization_name: ({ entry }) => entry?.provider?.organization_name ?? "",
  taxonomy_code: ({ entry }) => entry?.provider?.primary_taxonomy?.code ?? "",
  taxonomy_description: ({ entry }) =>
    entry?.provider?.primary_taxonomy?.description ?? "",
  city: ({ entry }) => entry?.provider?.practice_address?.city ?? "",
  state: ({ entry }) => entry?.provider?.practice_address?.state ?? "",
  postal_code: ({ entry }) =>
    entry?.provider?.practice_address?.postal_code ?? "",
  deactivation_date: ({ entry }) => entry?.provider?.deactivation_date ?? "",
  differs: ({ differences }) =>
    [...new Set(differences.map(({ column }) => column.field))].join(" "),
};

/** Returns the numbers of a list that the service must check: each once, and none that isn't ten digits. */
export function numbersOf({ rows }: UserList): string[] {
  const npis = rows.map(({ npi }) => npi);
  return [...new Set(npis)].filter((npi) => checkNpi(npi) !== "shape");
}

/** Returns the number of those that count as requests: all but those with a wrong check digit. */
export function countedOf(numbers: readonly string[]): number {
  return numbers.filter((npi) => checkNpi(npi) === "ok").length;
}

/** Joins a list with the entries so far. */
export function checkedRows(
  { compared, rows }: UserList,
  entries: ReadonlyMap<string, BatchEntry>,
): CheckedRow[] {
  return rows.map((row) => {
    const entry = entries.get(row.npi) ?? null;
    const provider = entry?.provider ?? null;
    return {
      row,
      entry,
      verdict:
        checkNpi(row.npi) === "shape" ? "malformed" : (entry?.verdict ?? null),
      differences:
        provider === null
          ? []
          : rosterDifferences(compared, row.cells, provider),
    };
  });
}

/** True if a row isn't of an active provider, or differs from the registry. */
export function hasProblem({ differences, verdict }: CheckedRow): boolean {
  return verdict !== null && (verdict !== "active" || differences.length > 0);
}

/**
 * Writes the rows of a list with their new columns, as CSV for spreadsheets, with a byte order mark. As in downloads,
 * an apostrophe is put before a cell that a spreadsheet would run as a formula.
 */
export function resultCsv(
  { header, rows }: UserList,
  checked: readonly CheckedRow[],
): string {
  const width = rows.reduce(
    (most, { cells }) => Math.max(most, cells.length),
    header?.length ?? 0,
  );
  const names =
    header ?? (width === 1 ? ["npi"] : Array.from({ length: width }, nthName));
  const lines = [
    [
      ...padded(names, width),
      ...Object.keys(NEW_COLUMNS).map((name) => `registry_${name}`),
    ],
    ...checked.map((each) => [
      ...padded(each.row.cells, width),
      ...Object.values(NEW_COLUMNS).map((valueOf) => valueOf(each)),
    ]),
  ];
  return `\uFEFF${lines.map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("")}`;
}

function nthName(_: unknown, index: number): string {
  return `column_${index + 1}`;
}

function padded(cells: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, index) => cells[index] ?? "");
}

/** The starts of formulas, also in full width, as `search/render/json-text.ts` has them. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

function csvCell(text: string): string {
  const isFormula = FORMULA.test(text);
  return isFormula || /[",\r\n]/.test(text)
    ? `"${isFormula ? "'" : ""}${text.replaceAll('"', '""')}"`
    : text;
}
