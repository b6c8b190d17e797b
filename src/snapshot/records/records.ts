import { SECTIONS } from "../container/descriptors.ts";
import { openGroup, type Sections } from "../container/sections.ts";
import { withRoom } from "../bytes/growable.ts";
import { ByteReader } from "../bytes/varint.ts";

/**
 * Records (FORMAT.md, "Records"): the parts of a provider's answer that are not in a column, byte-encoded. A text is
 * its words by number: each a varint of the number doubled, plus one if more words follow.
 */

/** A record's fields as bits of its first two bytes. The fields follow in bit order. */
export const Has = {
  /** City spelling, as offset from the first spelling of the place's city: a varint. */
  citySpelling: 1 << 0,
  /** Index of the row's file in the snapshot's list of files, if not 0: a varint. */
  file: 1 << 1,
  middle: 1 << 2,
  credential: 1 << 3,
  /** The state as published, if the row has no known state. */
  state: 1 << 4,
  /** Dates: day numbers of two bytes. */
  enumerationDate: 1 << 5,
  lastUpdated: 1 << 6,
  deactivationDate: 1 << 7,
  /** The country, if not "US". */
  country: 1 << 8,
  noCountry: 1 << 9,
  /** Postal code: only `zip`: the ZIP; only `zip4`: the ZIP and four digits in two bytes; both: a text. */
  zip: 1 << 10,
  zip4: 1 << 11,
  address1: 1 << 12,
  address2: 1 << 13,
  /**
   * The details are the last known ones: the registry now publishes only the NPI and the deactivation date. The index
   * of the file with the details follows all fields, as a varint, if it is known.
   */
  carriedOver: 1 << 14,
  /** The row's last reactivation date, after all other fields: imports use it, no answer shows it. */
  reactivationDate: 1 << 15,
} as const;

/** Encoding of fields: varints, texts, or day numbers of two bytes. All other fields have no bytes. */
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
/** The second bit of the postal code stands for its bytes: a text or four digits. */
const FIELDS = NUMBERS | TEXTS | DAYS | Has.zip4;

/** Returns the flags whose fields have bytes; the field of the lowest bit comes first. */
export function fieldsOf(flags: number): number {
  return flags & FIELDS;
}

export function isNumber(field: number): boolean {
  return (field & NUMBERS) !== 0;
}

/** True if a field of a record with these flags is a text. Fields that are neither numbers nor texts have two bytes. */
export function isText(field: number, flags: number): boolean {
  return (
    (field & TEXTS) !== 0 || (field === Has.zip4 && (flags & Has.zip) !== 0)
  );
}

export const RECORDS_PER_BLOCK = 16;

/** Concatenated words: word `n` is `bytes[offsets[n], offsets[n + 1])`. Word 0 is empty. */
export interface Words {
  bytes: Uint8Array;
  offsets: Uint32Array;
}

export interface RecordOrigin {
  file: number;
  lastUpdated: number;
  deactivationDate: number;
  reactivationDate: number;
  /** The index of the file with the details, if they are carried over and it is known. */
  detailsFile: number | null;
}

/**
 * Reads records. `open` moves to a document's record; its fields can then be read in any order, fastest in that of the
 * flags. One reader is reused for all records, so only texts create objects.
 */
export class RecordReader extends ByteReader {
  /** The words that texts consist of. */
  readonly words: Words;
  /** Of the opened record: the place of its length in `bytes`, its start, its length, and its flags. */
  prefix = 0;
  start = 0;
  length = 0;
  flags = 0;
  /** The text that `gather` read, from 0 on. */
  gathered: Uint8Array = new Uint8Array(1 << 10);
  /** Written by `readAhead`, so that it isn't optimized away. */
  protected readAheadBytes = 0;
  readonly #blocks: Uint32Array;
  /** The document whose record is open; -1 for none. */
  #opened = -1;
  /** The fields not yet passed, as bits. */
  #ahead = 0;

  /** Reads records from `bytes`; `blocks` has the position of every 16th document's record. */
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

