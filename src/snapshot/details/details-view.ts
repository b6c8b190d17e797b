import { isUsAddress, stateOf } from "../../registry/rows/address.ts";
import { isMilitary, NO_STATE, STATE_CODES } from "../../contract/states.ts";
import { isoDate } from "../../text/dates.ts";
import { ByteReader } from "../bytes/varint.ts";
import {
  AddressText,
  BLOB,
  type BlobSection,
} from "../../registry/details/detail-blob.ts";
import type { Address } from "../../contract/details.ts";

const SECTIONS = Object.values(BLOB);
const MAX_TEXTS = SECTIONS.reduce((sum, { count }) => sum + count, 0);
const SECTION_ENDS = Math.max(...SECTIONS.map(({ number }) => number)) + 1;

/**
 * One provider's details, read from a blob; without one, there are none. `begin` and `next` step through the records of
 * a section without creating anything.
 */
export class DetailsView extends ByteReader {
  /** The texts of the current record: `bytes[starts[text], ends[text])`. */
  readonly starts = new Int32Array(MAX_TEXTS);
  readonly ends = new Int32Array(MAX_TEXTS);
  /** Per section: position of its header, start and end of its records; all equal if it is missing. */
  readonly #headers = new Int32Array(SECTION_ENDS);
  readonly #recordStarts = new Int32Array(SECTION_ENDS);
  readonly #ends = new Int32Array(SECTION_ENDS);
  #end = 0;
  #blobStart = 0;
  #blobEnd = 0;

  /** Opens the blob `bytes[start, end)` without copying it. */
  open(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes;
    this.#blobStart = start;
    this.#blobEnd = end;
    // For so few numbers, a loop takes less time than fill().
    for (let section = 0; section < SECTION_ENDS; section++)
      this.#headers[section] =
        this.#recordStarts[section] =
        this.#ends[section] =
          0;
    this.at = start;
    while (this.at < end) {
      const header = this.at;
      const section = bytes[this.at++]!;
      const length = this.varint();
      this.#headers[section] = header;
      this.#recordStarts[section] = this.at;
      this.#ends[section] = this.at += length;
    }
  }

  /** The whole blob. */
  get blob(): Uint8Array {
    return this.bytes.subarray(this.#blobStart, this.#blobEnd);
  }

  has(section: number): boolean {
    return this.#ends[section]! > this.#recordStarts[section]!;
  }

  /** Returns a section with its header, as bytes of the blob. */
  section(section: number): Uint8Array {
    return this.bytes.subarray(this.#headers[section], this.#ends[section]);
  }

  /** Moves before the first record of a section. */
  begin(section: number): void {
    this.at = this.#recordStarts[section]!;
    this.#end = this.#ends[section]!;
  }

  /** Moves to the next record, of `texts` texts; false if there is none. */
  next(texts: number): boolean {
    if (this.at >= this.#end) return false;
    this.#read(0, texts);
    return true;
  }

  /** Moves to the text `text` of a section's only record, and returns whether the record has it. Fills no ranges. */
  reaches(section: number, text: number): boolean {
    this.begin(section);
    for (let skipped = 0; skipped < text && this.at < this.#end; skipped++) {
      const length = this.varint();
      this.at += length;
    }
    return this.at < this.#end;
  }

  /** True if a section has more than one record of `texts` texts. Moves to its first one. */
  hasSeveral(section: number, texts: number): boolean {
    this.begin(section);
    return this.next(texts) && this.at < this.#end;
  }

  /** Moves to the only record of a section, or to an empty one. Its texts follow those of others from `first` on. */
  only({ count, number }: BlobSection, first = 0): void {
    this.begin(number);
    this.#read(first, first + count);
  }

  /** Makes a value of each record of a section. */
  each<T>({ count, number }: BlobSection, make: () => T): T[] {
    const values: T[] = [];
    this.begin(number);
    while (this.next(count)) values.push(make());
    return values;
  }

  /** Reads a text of the current record; null if it is empty. */
  text(text: number): string | null {
    const start = this.starts[text]!;
    const end = this.ends[text]!;
    if (start === end) return null;
    const { buffer, byteOffset } = this.bytes;
    return Buffer.from(buffer, byteOffset + start, end - start).toString();
  }

  /** Reads the date of the current record at a text; null if it has none. */
  date(text: number): string | null {
    const at = this.starts[text]!;
    if (this.ends[text] !== at + 2) return null;
    return isoDate(this.bytes[at]! | (this.bytes[at + 1]! << 8));
  }

  /** Returns the two letters of the U.S. state at a text, given where the country is; null if it is none. */
  usState(state: number, country: number): string | null {
    const { bytes, ends, starts } = this;
    const number = stateOf(bytes, starts[state]!, ends[state]!);
    return number !== NO_STATE &&
      isUsAddress(bytes, starts[country]!, ends[country]!, number)
      ? STATE_CODES[number - 1]!
      : null;
  }

  /** Returns the type of an address, given where its state and its country are; null if it has neither. */
  addressType(state: number, country: number): string | null {
    const { bytes, ends, starts } = this;
    if (starts[state] === ends[state] && starts[country] === ends[country])
      return null;
    const number = stateOf(bytes, starts[state]!, ends[state]!);
    if (isMilitary(number)) return "military";
    return isUsAddress(bytes, starts[country]!, ends[country]!, number)
      ? "domestic"
      : "foreign";
  }

  /** Reads the ranges of a record's texts; those behind the section's end are empty. */
  #read(first: number, end: number): void {
    const { ends, starts } = this;
    for (let text = first; text < end; text++) {
      const length = this.at < this.#end ? this.varint() : 0;
      starts[text] = this.at;
      ends[text] = this.at += length;
    }
  }

  /** Reads the address in the current record from its text `first` on. */
  address(first: number): Address {
    const state = first + AddressText.state;
    return {
      address_1: this.text(first + AddressText.address_1),
      address_2: this.text(first + AddressText.address_2),
      city: this.text(first + AddressText.city),
      state:
        this.usState(state, first + AddressText.country) ?? this.text(state),
      postal_code: this.text(first + AddressText.postal_code),
      country: this.text(first + AddressText.country),
    };
  }
}
