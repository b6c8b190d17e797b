/**
 * The national provider identifier: ten digits, the last of which is a Luhn check digit computed over the card issuer
 * prefix 80840 (health, United States) and the number (45 CFR 162.406, ISO/IEC 7812).
 */

/** Returned by `npiOfBytes` for anything but ten digits. */
export const NOT_AN_NPI = -1;

export type NpiCheck = "ok" | "shape" | "check_digit";

const SHAPE = /^[0-9]{10}$/;
/** White space, invisible characters, quotes of any form, and what spreadsheets write to keep text: `="…"` and `'…`. */
const AROUND = /[\s\p{Cf}\p{Default_Ignorable_Code_Point}\p{Pi}\p{Pf}"'=]/u;
/** The form that spreadsheets and data frames give to an integer in a column with blanks. */
const DECIMAL_ZEROS = /[.,]0+$/;
/** White space, dots, hyphens, and dashes. */
const BETWEEN = /[\s.\p{Pd}]/gu;
/** The United States, and health: an NPI as the number of a card has it in front. */
const ISSUER_PREFIX = "80840";
const NINE_DIGITS = /^[0-9]{9}$/;

/** The summand of ISSUER_PREFIX in the Luhn sum. It precedes every number, so the sum never changes. */
const PREFIX_SUM = 24;

/** Four digits keep the alternation of doubled digits, so one table serves the whole number. */
const SUM_OF_FOUR_DIGITS = Uint8Array.from({ length: 10_000 }, (_, digits) =>
  sumOfFourDigits(digits),
);

/** The registry only assigns numbers that start with 1 or 2, so an NPI fits in 32 bits. */
const FIRST_ASSIGNED = 1_000_000_000;
const FIRST_UNASSIGNED = 3_000_000_000;

/**
 * Checks an NPI that a user typed: `shape` if it is not ten digits, `check_digit` if the last digit is wrong. Accepts
 * any first digit: the registry may assign others one day.
 */
export function checkNpi(npi: string): NpiCheck {
  if (!SHAPE.test(npi)) return "shape";
  return luhnSum(Number(npi)) % 10 === 0 ? "ok" : "check_digit";
}

/** Finds the NPI that a user typed or pasted; the text without what is around it if it has none. */
export function npiAsTyped(text: string): string {
  return ungroupedNpi(unwrappedNpi(text));
}

/** Removes what web pages and spreadsheets put around an NPI. */
export function unwrappedNpi(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && AROUND.test(text[start]!)) start++;
  while (start < end && AROUND.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}

/**
 * Finds the NPI in a text of groups of digits (`123-456-7893`, `1234 567 893`), of a number with decimals
 * (`1234567893.0`), or with the prefix of card issuers (`80840`); the text itself if it has none.
 */
export function ungroupedNpi(text: string): string {
  const digits = text.replace(DECIMAL_ZEROS, "").replaceAll(BETWEEN, "");
  const npi = digits.startsWith(ISSUER_PREFIX)
    ? digits.slice(ISSUER_PREFIX.length)
    : digits;
  return [digits, npi].find((each) => SHAPE.test(each)) ?? text;
}

/**
 * True if a number can be the NPI of a registry row: it starts with 1 or 2, and its check digit is right. Creates no
 * strings, for loops.
 */
export function isAssignableNpi(npi: number): boolean {
  return (
    npi >= FIRST_ASSIGNED && npi < FIRST_UNASSIGNED && luhnSum(npi) % 10 === 0
  );
}

/** Reads the NPI in `[start, end)` if that is ten digits with optional outer white space; else NOT_AN_NPI. */
export function npiOfBytes(
  bytes: Uint8Array,
  from: number,
  to: number,
): number {
  let start = from;
  let end = to;
  while (start < end && isSpace(bytes[start]!)) start++;
  while (start < end && isSpace(bytes[end - 1]!)) end--;
  if (end - start !== 10) return NOT_AN_NPI;
  let npi = 0;
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit >>> 0 > 9) return NOT_AN_NPI;
    npi = npi * 10 + digit;
  }
  return npi;
}

/** True if a byte is white space, or a stray NUL. */
function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0;
}

/** Computes the check digit, 0–9, that makes nine digits (a number or a string of nine) an NPI. For generated data. */
export function checkDigit(nineDigits: number | string): number {
  const digits = String(nineDigits);
  if (!NINE_DIGITS.test(digits))
    throw new RangeError(
      `An NPI has nine digits before its check digit, not ${digits}.`,
    );
  return (10 - (luhnSum(Number(digits) * 10) % 10)) % 10;
}

/** Computes the Luhn sum of a number of up to ten digits after the prefix. */
function luhnSum(npi: number): number {
  const lowest = npi % 10_000;
  const upper = (npi - lowest) / 10_000;
  return (
    PREFIX_SUM +
    SUM_OF_FOUR_DIGITS[lowest]! +
    SUM_OF_FOUR_DIGITS[upper % 10_000]! +
    SUM_OF_FOUR_DIGITS[Math.floor(upper / 10_000)]!
  );
}

/** Sums four digits by Luhn, the last one not doubled: the first and third are. */
function sumOfFourDigits(fourDigits: number): number {
  const digit = (place: number) => Math.floor(fourDigits / 10 ** place) % 10;
  return digit(0) + doubled(digit(1)) + digit(2) + doubled(digit(3));
}

/** Sums the digits of twice a digit. */
function doubled(digit: number): number {
  return digit > 4 ? digit * 2 - 9 : digit * 2;
}
