import {
  Entity,
  NO_DATE,
  Text,
  type ProviderRow,
} from "../../registry/rows/provider-row.ts";
import { NO_STATE } from "../../contract/states.ts";
import { ByteInterner } from "../bytes/byte-interner.ts";
import { withRoom } from "../bytes/growable.ts";
import { orderByKey } from "../bytes/radix-sort.ts";
import { ByteReader, writeVarint } from "../bytes/varint.ts";
import { SECTIONS } from "../container/descriptors.ts";
import type { SectionWriter } from "../container/section-writer.ts";
import { fieldsOf, Has, isNumber, isText, type Words } from "./records.ts";

const SPACE = 0x20;
const ZIP_DIGITS = 5;
const ZIP4_DIGITS = 9;
const UPPER_U = 0x55;
const UPPER_S = 0x53;
/** Flags, four dates and a ZIP+4; the city spelling, file and details' file, if added. */
const FIXED_BYTES = 27;
/** A text of n bytes has at most n + 1 words, and a word's code has at most five bytes. */
const CODE_BYTES = 5;

/** The texts of a row that its record can have. */
const TEXTS = [
  { field: Has.middle, text: Text.middle },
  { field: Has.credential, text: Text.credential },
  { field: Has.state, text: Text.state },
  { field: Has.country, text: Text.country },
  { field: Has.zip | Has.zip4, text: Text.postalCode },
  { field: Has.address1, text: Text.address1 },
  { field: Has.address2, text: Text.address2 },
];
/** The same by the field's highest bit. */
const TEXT_OF_BIT = new Uint8Array(16);
for (const { field, text } of TEXTS) TEXT_OF_BIT[bitOf(field)] = text;

/** Encodes rows as records (records.ts), without city spelling and file, which are known only at layout. */
export class RecordEncoder {
  /** The last record, from 0 on. */
  bytes: Uint8Array = new Uint8Array(1 << 12);
  readonly #words: RecordWords;

  constructor(words: RecordWords) {
    this.#words = words;
  }

  /**
   * Encodes a row and returns the record's length. `detailsFile`: the index of the file with the details, if the
   * registry now withholds them.
   */
  encode(row: ProviderRow, detailsFile: number | null): number {
    const flags = flagsOf(row) | (detailsFile === null ? 0 : Has.carriedOver);
    let to = writeTwo(this.bytes, 0, flags);
    for (let left = fieldsOf(flags); left !== 0; left &= left - 1) {
      const field = left & -left;
      if (isText(field, flags))
        to = this.#text(row, TEXT_OF_BIT[bitOf(field)]!, to);
      else to = writeTwo(this.bytes, to, twoOf(row, field));
    }
    return detailsFile === null ? to : writeVarint(this.bytes, to, detailsFile);
  }

  #text(row: ProviderRow, text: number, at: number): number {
    const { bytes } = row;
    const end = row.end[text]!;
    let from = row.start[text]!;
    const room = at + (end - from + 1) * CODE_BYTES + FIXED_BYTES;
    const target = (this.bytes = withRoom(this.bytes, room));
    let to = at;
    for (let more = 1; more === 1;) {
      let wordEnd = from;
      while (wordEnd < end && bytes[wordEnd] !== SPACE) wordEnd++;
      more = wordEnd < end ? 1 : 0;
      const word = this.#words.use(bytes, from, wordEnd);
      to = writeVarint(target, to, (word << 1) | more);
      from = wordEnd + 1;
    }
    return to;
  }
}

/** The words of a file, and the number there of each word of a `RecordWords`. */
interface WrittenWords extends Words {
  readonly numbers: Uint32Array;
}

/** The words of records' texts, numbered by first occurrence, and how many times each is used. */
export class RecordWords {
  readonly #interner = new ByteInterner();
  #uses: Uint32Array = new Uint32Array(1);

  /** Returns the number of a word, and counts one more use. */
  use(bytes: Uint8Array, start: number, end: number): number {
    const word = this.#interner.intern(bytes, start, end);
    if (word >= this.#uses.length) this.#uses = withRoom(this.#uses, word + 1);
    this.#uses[word]!++;
    return word;
  }

  /** Frees the memory that only `use` needs. `use` must not be called afterwards. */
  close(): void {
    this.#interner.close();
  }

  /** Writes the word sections, most used words first, and frees the words. Returns the new number of each, too. */
  write(writer: SectionWriter): WrittenWords {
    const { arena, offsets, size } = this.#interner;
    const rarity = new Uint32Array(size).map(
      (_, word) => 0xffffffff - this.#uses[word]!,
    );
    // The empty word keeps number 0.
    rarity[0] = 0;
    const order = orderByKey(rarity, size);
    const numbers = new Uint32Array(size);
    const bytes = new Uint8Array(offsets[size]!);
    const starts = new Uint32Array(size + 1);
    let to = 0;
    order.forEach((word, number) => {
      numbers[word] = number;
      for (let from = offsets[word]!; from < offsets[word + 1]!; from++)
        bytes[to++] = arena[from]!;
      starts[number + 1] = to;
    });
    writer.writeGroup(SECTIONS.words, { bytes, offsets: starts });
    this.#interner.free();
    return { bytes, offsets: starts, numbers };
  }

  /**
   * Writes the word sections: the base's words with their numbers, then the new ones. Returns the number of each of its
   * own, too.
   */
  writeBehind(writer: SectionWriter, base: Words): WrittenWords {
    const { arena, offsets, size } = this.#interner;
    const all = new ByteInterner(base.offsets.length + size);
    for (let word = 0; word + 1 < base.offsets.length; word++)
      all.intern(base.bytes, base.offsets[word]!, base.offsets[word + 1]!);
    const numbers = new Uint32Array(size).map((_, word) =>
      all.intern(arena, offsets[word]!, offsets[word + 1]!),
    );
    const words = {
      bytes: all.arena.subarray(0, all.offsets[all.size]),
      offsets: all.offsets.subarray(0, all.size + 1),
    };
    writer.writeGroup(SECTIONS.words, words);
    return { ...words, numbers };
  }
}

/** A deactivation without details: its day number, and the index of the file with the details, if known. */
export interface CarriedOver {
  readonly day: number;
  readonly detailsFile: number | null;
}

/** Copies records with new word numbers. */
export class Recoder {
  /** The last copy, from 0 on. */
  bytes: Uint8Array = new Uint8Array(1 << 12);
  readonly #renumber: (word: number) => number;
  readonly #source = new ByteReader();

