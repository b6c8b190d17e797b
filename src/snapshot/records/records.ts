import { SECTIONS } from "../container/descriptors.ts";
import { openGroup, type Sections } from "../container/sections.ts";
import { withRoom } from "../bytes/growable.ts";
import { ByteReader } from "../bytes/varint.ts";

/**
 * Records (FORMAT.md, "Records"): what a provider's answer shows and no column holds, packed by a byte code. A text is
 * its words by number: each a varint of the word's number doubled, plus one while more words follow.
 */

/** What a record holds, as bits of its first two bytes; the fields follow in the order of their bits. */
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
  /** The postal code: only `zip`: the ZIP; only `zip4`: the ZIP and four digits in two bytes; both: a text. */
  zip: 1 << 10,
  zip4: 1 << 11,
  address1: 1 << 12,
  address2: 1 << 13,
  /** The details are the last ones known: the registry now shows only the NPI and the deactivation date. */
  carriedOver: 1 << 14,
  /** The last reactivation that the row dates, behind all other fields: an import asks for it, no answer does. */
  reactivationDate: 1 << 15,
} as const;

/** How fields are written: as varints, as texts, or as day numbers in two bytes. The others have no bytes of their own. */
const NUMBERS = Has.citySpelling | Has.file;
const TEXTS =
  Has.middle |
  Has.credential |
  Has.state |
  Has.country |
  Has.address1 |
  Has.address2;
const DAYS =
  Has.enumerationDate |
  Has.lastUpdated |
  Has.deactivationDate |
  Has.reactivationDate;
/** The postal code's bytes, a text or four digits, are those of its second bit. */
const FIELDS = NUMBERS | TEXTS | DAYS | Has.zip4;

/** Of a record's flags those whose fields have bytes; the lowest bit's come first. */
export function fieldsOf(flags: number): number {
  return flags & FIELDS;
}

export function isNumber(field: number): boolean {
  return (field & NUMBERS) !== 0;
}

/** Whether a field of a record with these flags is a text. What is neither a number nor a text has two bytes. */
export function isText(field: number, flags: number): boolean {
  return (
    (field & TEXTS) !== 0 || (field === Has.zip4 && (flags & Has.zip) !== 0)
  );
}

export const RECORDS_PER_BLOCK = 16;

/** Words one after the other: word `n` is `bytes[offsets[n], offsets[n + 1])`. Word 0 is the empty one. */
export interface Words {
  bytes: Uint8Array;
  offsets: Uint32Array;
}

export interface RecordOrigin {
  file: number;
  lastUpdated: number;
  deactivationDate: number;
  reactivationDate: number;
  carriedOver: boolean;
}

/**
 * Reads records: `open` goes to a document's, and its fields are then read by their flags: in any order, and fastest in
 * that of the flags. One reader serves one record after the other, so that reading makes no object but the texts.
 */
export class RecordReader extends ByteReader {
  /** The words that texts are made of. */
  readonly words: Words;
  /** Where the opened record begins in `bytes`, its length, and its flags. */
  start = 0;
  length = 0;
  flags = 0;
  /** The text read by `gather`, at its beginning. */
  gathered: Uint8Array = new Uint8Array(1 << 10);
  readonly #blocks: Uint32Array;
  /** The fields that are still ahead, as bits. */
  #ahead = 0;

  /** `blocks` tells where in `bytes` the record of every 16th document begins. */
  constructor(bytes: Uint8Array, blocks: Uint32Array, words: Words) {
    super(bytes);
    this.#blocks = blocks;
    this.words = words;
  }

  static open(sections: Sections): RecordReader {
    return new RecordReader(
      sections.get(SECTIONS.recordBytes),
      sections.get(SECTIONS.recordBlocks),
      openGroup(sections, SECTIONS.words),
    );
  }

  /** Goes to a document's record. */
  open(doc: number): void {
    this.openAt(
      this.#blocks[Math.floor(doc / RECORDS_PER_BLOCK)]!,
      doc % RECORDS_PER_BLOCK,
    );
  }

  /**
   * What a document's record says of where it comes from: dates as day numbers, the index of its file, and whether its
   * details are carried over.
   */
  origin(doc: number): RecordOrigin {
    this.open(doc);
    return {
      file: this.number(Has.file),
      lastUpdated: this.day(Has.lastUpdated),
      deactivationDate: this.day(Has.deactivationDate),
      reactivationDate: this.day(Has.reactivationDate),
      carriedOver: this.has(Has.carriedOver),
    };
  }

  /** Whether a document's details are the last ones known, no longer shown by the registry. */
  isCarriedOver(doc: number): boolean {
    this.open(doc);
    return this.has(Has.carriedOver);
  }

  has(field: number): boolean {
    return (this.flags & field) !== 0;
  }

  /** The text of a field, null when the record has none. */
  text(field: number): string | null {
    return this.seek(field) ? this.#readText() : null;
  }

  /** The number of a field, 0 when the record has none. */
  number(field: number): number {
    return this.seek(field) ? this.varint() : 0;
  }

  /** The day number of a field, 0 when the record has none. */
  day(field: number): number {
    return this.seek(field) ? this.two() : 0;
  }

  /** The postal code as published, given the address's ZIP as a number. */
  postalCode(zip: number): string | null {
    const isZip = this.has(Has.zip);
    const hasField = this.seek(Has.zip4);
    if (isZip && hasField) return this.#readText();
    if (!isZip && !hasField) return null;
    const digits = String(zip).padStart(5, "0");
    return isZip ? digits : digits + String(this.two()).padStart(4, "0");
  }

  /** Reads the text of a field into `gathered`, and returns how many bytes of UTF-8 it has; 0 when the record has none. */
  gather(field: number): number {
    return this.seek(field) ? this.#gather() : 0;
  }

  /** Goes to the bytes of a field; false when the record has none. They have to be read then, to their end. */
  seek(field: number): boolean {
    if ((this.flags & field) === 0) return false;
    if ((this.#ahead & field) === 0) this.#rewind();
    let ahead = this.#ahead;
    for (; (ahead & (field - 1)) !== 0; ahead &= ahead - 1)
      this.#skip(ahead & -ahead);
    this.#ahead = ahead & (ahead - 1);
    return true;
  }

  /** Goes to the record that comes `skipped` records behind the one whose length is told at `at` in `bytes`. */
  protected openAt(at: number, skipped: number): void {
    this.at = at;
    for (let skip = skipped; skip > 0; skip--) {
      const length = this.varint();
      this.at += length;
    }
    this.length = this.varint();
    this.start = this.at;
    this.#rewind();
  }

  #rewind(): void {
    this.at = this.start;
    this.flags = this.two();
    this.#ahead = fieldsOf(this.flags);
  }

  #skip(field: number): void {
    if (isText(field, this.flags)) while ((this.varint() & 1) === 1);
    else if (isNumber(field)) this.varint();
    else this.at += 2;
  }

  #gather(): number {
    const { bytes, offsets } = this.words;
    let text = this.gathered;
    let length = 0;
    for (let more = 1; more === 1;) {
      const code = this.varint();
      more = code & 1;
      const start = offsets[code >>> 1]!;
      const end = offsets[(code >>> 1) + 1]!;
      if (length + end - start >= text.length)
        this.gathered = text = withRoom(text, length + end - start + 1);
      for (let from = start; from < end; from++) text[length++] = bytes[from]!;
      if (more === 1) text[length++] = 0x20;
    }
    return length;
  }

  #readText(): string {
    const length = this.#gather();
    return Buffer.from(this.gathered.buffer, 0, length).toString();
  }
}
