import type { BaseSnapshot } from "../base-snapshot.ts";
import { withRoom } from "../bytes/growable.ts";
import { ByteReader, writeVarint } from "../bytes/varint.ts";
import { SECTIONS } from "../container/descriptors.ts";
import type { SectionWriter } from "../container/section-writer.ts";
import { CredentialCounter } from "../names/credential-words.ts";
import { Recoder } from "../records/record-encoder.ts";
import { Has, RECORDS_PER_BLOCK, type Words } from "../records/records.ts";
import { ENTRY_NUMBERS, Entry, lengthIn, type SnapshotDraft } from "./draft.ts";
import {
  firstSpellings,
  type CityNumbers,
  type Layout,
  type MergedDocs,
} from "./layout.ts";

/** Entries of this many documents are read ahead, so the processor loads several from memory at once. */
const AHEAD = 512;
const BUFFER_BYTES = 1 << 20;
const MAX_VARINT = 5;

/**
 * Writes the `record.*` sections of a draft's rows. `gather` is called with each range of documents, `from` to `to` -
 * 1, before their records are written: entries are far apart, and reaching one costs more than copying it.
 */
export function writeRecords(
  writer: SectionWriter,
  draft: SnapshotDraft,
  rows: Layout,
  gather: (from: number, to: number) => void,
): void {
  const { numbers, ...words } = draft.words.write(writer);
  const count = rows.entries.length;
  const section = new RecordSection(writer, count);
  const addRow = rowAdder(section, draft, rows, numbers);
  for (let from = 0; from < count; from += AHEAD) {
    const to = Math.min(from + AHEAD, count);
    gather(from, to);
    for (let doc = from; doc < to; doc++) addRow(doc);
  }
  section.end(words);
}

/**
 * Writes the `record.*` sections of a base merged with a draft's rows. Words of the base keep their numbers, so its
 * records are copied byte for byte, except where the city got a new spelling.
 */
export function mergeRecords(
  writer: SectionWriter,
  draft: SnapshotDraft,
  rows: Layout,
  { base, runs }: MergedDocs,
  cities: CityNumbers,
): void {
  const { records } = base;
  const { numbers, ...words } = draft.words.writeBehind(writer, records.words);
  const section = new RecordSection(writer, runs.count);
  const addRow = rowAdder(section, draft, rows, numbers);
  const spellings = new MovedSpellings(base, cities);
  const recoder = new Recoder((word) => word);
  const recode = (doc: number): void => {
    records.open(doc);
    const { bytes, length, start } = records;
    const spelling = spellings.distance(records.number(Has.citySpelling));
    const file = records.number(Has.file);
    const copied = recoder.recode(bytes, start, length, spelling, file, null);
    section.add(recoder.bytes, 0, copied);
  };
  runs.forEach((source, _, length) => {
    const end = source + length;
    if (source >= base.count) {
      for (let row = source; row < end; row++) addRow(row - base.count);
      return;
    }
    for (let doc = source; doc < end;) {
      const past = Math.min(end, spellings.samePlaceEnd(doc));
      if (spellings.mayMove()) for (; doc < past; doc++) recode(doc);
      while (doc < past) {
        const count = records.openRun(doc, past);
        section.copy(records.bytes, records.prefix, count);
        doc += count;
      }
    }
  });
  section.end(words);
}

/** Adds the records of a draft's rows by index in the layout; `words` maps the draft's word numbers to the file's. */
function rowAdder(
  section: RecordSection,
  { rows }: SnapshotDraft,
  { citySpellings, entries }: Layout,
  words: Uint32Array,
): (row: number) => void {
  const recoder = new Recoder((word) => words[word]!);
  return (row) => {
    const { bytes, numbers } = rows.chunkOf(entries[row]!);
    const at = rows.placeIn(entries[row]!);
    const length = recoder.recode(
      bytes,
      (at + ENTRY_NUMBERS) * 4,
      lengthIn(numbers[at + Entry.kindLengthInitial]!),
      citySpellings[numbers[at + Entry.place]!]!,
      numbers[at + Entry.taxonomyAndFile]! >>> 16,
      null,
    );
    section.add(recoder.bytes, 0, length);
  };
}

