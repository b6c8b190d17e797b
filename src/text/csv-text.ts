/** CSV as texts, one cell at a time: for headers, small tables, and browsers. Use CsvScanner for millions of rows. */

const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);
const QUOTE = 0x22;
const COMMA = 0x2c;
const LF = 0x0a;
const CR = 0x0d;
const MAX_COLUMNS = 10_000;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const latin1 = new TextDecoder("latin1");

/** Decodes a cell: UTF-8, or Latin-1 (windows-1252, as in browsers) if it is not valid UTF-8. */
export function decodeCell(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return latin1.decode(bytes);
  }
}

/** Returns the text between a cell's quotes, with doubled quotes as one. */
export function unquoted(text: string): string {
  return text.replaceAll('""', '"');
}

/** The first row of a CSV file: the texts of its cells, the position of the next row, and its physical line, from 1. */
export interface FirstRow {
  cells: string[];
  next: number;
  nextLine: number;
}

/** Any row. */
export interface TextRow extends FirstRow {
  /** Its position, and its physical line. */
  start: number;
  line: number;
  /** True if the bytes end before a line end: in the last row, in an open quote, or in a part of a file. */
  isCut: boolean;
  /** True if the bytes end before a quoted cell does. */
  isOpen: boolean;
}

/**
 * Reads the first row that is not blank, after a byte order mark. Null if the bytes do not contain its end; with
 * `isWhole`, the end of the bytes ends the row. Same rules as CsvScanner, for one row, slowly.
 */
export function readFirstRow(
  bytes: Uint8Array,
  isWhole: boolean,
): FirstRow | null {
  const { cells, isCut, next, nextLine } = readRow(bytes, afterMark(bytes), 1);
  return isCut && !isWhole ? null : { cells, next, nextLine };
}

/** Returns where the text of a file starts: after a byte order mark. */
export function afterMark(bytes: Uint8Array): number {
  return BYTE_ORDER_MARK.every((byte, place) => bytes[place] === byte)
    ? BYTE_ORDER_MARK.length
    : 0;
}

/** Reads the row that isn't blank at or after a position, on a physical line; one empty cell if there is none. */
export function readRow(
  bytes: Uint8Array,
  from: number,
  fromLine: number,
  separator = COMMA,
): TextRow {
  let at = from;
  let line = fromLine;
  while (bytes[at] === LF || bytes[at] === CR) {
    if (bytes[at] === LF) line++;
    at++;
  }
  const row = { cells: new Array<string>(), start: at, line, isOpen: false };
  for (;;) {
    const cell =
      bytes[at] === QUOTE
        ? quotedCell(bytes, at, separator)
        : bareCell(bytes, at, separator);
    row.cells.push(cell.text);
    row.isOpen = cell.isOpen;
    line += cell.lines;
    if (cell.end >= bytes.length)
      return { ...row, next: bytes.length, nextLine: line, isCut: true };
    at = cell.end + 1;
    if (bytes[cell.end] === LF)
      return { ...row, next: at, nextLine: line + 1, isCut: false };
  }
}

/** The first line with which spreadsheets say what separates the values, as Latin-1. */
const SEPARATOR_LINE = /^(?:\xef\xbb\xbf)?"?sep=([^"\r\n])"?\r?\n/i;
/** The bytes that it can have. */
export const MAX_SEPARATOR_LINE_BYTES = 12;

/** Reads the line at the start of a file that says what separates the values; null if there is none. */
export function separatorLine(
  bytes: Uint8Array,
): { separator: number; length: number } | null {
  const start = bytes.subarray(0, MAX_SEPARATOR_LINE_BYTES);
  const [line = "", separator] =
    SEPARATOR_LINE.exec(String.fromCharCode(...start)) ?? [];
  return separator === undefined
    ? null
    : { separator: separator.charCodeAt(0), length: line.length };
}

/** Says why a header is not one of a CSV file; else null. */
export function headerProblem(cells: readonly string[]): string | null {
  const advice = "Save it as CSV (UTF-8), with commas.";
  const [only = ""] = cells;
  if (cells.join("") === "")
    return "The file has no header: its first line must name the columns.";
  if (cells.some((cell) => cell.includes("\0")))
    return `The file isn't UTF-8 text. ${advice}`;
  if (cells.some((cell) => /\r(?!\n)/.test(cell)))
    return `The file's lines end with a carriage return only. ${advice}`;
  if (cells.length === 1 && /[;\t]/.test(only))
    return `The file's values are separated by ${only.includes(";") ? "semicolons" : "tabs"}. ${advice}`;
  return cells.length > MAX_COLUMNS
    ? `The file has more than ${MAX_COLUMNS} columns.`
    : null;
}

interface TextCell {
  text: string;
  /** Position of the separator or line end after the cell; the length of the bytes if there is none. */
  end: number;
  lines: number;
  isOpen: boolean;
}

function quotedCell(
  bytes: Uint8Array,
  start: number,
  separator: number,
): TextCell {
  let lines = 0;
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === LF) lines++;
    if (bytes[at] !== QUOTE) continue;
    let behind = at + 1;
    while (bytes[behind] === CR) behind++;
    const ends =
      behind >= bytes.length ||
      bytes[behind] === LF ||
      bytes[at + 1] === separator;
    if (ends)
      return {
        text: unquoted(decodeCell(bytes.subarray(start + 1, at))),
        end: behind,
        lines,
        isOpen: false,
      };
    if (bytes[at + 1] === QUOTE) at++;
  }
  return {
    text: decodeCell(bytes.subarray(start + 1)),
    end: bytes.length,
    lines,
    isOpen: true,
  };
}

function bareCell(
  bytes: Uint8Array,
  start: number,
  separator: number,
): TextCell {
  let end = start;
  while (end < bytes.length && bytes[end] !== separator && bytes[end] !== LF)
    end++;
  const text = decodeCell(bytes.subarray(start, end));
  return {
    text: bytes[end] === separator ? text : text.replace(/\r+$/, ""),
    end,
    lines: 0,
    isOpen: false,
  };
}
