import { writeVarint } from "../bytes/varint.ts";
import { SECTIONS } from "../container/descriptors.ts";
import type { Sections } from "../container/sections.ts";

/**
 * Records (FORMAT.md, "Records"): what a provider's answer shows and no column holds, packed by a byte code. A text is
 * its words by number: each a varint of the word's number doubled, plus one while more words follow.
 */

/** What a record holds, as bits of its first two bytes; the fields follow in this order. */
export const Has = {
  /** The city's spelling, as a distance from the first spelling of the place's city: a varint. */
  citySpelling: 1 << 0,
  /** The file that the row came from, where it is not the first of the snapshot's list of files: its index, a varint. */
  file: 1 << 1,
  middle: 1 << 2,
  credential: 1 << 3,
  /** The state as published, where the row has no known state. */
  state: 1 << 4,
  /** Dates: day numbers in two bytes. */
  enumerationDate: 1 << 5,
  lastUpdated: 1 << 6,
  deactivationDate: 1 << 7,
  /** The country, where it is not "US". */
  country: 1 << 8,
  noCountry: 1 << 9,
  /** The postal code: `zip` alone: the ZIP; `zip4` alone: the ZIP and four digits in two bytes; both: a text. */
  zip: 1 << 10,
  zip4: 1 << 11,
  address1: 1 << 12,
  address2: 1 << 13,
  /** The details are the last ones known: the registry now shows only the NPI and the deactivation date. */
  carriedOver: 1 << 14,
  /** The last reactivation that the row dates, behind all other fields: an import asks for it, no answer does. */
  reactivationDate: 1 << 15,
} as const;

export const RECORDS_PER_BLOCK = 16;

export interface RecordOrigin {
  file: number;
  lastUpdated: number;
  deactivationDate: number;
  reactivationDate: number;
  carriedOver: boolean;
}

/** Numbers words anew. */
export type Renumber = (word: number) => number;

/**
 * Copies records, numbering their words anew. `target` needs room for five times the record's bytes and fourteen more.
 */
export class Recoder {
  readonly #renumber: Renumber;
  #source: Uint8Array = new Uint8Array(0);
  #target: Uint8Array = new Uint8Array(0);
  #at = 0;
  #to = 0;

  constructor(renumber: Renumber) {
    this.#renumber = renumber;
  }

  /**
   * Copies the record that begins at `at`, with another city's spelling and file, and where `deactivationDate` is not 0
   * with that day number and the mark that the details are carried over. Returns the end of what it wrote.
   */
  recode(
    source: Uint8Array,
    at: number,
    target: Uint8Array,
    to: number,
    citySpelling: number,
    file: number,
    deactivationDate: number,
  ): number {
    const had = source[at]! | (source[at + 1]! << 8);
    let has = had & ~(Has.citySpelling | Has.file);
    if (citySpelling !== 0) has |= Has.citySpelling;
    if (file !== 0) has |= Has.file;
    if (deactivationDate !== 0) has |= Has.deactivationDate | Has.carriedOver;
    target[to] = has & 0xff;
    target[to + 1] = has >>> 8;
    this.#source = source;
    this.#target = target;
    this.#at = at + 2;
    this.#to = to + 2;
    if (had & Has.citySpelling) this.#skipVarint();
    if (had & Has.file) this.#skipVarint();
    if (citySpelling !== 0)
      this.#to = writeVarint(target, this.#to, citySpelling);
    if (file !== 0) this.#to = writeVarint(target, this.#to, file);
    if (had & Has.middle) this.#text();
    if (had & Has.credential) this.#text();
    if (had & Has.state) this.#text();
    if (had & Has.enumerationDate) this.#copyTwo();
    if (had & Has.lastUpdated) this.#copyTwo();
    if (had & Has.deactivationDate) this.#copyTwo();
    if (deactivationDate !== 0)
      this.#setDate(deactivationDate, (had & Has.deactivationDate) !== 0);
    if (had & Has.country) this.#text();
    if ((had & (Has.zip | Has.zip4)) === (Has.zip | Has.zip4)) this.#text();
    else if (had & Has.zip4) this.#copyTwo();
    if (had & Has.address1) this.#text();
    if (had & Has.address2) this.#text();
    if (had & Has.reactivationDate) this.#copyTwo();
    return this.#to;
  }

  #text(): void {
    const source = this.#source;
    const renumber = this.#renumber;
    for (let more = 1; more === 1;) {
      let byte = source[this.#at++]!;
      let code = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = source[this.#at++]!;
        code |= (byte & 0x7f) << shift;
      }
      more = code & 1;
      this.#to = writeVarint(
        this.#target,
        this.#to,
        (renumber(code >>> 1) << 1) | more,
      );
    }
  }

  #skipVarint(): void {
    while (this.#source[this.#at++]! >= 0x80);
  }

  #setDate(day: number, replaces: boolean): void {
    if (replaces) this.#to -= 2;
    this.#target[this.#to++] = day & 0xff;
    this.#target[this.#to++] = day >>> 8;
  }

  #copyTwo(): void {
    this.#target[this.#to++] = this.#source[this.#at++]!;
    this.#target[this.#to++] = this.#source[this.#at++]!;
  }
}

