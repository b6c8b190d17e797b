import {
  Entity,
  NO_DATE,
  Text,
  type ProviderRow,
} from "../../registry/rows/provider-row.ts";
import { NO_STATE } from "../../contract/states.ts";
import { Has } from "./records.ts";
import type { RecordWords } from "./record-words.ts";
import { writeVarint } from "../bytes/varint.ts";

const SPACE = 0x20;
const ZIP_DIGITS = 5;
const ZIP4_DIGITS = 9;
const UPPER_U = 0x55;
const UPPER_S = 0x53;
/** Flags, four dates and a ZIP+4. */
const FIXED_BYTES = 12;
/** A text of n bytes has at most n + 1 words, and the code of a word takes at most five bytes. */
const CODE_BYTES = 5;
const RECORD_TEXTS = [
  Text.middle,
  Text.credential,
  Text.state,
  Text.country,
  Text.postalCode,
  Text.address1,
  Text.address2,
];

/** The most bytes that a row's record may take. */
export function recordRoom(row: ProviderRow): number {
  let bytes = FIXED_BYTES;
  for (const text of RECORD_TEXTS)
    bytes += (row.end[text]! - row.start[text]! + 1) * CODE_BYTES;
  return bytes;
}

/** Encodes rows as records (records.ts), without city spelling and file, which are known when the snapshot is laid out. */
export class RecordEncoder {
  readonly #words: RecordWords;
  #target: Uint8Array = new Uint8Array(0);
  #to = 0;
  #has = 0;

  constructor(words: RecordWords) {
    this.#words = words;
  }

  /** Writes a row's record at `at` and returns its end; `isCarriedOver` says that the registry withholds the details now. */
  encode(
    row: ProviderRow,
    target: Uint8Array,
    at: number,
    isCarriedOver: boolean,
  ): number {
    this.#target = target;
    this.#to = at + 2;
    this.#has = isCarriedOver ? Has.carriedOver : 0;
    if (row.entityType === Entity.individual) {
      this.#text(row, Text.middle, Has.middle);
      this.#text(row, Text.credential, Has.credential);
    }
    if (row.state === NO_STATE) this.#text(row, Text.state, Has.state);
    this.#day(row.enumerationDate, Has.enumerationDate);
    this.#day(row.lastUpdated, Has.lastUpdated);
    this.#day(row.deactivationDate, Has.deactivationDate);
    this.#country(row);
    this.#postalCode(row);
    this.#text(row, Text.address1, Has.address1);
    this.#text(row, Text.address2, Has.address2);
    this.#day(row.reactivationDate, Has.reactivationDate);
    target[at] = this.#has & 0xff;
    target[at + 1] = this.#has >>> 8;
    return this.#to;
  }

  #country(row: ProviderRow): void {
    const { bytes } = row;
    const start = row.start[Text.country]!;
    const length = row.end[Text.country]! - start;
    if (length === 0) this.#has |= Has.noCountry;
    else if (
      length !== 2 ||
      bytes[start] !== UPPER_U ||
      bytes[start + 1] !== UPPER_S
    ) {
      this.#text(row, Text.country, Has.country);
    }
  }

  #postalCode(row: ProviderRow): void {
    const { bytes } = row;
    const start = row.start[Text.postalCode]!;
    const end = row.end[Text.postalCode]!;
    if (row.zip >= 0 && end - start === ZIP_DIGITS) {
      this.#has |= Has.zip;
    } else if (
      row.zip >= 0 &&
      end - start === ZIP4_DIGITS &&
      areDigits(bytes, start + ZIP_DIGITS, end)
    ) {
      let digits = 0;
      for (let i = start + ZIP_DIGITS; i < end; i++)
        digits = digits * 10 + bytes[i]! - 0x30;
      this.#has |= Has.zip4;
      this.#two(digits);
    } else this.#text(row, Text.postalCode, Has.zip | Has.zip4);
  }

  #day(day: number, bit: number): void {
    if (day === NO_DATE) return;
    this.#has |= bit;
    this.#two(day);
  }

  #text(row: ProviderRow, text: number, bit: number): void {
    const end = row.end[text]!;
    let from = row.start[text]!;
    if (from === end) return;
    this.#has |= bit;
    for (let more = 1; more === 1;) {
      let wordEnd = from;
      while (wordEnd < end && row.bytes[wordEnd] !== SPACE) wordEnd++;
      more = wordEnd < end ? 1 : 0;
      const word = this.#words.use(row.bytes, from, wordEnd);
      this.#to = writeVarint(this.#target, this.#to, (word << 1) | more);
      from = wordEnd + 1;
    }
  }

  #two(value: number): void {
    this.#target[this.#to++] = value & 0xff;
    this.#target[this.#to++] = value >>> 8;
  }
}

function areDigits(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    if (bytes[i]! < 0x30 || bytes[i]! > 0x39) return false;
  }
  return true;
}
