import { NO_DATE } from "../rows/provider-row.ts";
import { dayOfBytes } from "../../text/dates.ts";
import {
  isNull,
  textOfCell,
  trimmedEnd,
  trimmedStart,
  type ScannedRow,
} from "../rows/values.ts";

const FIRST_BYTES = 1 << 12;
/** Maximum UTF-8 bytes per Latin-1 byte. */
const GROWTH = 3;
const MAX_LENGTH_BYTES = 5;
/** A section's number, and a length below 128. */
const SHORT_HEADER_BYTES = 2;

const encoder = new TextEncoder();

/** Writes cells of a row as the texts of a blob (`detail-blob.ts`): trimmed, in UTF-8, empty for null values. */
export class TextWriter {
  bytes: Uint8Array = new Uint8Array(FIRST_BYTES);
  /** Position of the next byte. */
  at = 0;
  /** End of the last text that is not empty. */
  filledTo = 0;

  byte(value: number): void {
    this.#reserve(1);
    this.bytes[this.at++] = value;
  }

  /** Writes the text of a cell. */
  cell(row: ScannedRow, cell: number): void {
    const { bytes } = row;
    let start = row.starts[cell]!;
    let end = row.ends[cell]!;
    if (row.isPlain) return this.#plainText(bytes, start, end);
    if (start < end) {
      start = trimmedStart(bytes, start, end);
      end = trimmedEnd(bytes, start, end);
    }
    if (start === end || isNull(bytes, start, end)) return this.byte(0);
    const length = end - start;
    if (length >= 0x80) return this.#longText(row, cell, start, end);
    this.#reserve(length + 1);
    const target = this.bytes;
    let to = this.at;
    target[to++] = length;
    let highBits = 0;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      highBits |= byte;
      target[to++] = byte;
    }
    if (highBits >= 0x80 || row.hasInnerQuotes)
      return this.#longText(row, cell, start, end);
    this.at = to;
    this.filledTo = to;
  }

  #plainText(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.#reserve(length + MAX_LENGTH_BYTES);
    this.#length(length);
    if (length === 0) return;
    const target = this.bytes;
    let to = this.at;
    for (let at = start; at < end; at++) target[to++] = bytes[at]!;
    this.at = to;
    this.filledTo = to;
  }

  /** Writes a cell's date, `MM/DD/YYYY`; empty if it is invalid. */
  date(row: ScannedRow, cell: number): void {
    const { bytes } = row;
    const start = trimmedStart(bytes, row.starts[cell]!, row.ends[cell]!);
    const end = trimmedEnd(bytes, start, row.ends[cell]!);
    const day = dayOfBytes(bytes, start, end);
    if (day === NO_DATE) return this.byte(0);
    this.byte(2);
    this.byte(day & 0xff);
    this.byte(day >>> 8);
    this.filledTo = this.at;
  }

  /** Starts a section, with room for the header of a short one. Returns its start, for `section`. */
  begin(): number {
    const start = this.at;
    this.#reserve(SHORT_HEADER_BYTES);
    this.filledTo = this.at = start + SHORT_HEADER_BYTES;
    return start;
  }

  /** Ends a section: its number and length go before what was written since `begin`. An empty section is omitted. */
  section(number: number, start: number): void {
    const from = start + SHORT_HEADER_BYTES;
    const length = this.at - from;
    if (length >= 0x80) this.#makeRoom(from, length);
    this.at = start;
    if (length === 0) return;
    this.bytes[this.at++] = number;
    this.#length(length);
    this.at += length;
  }

  /** Moves the content of a section back, whose length needs more than one byte. */
  #makeRoom(from: number, length: number): void {
    this.#reserve(MAX_LENGTH_BYTES);
    let lengthBytes = 1;
    for (let rest = length; rest >= 0x80; rest >>>= 7) lengthBytes++;
    this.bytes.copyWithin(from + lengthBytes - 1, from, from + length);
  }

  /** A text of any length and encoding. */
  #longText(row: ScannedRow, cell: number, start: number, end: number): void {
    const text = textOfCell(row, cell, start, end);
    if (text === "") return this.byte(0);
    this.#reserve((end - start) * GROWTH + MAX_LENGTH_BYTES);
    const bytes = encoder.encode(text);
    this.#length(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
    this.filledTo = this.at;
  }

  #length(length: number): void {
    let rest = length;
    for (; rest >= 0x80; rest >>>= 7)
      this.bytes[this.at++] = (rest & 0x7f) | 0x80;
    this.bytes[this.at++] = rest;
  }

  #reserve(bytes: number): void {
    const needed = this.at + bytes;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(needed * 2);
    grown.set(this.bytes.subarray(0, this.at));
    this.bytes = grown;
  }
}