/** Offsets of the base's city spellings from their first spelling, in the new dictionary. */
class MovedSpellings {
  readonly #base: BaseSnapshot;
  readonly #cities: CityNumbers;
  /** Per city, by its first spelling: whether the offset of any of its spellings changed. */
  readonly #hasMoved: Uint8Array;
  /** The place of the last document passed to `samePlaceEnd`. */
  #place = 0;

  constructor(base: BaseSnapshot, cities: CityNumbers) {
    this.#base = base;
    this.#cities = cities;
    const firstBefore = firstSpellings(base.cities);
    this.#hasMoved = new Uint8Array(firstBefore.length);
    firstBefore.forEach((first, city) => {
      if (this.#distanceOf(city) !== city - first) this.#hasMoved[first] = 1;
    });
  }

  /**
   * Returns the document after those with the same place as `doc`, or without one. Documents must be passed in order;
   * the other methods are about the place of this one.
   */
  samePlaceEnd(doc: number): number {
    const { placedDocs, starts } = this.#base.places;
    if (doc >= placedDocs) {
      this.#place = -1;
      return this.#base.count;
    }
    while (starts[this.#place + 1]! <= doc) this.#place++;
    return starts[this.#place + 1]!;
  }

  /** True if spelling offsets in the records of the place may have changed. */
  mayMove(): boolean {
    if (this.#place < 0) return false;
    return this.#hasMoved[this.#base.places.city[this.#place]!] === 1;
  }

  /** Returns the new offset of a spelling, given the old one. */
  distance(spelling: number): number {
    return this.#distanceOf(this.#base.places.city[this.#place]! + spelling);
  }

  #distanceOf(city: number): number {
    const { first, fromBase } = this.#cities;
    const now = fromBase[city]!;
    return now - first[now]!;
  }
}

/** Writes the sections `record.bytes`, `record.blocks`, and `credential.*`, one record at a time in document order. */
class RecordSection {
  readonly #writer: SectionWriter;
  readonly #blocks: Uint32Array;
  #doc = 0;
  #buffer: Uint8Array = new Uint8Array(BUFFER_BYTES * 2);
  #filled = 0;
  #written = 0;
  readonly #reader = new ByteReader();
  readonly #credentials = new CredentialCounter();

  constructor(writer: SectionWriter, count: number) {
    this.#writer = writer;
    this.#blocks = new Uint32Array(Math.ceil(count / RECORDS_PER_BLOCK));
    writer.begin(SECTIONS.recordBytes);
  }

  /** Adds the next document's record. */
  add(source: Uint8Array, start: number, length: number): void {
    this.#note(0);
    this.#credentials.count(source, start);
    const buffer = this.#roomFor(MAX_VARINT + length);
    let to = writeVarint(buffer, this.#filled, length);
    for (let from = start; from < start + length; from++)
      buffer[to++] = source[from]!;
    this.#filled = to;
    if (to >= BUFFER_BYTES) this.#flush();
  }

  /** Adds the records of the next `count` documents as they are, with their lengths, from `start` on. */
  copy(source: Uint8Array, start: number, count: number): void {
    const reader = this.#reader;
    reader.bytes = source;
    reader.at = start;
    for (let left = count; left > 0; left--) {
      this.#note(reader.at - start);
      const length = reader.varint();
      this.#credentials.count(source, reader.at);
      reader.at += length;
    }
    const bytes = reader.at - start;
    this.#roomFor(bytes).set(source.subarray(start, reader.at), this.#filled);
    this.#filled += bytes;
    if (this.#filled >= BUFFER_BYTES) this.#flush();
  }

  /** Ends the sections. `words` are those of the records. */
  end(words: Words): void {
    this.#flush();
    this.#writer.end();
    this.#writer.write(SECTIONS.recordBlocks, this.#blocks);
    this.#credentials.write(this.#writer, words);
  }

  /** Notes where the next document's record starts, `ahead` bytes behind what is in the buffer. */
  #note(ahead: number): void {
    if (this.#doc % RECORDS_PER_BLOCK === 0)
      this.#blocks[this.#doc / RECORDS_PER_BLOCK] =
        this.#written + this.#filled + ahead;
    this.#doc++;
  }

  #roomFor(bytes: number): Uint8Array {
    return (this.#buffer = withRoom(this.#buffer, this.#filled + bytes));
  }

  #flush(): void {
    this.#writer.append(this.#buffer.subarray(0, this.#filled));
    this.#written += this.#filled;
    this.#filled = 0;
  }
}
