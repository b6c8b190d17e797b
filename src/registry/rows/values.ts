import { ByteClass } from "../../csv/byte-class.ts";
import { decodeCell, unquoted } from "../../csv/csv-text.ts";
import { MASKED_NUMBER } from "../files/social-security-numbers.ts";

/**
 * How the registry writes null, and how its bytes become text. A value is null (empty here) if it is blank,
 * `<UNAVAIL>`, or consists only of the characters `- _ = * $ # .` and white space. A masked Social Security number is a
 * value: readers see that there was one.
 */

const UNAVAILABLE = "<UNAVAIL>";
const UNAVAILABLE_BYTES = Uint8Array.from(UNAVAILABLE, (letter) =>
  letter.charCodeAt(0),
);
const MASKED_BYTES = Uint8Array.from(MASKED_NUMBER, (sign) =>
  sign.charCodeAt(0),
);
const ONLY_MASK = /^[-_=*$#.\s\0]*$/u;
const OUTER_SPACE = /[\s\0]/u;

/** Per byte: 1 white space (or a stray NUL), 2 a masking character, 0 anything else. */
const CLASS = new Uint8Array(256);
for (const space of "\0\t\n\v\f\r ") CLASS[space.charCodeAt(0)] = 1;
for (const mask of "-_=*$#.") CLASS[mask.charCodeAt(0)] = 2;

/**
 * For CsvScanner: without one of these classes at its ends or in all of it, the bytes of a value in ASCII are its text.
 */
export const VALUE_CLASSES = CLASS.map((of, byte) => {
  if (of === 1 || byte === UNAVAILABLE_BYTES[0]) return ByteClass.edge;
  return of === 2 ? ByteClass.only : ByteClass.none;
});

const QUOTE = 0x22;

/** A row as the scanner provides it: see CsvScanner. */
export interface ScannedRow {
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly lastCell: number;
  readonly isPlain: boolean;
  readonly hasInnerQuotes: boolean;
}

/** Where a value starts after outer white space; `end` if there is nothing else. */
export function trimmedStart(
  bytes: Uint8Array,
  from: number,
  end: number,
): number {
  let start = from;
  while (start < end && CLASS[bytes[start]!] === 1) start++;
  return start;
}

/** Where a value ends before outer white space. */
export function trimmedEnd(
  bytes: Uint8Array,
  start: number,
  to: number,
): number {
  let end = to;
  while (end > start && CLASS[bytes[end - 1]!] === 1) end--;
  return end;
}

/** Whether the trimmed ASCII value `[start, end)` means null; true if it is empty. */
export function isNull(bytes: Uint8Array, start: number, end: number): boolean {
  if (start === end) return true;
  if (bytes[start] === UNAVAILABLE_BYTES[0])
    return isUnavailable(bytes, start, end);
  for (let at = start; at < end; at++) {
    if (CLASS[bytes[at]!] === 0) return false;
  }
  return !hasMaskedNumber(bytes, start, end);
}

/** The text of `[start, end)` in a row's cell, in any encoding: decoded, quotes undoubled, trimmed. */
export function textOfCell(
  { bytes, starts }: ScannedRow,
  cell: number,
  start: number,
  end: number,
): string {
  const text = decodeCell(bytes.subarray(start, end));
  const isQuoted = bytes[starts[cell]! - 1] === QUOTE;
  return cleanText(isQuoted ? unquoted(text) : text);
}

/** A text without outer white space of any script; '' if it means null. */
export function cleanText(text: string): string {
  if (ONLY_MASK.test(text) && !text.includes(MASKED_NUMBER)) return "";
  const trimmed = withoutOuterSpace(text);
  return trimmed === UNAVAILABLE ? "" : trimmed;
}

/** From both ends, one character at a time: a regular expression would rescan long runs of inner spaces. */
function withoutOuterSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && OUTER_SPACE.test(text.charAt(start))) start++;
  while (end > start && OUTER_SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

function hasMaskedNumber(
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  const last = end - MASKED_BYTES.length;
  for (let from = start; from <= last; from++)
    if (MASKED_BYTES.every((byte, at) => bytes[from + at] === byte))
      return true;
  return false;
}

function isUnavailable(bytes: Uint8Array, start: number, end: number): boolean {
  return (
    end - start === UNAVAILABLE_BYTES.length &&
    UNAVAILABLE_BYTES.every((byte, at) => bytes[start + at] === byte)
  );
}