/**
 * Reads records: `open` goes to a document's, and the fields are then read in the order in which `Has` lists them.
 * One reader serves one record after the other, so that reading makes no object but the texts.
 */
export class RecordReader {
  bytes: Uint8Array;
  /** The words that texts are made of: `word` is `wordBytes[wordOffsets[word], wordOffsets[word + 1])`. */
  readonly wordBytes: Uint8Array;
  readonly wordOffsets: Uint32Array;
  /** Where the opened record begins in `bytes`, and its length. */
  start = 0;
  length = 0;
  /** The text read by `gather`, at its beginning. */
  gathered: Uint8Array = new Uint8Array(1 << 10);
  readonly #blocks: Uint32Array;
  #at = 0;
  #has = 0;

  /** `blocks` tells where in `bytes` the record of every 16th document begins. */
  constructor(
    bytes: Uint8Array,
    blocks: Uint32Array,
    wordBytes: Uint8Array,
    wordOffsets: Uint32Array,
  ) {
    this.bytes = bytes;
    this.#blocks = blocks;
    this.wordBytes = wordBytes;
    this.wordOffsets = wordOffsets;
  }

  static open(sections: Sections): RecordReader {
    return new RecordReader(
      sections.get(SECTIONS.recordBytes),
      sections.get(SECTIONS.recordBlocks),
      sections.get(SECTIONS.words.bytes),
      sections.get(SECTIONS.words.offsets),
    );
  }

  /** Goes to a document's record. */
  open(doc: number): void {
    this.#at = this.#blocks[Math.floor(doc / RECORDS_PER_BLOCK)]!;
    for (let skip = doc % RECORDS_PER_BLOCK; skip > 0; skip--) {
      const length = this.#varint();
      this.#at += length;
    }
    this.length = this.#varint();
    this.openAt(this.#at);
  }

  /** Goes to the record that begins at `start` in `bytes`. */
  openAt(start: number): void {
    this.start = start;
    this.#at = start;
    this.#has = this.#two();
  }

  /**
   * What a document's record says of where it comes from: dates as day numbers, the index of its file, and whether its
   * details are carried over.
   */
  origin(doc: number): RecordOrigin {
    this.open(doc);
    this.number(Has.citySpelling);
    const file = this.number(Has.file);
    for (const field of [Has.middle, Has.credential, Has.state])
      this.text(field);
    this.day(Has.enumerationDate);
    const lastUpdated = this.day(Has.lastUpdated);
    return {
      file,
      lastUpdated,
      deactivationDate: this.day(Has.deactivationDate),
      reactivationDate: this.#lastDay(Has.reactivationDate),
      carriedOver: this.has(Has.carriedOver),
    };
  }

  /** Whether a document's details are the last ones known, no longer shown by the registry. */
  isCarriedOver(doc: number): boolean {
    this.open(doc);
    return this.has(Has.carriedOver);
  }

  has(field: number): boolean {
    return (this.#has & field) !== 0;
  }

  /** The text of a field, null when the record has none. */
  text(field: number): string | null {
    return this.has(field) ? this.#readText() : null;
  }

  /** The number of a field, 0 when the record has none. */
  number(field: number): number {
    return this.has(field) ? this.#varint() : 0;
  }

  /** The day number of a field, 0 when the record has none. */
  day(field: number): number {
    return this.has(field) ? this.#two() : 0;
  }

  /** The postal code as published, given the address's ZIP as a number. */
  postalCode(zip: number): string | null {
    if (this.has(Has.zip) && this.has(Has.zip4)) return this.#readText();
    if (this.has(Has.zip4))
      return (
        String(zip).padStart(5, "0") + String(this.#two()).padStart(4, "0")
      );
    return this.has(Has.zip) ? String(zip).padStart(5, "0") : null;
  }

  /** Reads the next text, which has to be there, into `gathered`, and returns how many bytes of UTF-8 it has. */
  gather(): number {
    const { wordBytes, wordOffsets } = this;
    let text = this.gathered;
    let length = 0;
    for (let more = 1; more === 1;) {
      const code = this.#varint();
      more = code & 1;
      const start = wordOffsets[code >>> 1]!;
      const end = wordOffsets[(code >>> 1) + 1]!;
      if (length + end - start >= text.length)
        text = this.#growText(length + end - start + 1);
      for (let from = start; from < end; from++)
        text[length++] = wordBytes[from]!;
      if (more === 1) text[length++] = 0x20;
    }
    return length;
  }

  /** The day number of the field that ends the record. */
  #lastDay(field: number): number {
    if (!this.has(field)) return 0;
    this.#at = this.start + this.length - 2;
    return this.#two();
  }

  #readText(): string {
    const length = this.gather();
    const { buffer } = this.gathered;
    return Buffer.from(buffer, 0, length).toString();
  }

  #growText(length: number): Uint8Array {
    const grown = new Uint8Array(length * 2);
    grown.set(this.gathered);
    this.gathered = grown;
    return grown;
  }

  #two(): number {
    return this.bytes[this.#at++]! | (this.bytes[this.#at++]! << 8);
  }

  #varint(): number {
    let byte = this.bytes[this.#at++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = this.bytes[this.#at++]!;
      value |= (byte & 0x7f) << shift;
    }
    return value;
  }
}
