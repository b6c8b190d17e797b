import { checkNpi, npiAsTyped } from "../../registry/npi.ts";
import {
  comparedColumns,
  npiColumn,
  type RosterColumn,
} from "../../registry/rosters/roster-columns.ts";
import {
  afterMark,
  decodeCell,
  headerProblem,
  readRow,
  separatorLine,
} from "../../text/csv-text.ts";

/** The most rows of a list: a signed-in user's, and anyone else's. */
export const MAX_LIST_ROWS = { account: 10_000, visitor: 1_000 };
export const MAX_LIST_BYTES = 10_000_000;
/** The rows after which reading stops: more than anyone may check. */
export const MAX_READ_ROWS = MAX_LIST_ROWS.account + 1;

/** The bytes of a comma, a semicolon, and a tab. */
const SEPARATORS = [0x2c, 0x3b, 0x09] as const;
const LF = 0x0a;
/** A row that does not end within this many bytes is none. */
const MAX_ROW_BYTES = 1 << 14;
/** A number that may be meant as an NPI. */
const NUMBER = /^\P{L}*\d\P{L}*$/u;

/** A row of a user's list. */
export interface ListRow {
  /** The line of the file on which it starts, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Ten digits, or the text that is none. */
  readonly npi: string;
}

/** A user's list, as it is read. */
export interface UserList {
  /** The names of its columns; null if it has none. */
  readonly header: readonly string[] | null;
  /** The columns that are compared. */
  readonly compared: readonly RosterColumn[];
  readonly rows: readonly ListRow[];
  /** The lines of rows with more or fewer cells than the header. */
  readonly ragged: readonly number[];
  /** The lines that are no rows. Each is the only cell of one. */
  readonly unreadable: readonly number[];
}

/** Reads pasted NPIs, or a CSV file with a header, by the rules of the command `check`. A sentence says why it is none. */
export function readList(bytes: Uint8Array): UserList | string {
  const said = separatorLine(bytes);
  const place: Place = {
    bytes,
    at: said?.length ?? afterMark(bytes),
    line: said === null ? 1 : 2,
    separator: said?.separator ?? 0,
  };
  if (said === null) place.separator = separatorAt(place);
  const header = rowAt(place);
  const { cells: first } = header;
  const given = first.filter((cell) => cell.trim() !== "");
  if (given.length === 0) return "The list is empty.";
  // UTF-16 has a NUL in each ASCII character.
  const isText = !first.some((cell) => cell.includes("\0"));
  if (isText && given.every((cell) => NUMBER.test(cell)))
    return numbersAt(place);
  const guess = first.findIndex(isNpi);
  if (guess >= 0) return rowsAt(place, null, first.length, guess);
  const problem = headerProblem(first);
  if (problem !== null) return problem;
  if (header.isOpen || (header.isCut && header.next < bytes.length))
    return "The first line can’t be read. A quote may be missing.";
  const index = npiColumn(first);
  if (index < 0)
    return `The list has no column “NPI”. Name the one with the NPIs so. Its columns: ${first.slice(0, 20).join(", ").slice(0, 500)}.`;
  place.at = header.next;
  place.line = header.nextLine;
  const list = rowsAt(place, first, first.length, index);
  return list.rows.length === 0
    ? "The list has no rows after its first line."
    : list;
}

/** A position in a list, which moves. */
interface Place {
  readonly bytes: Uint8Array;
  at: number;
  line: number;
  separator: number;
}

function rowAt({ at, bytes, line, separator }: Place) {
  return readRow(bytes.subarray(0, at + MAX_ROW_BYTES), at, line, separator);
}

/** Returns the separator by which the first row has the most cells. */
function separatorAt(place: Place): number {
  const cells = (separator: number) =>
    rowAt({ ...place, separator }).cells.length;
  return SEPARATORS.reduce((best, each) =>
    cells(each) > cells(best) ? each : best,
  );
}

/** Reads rows whose every cell is a number, or several with spaces between. */
function numbersAt(place: Place): UserList {
  const rows: ListRow[] = [];
  for (const { cells, line } of rowsOf(place)) {
    for (const cell of cells.flatMap(numbersIn))
      rows.push(rowOf(line, [cell], 0));
    if (rows.length >= MAX_READ_ROWS) break;
  }
  return { header: null, compared: [], rows, ragged: [], unreadable: [] };
}

function numbersIn(cell: string): string[] {
  return cell.split(/[,;\t]/).flatMap((each) => {
    const parts = each.trim().split(/\s+/);
    if (parts.every(isNpi)) return parts;
    return each.trim() === "" ? [] : [each.trim()];
  });
}

function rowsAt(
  place: Place,
  header: readonly string[] | null,
  columns: number,
  index: number,
): UserList {
  const rows: ListRow[] = [];
  const ragged: number[] = [];
  const unreadable: number[] = [];
  for (const { cells, isRow, line } of rowsOf(place, columns)) {
    if (!isRow) unreadable.push(line);
    else if (cells.length !== columns) ragged.push(line);
    rows.push(rowOf(line, cells, isRow ? index : -1));
    if (rows.length >= MAX_READ_ROWS) break;
  }
  const compared = comparedColumns(header ?? []).filter(
    (column) => column.index !== index,
  );
  return { header, compared, rows, ragged, unreadable };
}

function rowOf(line: number, cells: readonly string[], index: number): ListRow {
  return { line, cells, npi: npiAsTyped(cells[index] ?? "") };
}

/**
 * Reads rows that aren't blank. A quote that is never closed, or that joins lines to a row with another number of
 * columns, must not hide rows: its line is no row, and reading resumes at the next one.
 */
function* rowsOf(place: Place, columns: number | null = null) {
  const { bytes } = place;
  while (place.at < bytes.length) {
    const row = rowAt(place);
    const { cells, isCut, isOpen, line, next, nextLine, start } = row;
    const hasLines = nextLine - line > (isCut ? 0 : 1);
    const isRow =
      !isOpen &&
      !(isCut && next < bytes.length) &&
      !(hasLines && columns !== null && cells.length !== columns);
    if (isRow) {
      place.at = next;
      place.line = nextLine;
      if (cells.some((cell) => cell.trim() !== ""))
        yield { cells, isRow, line };
      continue;
    }
    const found = bytes.indexOf(LF, start);
    const end = found < 0 ? bytes.length : found;
    place.at = end + 1;
    place.line = line + 1;
    const text = decodeCell(bytes.subarray(start, end)).trimEnd();
    yield { cells: [text], isRow, line };
  }
}

/** True if a cell has ten digits, in any form. */
function isNpi(cell: string): boolean {
  return checkNpi(npiAsTyped(cell)) !== "shape";
}
