import { trimmedEnd, trimmedStart } from "./rows/values.ts";

/**
 * The national provider identifier: ten digits of which the last is a check digit, Luhn's over the card issuer prefix
 * 80840 (health, United States) and the number itself (45 CFR 162.406, ISO/IEC 7812).
 */

/** What `npiOfBytes` says of bytes that are no ten digits. */
export const NOT_AN_NPI = -1;

export type NpiCheck = "ok" | "shape" | "check_digit";

const SHAPE = /^[0-9]{10}$/;
const NINE_DIGITS = /^[0-9]{9}$/;

/** What the five digits 80840 add to Luhn's sum. They stand before every number, so the sum never changes. */
const PREFIX_SUM = 24;

/** Four digits shift no digit between doubled and not, so that one table serves all of a number. */
const SUM_OF_FOUR_DIGITS = Uint8Array.from({ length: 10_000 }, (_, digits) =>
  sumOfFourDigits(digits),
);

/** The registry assigns numbers that start with 1 or 2 only, so that an NPI fits 32 bits. */
const FIRST_ASSIGNED = 1_000_000_000;
const FIRST_UNASSIGNED = 3_000_000_000;

/**
 * Checks an NPI as somebody typed it: `shape` when it is not ten digits, `check_digit` when the last digit is wrong.
 * A number with another first digit than 1 or 2 passes: the registry may assign it one day, and until then does not hold it.
 */
export function checkNpi(npi: string): NpiCheck {
  if (!SHAPE.test(npi)) return "shape";
  return luhnSum(Number(npi)) % 10 === 0 ? "ok" : "check_digit";
}

/** Whether a number can be the NPI of a registry row: starts with 1 or 2, check digit right. For loops: no string is made. */
export function isAssignableNpi(npi: number): boolean {
  return (
    npi >= FIRST_ASSIGNED && npi < FIRST_UNASSIGNED && luhnSum(npi) % 10 === 0
  );
}

/** The NPI in the ten digits that `[start, end)` are, but for outer white space; NOT_AN_NPI where it is something else. */
export function npiOfBytes(
  bytes: Uint8Array,
  from: number,
  to: number,
): number {
  const start = trimmedStart(bytes, from, to);
  const end = trimmedEnd(bytes, start, to);
  if (end - start !== 10) return NOT_AN_NPI;
  let npi = 0;
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit >>> 0 > 9) return NOT_AN_NPI;
    npi = npi * 10 + digit;
  }
  return npi;
}

/** The check digit, 0–9, that makes nine digits (as a number, or as a string of nine) an NPI. For makers of invented data. */
export function checkDigit(nineDigits: number | string): number {
  const digits = String(nineDigits);
  if (!NINE_DIGITS.test(digits))
    throw new RangeError(
      `An NPI has nine digits before its check digit, not ${digits}.`,
    );
  return (10 - (luhnSum(Number(digits) * 10) % 10)) % 10;
}

/** Luhn's sum of a number of up to ten digits behind the prefix. */
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

/** Luhn's sum of four digits of which the last is not doubled: the second and the fourth from the right count twice. */
function sumOfFourDigits(fourDigits: number): number {
  const digit = (place: number) => Math.floor(fourDigits / 10 ** place) % 10;
  return digit(0) + doubled(digit(1)) + digit(2) + doubled(digit(3));
}

/** The sum of the digits of twice a digit. */
function doubled(digit: number): number {
  return digit > 4 ? digit * 2 - 9 : digit * 2;
}
