/**
 * How the registry writes "nothing", and how its bytes become text. A value is null (here: empty) when it is blank, is
 * `<UNAVAIL>`, or is made only of the characters `- _ = * $ # .` and white space.
 */

const UNAVAILABLE = "<UNAVAIL>";
const UNAVAILABLE_BYTES = Uint8Array.from(UNAVAILABLE, (letter) =>
  letter.charCodeAt(0),
);
const ONLY_MASK = /^[-_=*$#.\s\0]*$/u;
const OUTER_SPACE = /[\s\0]/u;

/** By byte: 1 white space (or a stray NUL), 2 a character of masks, 0 all else. */
const CLASS = new Uint8Array(256);
for (const space of "\0\t\n\v\f\r ") CLASS[space.charCodeAt(0)] = 1;
for (const mask of "-_=*$#.") CLASS[mask.charCodeAt(0)] = 2;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const latin1 = new TextDecoder("latin1");

/** Whether a byte is white space at a value's ends: ASCII's spaces and breaks, and NUL. */
export function isSpace(byte: number): boolean {
  return CLASS[byte] === 1;
}

/** Whether the trimmed ASCII value `[start, end)` stands for nothing; also when it is empty. */
export function isNull(bytes: Uint8Array, start: number, end: number): boolean {
  if (start === end) return true;
  if (bytes[start] === UNAVAILABLE_BYTES[0])
    return isUnavailable(bytes, start, end);
  for (let at = start; at < end; at++) {
    if (CLASS[bytes[at]!] === 0) return false;
  }
  return true;
}

/** The text of a value: UTF-8, or Latin-1 (as browsers read it: windows-1252) when it is not valid UTF-8. */
export function decodeValue(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return latin1.decode(bytes);
  }
}

/** A text trimmed of outer white space of any script; '' when it stands for nothing. */
export function cleanText(text: string): string {
  if (ONLY_MASK.test(text)) return "";
  const trimmed = withoutOuterSpace(text);
  return trimmed === UNAVAILABLE ? "" : trimmed;
}

/** From both ends, one character at a time: a pattern would look again and again at long runs of space inside. */
function withoutOuterSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && OUTER_SPACE.test(text.charAt(start))) start++;
  while (end > start && OUTER_SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

function isUnavailable(bytes: Uint8Array, start: number, end: number): boolean {
  return (
    end - start === UNAVAILABLE_BYTES.length &&
    UNAVAILABLE_BYTES.every((byte, at) => bytes[start + at] === byte)
  );
}