  constructor(renumber: (word: number) => number) {
    this.#renumber = renumber;
  }

  /** Copies the record of `length` bytes at `start`, deactivated if asked. Returns the copy's length. */
  recode(
    bytes: Uint8Array,
    start: number,
    length: number,
    citySpelling: number,
    file: number,
    deactivation: CarriedOver | null,
  ): number {
    const source = this.#source;
    source.bytes = bytes;
    source.at = start;
    const had = source.two();
    let has = had & ~(Has.citySpelling | Has.file);
    if (citySpelling !== 0) has |= Has.citySpelling;
    if (file !== 0) has |= Has.file;
    if (deactivation !== null) has |= Has.carriedOver;
    const day = deactivation?.day ?? 0;
    if (day !== 0) has |= Has.deactivationDate;
    const room = length * CODE_BYTES + FIXED_BYTES;
    const target = (this.bytes = withRoom(this.bytes, room));
    let to = writeTwo(target, 0, has);
    for (let left = fieldsOf(had | has); left !== 0; left &= left - 1) {
      const field = left & -left;
      const isThere = (had & field) !== 0;
      if (isNumber(field)) {
        if (isThere) source.varint();
        const number = field === Has.file ? file : citySpelling;
        if (number !== 0) to = writeVarint(target, to, number);
      } else if (isText(field, had)) {
        to = this.#text(to);
      } else {
        const two = isThere ? source.two() : 0;
        const isSet = field === Has.deactivationDate && day !== 0;
        to = writeTwo(target, to, isSet ? day : two);
      }
    }
    if (deactivation === null)
      while (source.at < start + length) target[to++] = bytes[source.at++]!;
    else if (deactivation.detailsFile !== null)
      to = writeVarint(target, to, deactivation.detailsFile);
    return to;
  }

  #text(at: number): number {
    const target = this.bytes;
    const source = this.#source;
    const renumber = this.#renumber;
    let to = at;
    for (let more = 1; more === 1;) {
      const code = source.varint();
      more = code & 1;
      to = writeVarint(target, to, (renumber(code >>> 1) << 1) | more);
    }
    return to;
  }
}

/** Returns the flags of a row's record. */
function flagsOf(row: ProviderRow): number {
  const { bytes, end, start } = row;
  let flags = 0;
  for (const { field, text } of TEXTS)
    if (end[text]! > start[text]!) flags |= field;
  if (row.entityType !== Entity.individual)
    flags &= ~(Has.middle | Has.credential);
  if (row.state !== NO_STATE) flags &= ~Has.state;
  const country = start[Text.country]!;
  if ((flags & Has.country) === 0) flags |= Has.noCountry;
  else if (
    end[Text.country] === country + 2 &&
    bytes[country] === UPPER_U &&
    bytes[country + 1] === UPPER_S
  )
    flags &= ~Has.country;
  if (row.zip >= 0) {
    const digits = end[Text.postalCode]! - start[Text.postalCode]!;
    if (digits === ZIP_DIGITS) flags &= ~Has.zip4;
    if (digits === ZIP4_DIGITS && zip4Of(row) >= 0) flags &= ~Has.zip;
  }
  if (row.enumerationDate !== NO_DATE) flags |= Has.enumerationDate;
  if (row.lastUpdated !== NO_DATE) flags |= Has.lastUpdated;
  if (row.deactivationDate !== NO_DATE) flags |= Has.deactivationDate;
  if (row.reactivationDate !== NO_DATE) flags |= Has.reactivationDate;
  return flags;
}

/** Reads the four digits after the ZIP, or -1. */
function zip4Of({ bytes, start }: ProviderRow): number {
  const from = start[Text.postalCode]! + ZIP_DIGITS;
  let number = 0;
  for (let at = from; at < from + ZIP4_DIGITS - ZIP_DIGITS; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
}

/** Returns the value of a two-byte field of a row. */
function twoOf(row: ProviderRow, field: number): number {
  switch (field) {
    case Has.enumerationDate:
      return row.enumerationDate;
    case Has.lastUpdated:
      return row.lastUpdated;
    case Has.deactivationDate:
      return row.deactivationDate;
    case Has.reactivationDate:
      return row.reactivationDate;
    default:
      return zip4Of(row);
  }
}

function bitOf(field: number): number {
  return 31 - Math.clz32(field);
}

function writeTwo(target: Uint8Array, to: number, value: number): number {
  target[to] = value & 0xff;
  target[to + 1] = value >>> 8;
  return to + 2;
}
