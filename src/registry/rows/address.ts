import { fold } from "../../text/fold.ts";
import {
  NO_STATE,
  STATE_CODES,
  isMilitary,
  stateNumber,
  stateNumberOfName,
} from "../../contract/states.ts";
import { decodeCell } from "../../text/csv-text.ts";

/** Countries whose addresses are U.S. addresses: the U.S. and the territories with country codes. */
const US_COUNTRIES = ["US", "UM", "PR", "GU", "VI", "AS", "MP"];

const LETTERS = 26;
const NOT_A_LETTER = -1;
const POSTAL_DIGITS = 5;

/** Tables over two letters of any case, at `26 * first + second`, so most rows need no string. */
const STATE_OF_LETTERS = new Uint8Array(LETTERS * LETTERS);
const IS_US_COUNTRY = new Uint8Array(LETTERS * LETTERS);
for (const code of STATE_CODES)
  STATE_OF_LETTERS[placeOf(code)] = stateNumber(code);
for (const code of US_COUNTRIES) IS_US_COUNTRY[placeOf(code)] = 1;

/**
 * Finds the number of the state (`states.ts`) that a trimmed value names, by its two letters in any case or spelled
 * out; else NO_STATE. Whether it counts depends on the country: see isUsAddress.
 */
export function stateOf(bytes: Uint8Array, start: number, end: number): number {
  if (end - start === 2) {
    const place = lettersPlace(bytes, start);
    return place === NOT_A_LETTER ? NO_STATE : STATE_OF_LETTERS[place]!;
  }
  if (end === start) return NO_STATE;
  return stateNumberOfName(fold(decodeCell(bytes.subarray(start, end))));
}

/**
 * True if an address is a U.S. address: its country is blank, the U.S. or a territory, or its state is a military one
 * (AA, AE, AP), in any country. `state` comes from stateOf.
 */
export function isUsAddress(
  bytes: Uint8Array,
  countryStart: number,
  countryEnd: number,
  state: number,
): boolean {
  if (countryStart === countryEnd || isMilitary(state)) return true;
  if (countryEnd - countryStart !== 2) return false;
  const place = lettersPlace(bytes, countryStart);
  return place !== NOT_A_LETTER && IS_US_COUNTRY[place] === 1;
}

/** Reads the first five characters of a postal code as a number if they are digits; else -1. */
export function zipOf(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < POSTAL_DIGITS) return -1;
  let zip = 0;
  for (let at = start; at < start + POSTAL_DIGITS; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit >>> 0 > 9) return -1;
    zip = zip * 10 + digit;
  }
  return zip;
}

function lettersPlace(bytes: Uint8Array, at: number): number {
  // Clears bit 5, which only lower-case letters have.
  const first = (bytes[at]! & 0xdf) - 0x41;
  const second = (bytes[at + 1]! & 0xdf) - 0x41;
  return first >>> 0 < LETTERS && second >>> 0 < LETTERS
    ? first * LETTERS + second
    : NOT_A_LETTER;
}

function placeOf(code: string): number {
  return (code.charCodeAt(0) - 0x41) * LETTERS + code.charCodeAt(1) - 0x41;
}