  /** Loads the records of some documents, which are far apart in memory, so that reading them doesn't wait for each. */
  readAhead(docs: Uint32Array, count: number): void {
    let read = 0;
    for (let i = 0; i < count; i++) {
      const block = Math.floor(docs[i]! / RECORDS_PER_BLOCK);
      read ^= this.bytes[this.#blocks[block]!]!;
    }
    this.readAheadBytes = read;
  }

  /** Moves to a document's record. */
  open(doc: number): void {
    const first = doc - (doc % RECORDS_PER_BLOCK);
    const opened = this.#opened;
    // From the record opened before, if it is on the way. Neighbors often follow each other.
    if (opened >= first && opened <= doc)
      this.openAt(this.prefix, doc - opened);
    else this.openAt(this.#blocks[first / RECORDS_PER_BLOCK]!, doc - first);
    this.#opened = doc;
  }

  /**
   * Moves to a document's record; the next ones follow it in `bytes`, each after its length, up to document `end` - 1
   * or fewer. Returns how many records are there.
   */
  openRun(doc: number, end: number): number {
    this.open(doc);
    return end - doc;
  }

  /** Reads the origin of a document's record: dates as day numbers, and the indexes of its files. */
  origin(doc: number): RecordOrigin {
    this.open(doc);
    return {
      file: this.number(Has.file),
      lastUpdated: this.day(Has.lastUpdated),
      deactivationDate: this.day(Has.deactivationDate),
      reactivationDate: this.day(Has.reactivationDate),
      detailsFile: this.has(Has.carriedOver) ? this.#detailsFile() : null,
    };
  }

  #detailsFile(): number | null {
    for (; this.#ahead !== 0; this.#ahead &= this.#ahead - 1)
      this.#skip(this.#ahead & -this.#ahead);
    return this.at < this.start + this.length ? this.varint() : null;
  }

  /** True if a document's details are the last known ones, which the registry no longer publishes. */
  isCarriedOver(doc: number): boolean {
    this.open(doc);
    return this.has(Has.carriedOver);
  }

  has(field: number): boolean {
    return (this.flags & field) !== 0;
  }

  /** Reads the text of a field; null if the record does not have it. */
  text(field: number): string | null {
    return this.seek(field) ? this.#readText() : null;
  }

  /** Reads the number of a field; 0 if the record does not have it. */
  number(field: number): number {
    return this.seek(field) ? this.varint() : 0;
  }

  /** Reads the day number of a field; 0 if the record does not have it. */
  day(field: number): number {
    return this.seek(field) ? this.two() : 0;
  }

  /** Reads the postal code as published, given the address's ZIP as a number. */
  postalCode(zip: number): string | null {
    const four = this.plusFour();
    if (four === null) return this.text(Has.zip4);
    const digits = String(zip).padStart(5, "0");
    return four < 0 ? digits : digits + String(four).padStart(4, "0");
  }

  /** Reads the four digits after the ZIP; -1 if the postal code is the ZIP, null if it is `zip4`'s text, or missing. */
  plusFour(): number | null {
    if (this.has(Has.zip) === this.has(Has.zip4)) return null;
    return this.seek(Has.zip4) ? this.two() : -1;
  }

  /** Reads the text of a field into `gathered`. Returns its length in UTF-8 bytes; 0 if the record does not have it. */
  gather(field: number): number {
    return this.seek(field) ? this.#gather() : 0;
  }

  /** Moves to the bytes of a field; false if the record does not have it. The caller must then read all of them. */
  seek(field: number): boolean {
    if ((this.flags & field) === 0) return false;
    if ((this.#ahead & field) === 0) this.#rewind();
    let ahead = this.#ahead;
    for (; (ahead & (field - 1)) !== 0; ahead &= ahead - 1)
      this.#skip(ahead & -ahead);
    this.#ahead = ahead & (ahead - 1);
    return true;
  }

  /** Moves to the record `skipped` records after the one whose length is at `at` in `bytes`. */
  protected openAt(at: number, skipped: number): void {
    this.#opened = -1;
    this.at = at;
    for (let skip = skipped; skip > 0; skip--) {
      const length = this.varint();
      this.at += length;
    }
    this.prefix = this.at;
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
