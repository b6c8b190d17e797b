/** CSV as texts, one cell at a time: for headers and small tables. Use CsvScanner for millions of rows. */

const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);
const QUOTE = 0x22;
const COMMA = 0x2c;
const LF = 0x0a;
const CR = 0x0d;

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

/**
 * Reads the first row that is not blank, after a byte order mark. Null if the bytes do not contain its end; with
 * `isWhole`, the end of the bytes ends the row. Same rules as CsvScanner, for one row, slowly.
 */
export function readFirstRow(
  bytes: Uint8Array,
  isWhole: boolean,
): FirstRow | null {
  let at = BYTE_ORDER_MARK.every((byte, place) => bytes[place] === byte)
    ? BYTE_ORDER_MARK.length
    : 0;
  let line = 1;
  while (bytes[at] === LF || bytes[at] === CR) {
    if (bytes[at] === LF) line++;
    at++;
  }
  const cells: string[] = [];
  for (;;) {
    const cell =
      bytes[at] === QUOTE ? quotedCell(bytes, at) : bareCell(bytes, at);
    if (cell.end >= bytes.length && !isWhole) return null;
    cells.push(cell.text);
    line += cell.lines;
    if (cell.end >= bytes.length)
      return { cells, next: bytes.length, nextLine: line };
    at = cell.end + 1;
    if (bytes[cell.end] === LF) return { cells, next: at, nextLine: line + 1 };
  }
}

interface FirstRowCell {
  text: string;
  /** Position of the comma or line end after the cell; the length of the bytes if there is none. */
  end: number;
  lines: number;
}

function quotedCell(bytes: Uint8Array, start: number): FirstRowCell {
  let lines = 0;
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === LF) lines++;
    if (bytes[at] !== QUOTE) continue;
    let behind = at + 1;
    while (bytes[behind] === CR) behind++;
    const ends =
      behind >= bytes.length || bytes[behind] === LF || bytes[at + 1] === COMMA;
    if (ends)
      return {
        text: unquoted(decodeCell(bytes.subarray(start + 1, at))),
        end: behind,
        lines,
      };
    if (bytes[at + 1] === QUOTE) at++;
  }
  return {
    text: decodeCell(bytes.subarray(start + 1)),
    end: bytes.length,
    lines,
  };
}

function bareCell(bytes: Uint8Array, start: number): FirstRowCell {
  let end = start;
  while (end < bytes.length && bytes[end] !== COMMA && bytes[end] !== LF) end++;
  const text = decodeCell(bytes.subarray(start, end));
  return {
    text: bytes[end] === COMMA ? text : text.replace(/\r+$/, ""),
    end,
    lines: 0,
  };
}
