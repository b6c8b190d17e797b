import type { BaseSnapshot } from "../base-snapshot.ts";
import type { SnapshotDraft } from "./draft.ts";
import { firstSpellings, type Layout } from "./layout.ts";
import type { CityNumbers, MergeLayout } from "./merge-layout.ts";
import { RecordSection } from "../records/record-section.ts";
import { RecordStream } from "../records/record-stream.ts";
import { RowRecords } from "../records/record-writer.ts";
import { Has, Recoder, RecordReader } from "../records/records.ts";
import type { SectionWriter } from "../container/section-writer.ts";

/** A new spelling of a city may lengthen its distance by so many bytes. */
const ADDED_BYTES = 16;

/**
 * Writes the sections `record.*` of a merge. The base's words keep their numbers, so that its records are copied byte for
 * byte; only where a city got a new spelling do those of its documents tell theirs anew.
 */
export function mergeRecords(
  writer: SectionWriter,
  base: BaseSnapshot,
  draft: SnapshotDraft,
  rows: Layout,
  { sources }: MergeLayout,
  cities: CityNumbers,
): void {
  const words = draft.words.writeBehind(writer, base.words);
  const rowRecords = new RowRecords(draft.rows, rows, words);
  const spellings = new MovedSpellings(base, cities);
  const stream = new RecordStream(base.sections);
  const section = new RecordSection(writer, sources.length);
  let next = 0;
  for (let doc = 0; doc < sources.length; doc++) {
    const source = sources[doc]!;
    if (source >= base.count) {
      const length = rowRecords.make(source - base.count);
      section.add(rowRecords.bytes, 0, length);
      continue;
    }
    for (; next <= source; next++) stream.next();
    if (spellings.mayMove(source)) {
      const length = spellings.move(stream.bytes, stream.start, stream.end);
      section.add(spellings.bytes, 0, length);
    } else {
      section.add(stream.bytes, stream.start, stream.end);
    }
  }
  section.end();
}

/** Tells records of the base how far their city's spelling now stands from the first one. */
class MovedSpellings {
  /** Holds the record that was made last, from 0 on. */
  bytes: Uint8Array = new Uint8Array(1 << 12);
  readonly #base: BaseSnapshot;
  readonly #cities: CityNumbers;
  /** Per city by its first spelling whether one of its spellings stands elsewhere among them now. */
  readonly #hasMoved: Uint8Array;
  readonly #recoder = new Recoder((word) => word);
  /** The place of the document that was asked for last. */
  #place = 0;

  constructor(base: BaseSnapshot, cities: CityNumbers) {
    this.#base = base;
    this.#cities = cities;
    const firstBefore = firstSpellings(base.cities);
    this.#hasMoved = new Uint8Array(firstBefore.length);
    firstBefore.forEach((first, city) => {
      if (this.#distance(city) !== city - first) this.#hasMoved[first] = 1;
    });
  }

  /** Whether a document's record has to be made anew; documents are asked for in their order. */
  mayMove(doc: number): boolean {
    const { city, placedDocs, starts } = this.#base.places;
    if (doc >= placedDocs) return false;
    while (starts[this.#place + 1]! <= doc) this.#place++;
    return this.#hasMoved[city[this.#place]!] === 1;
  }

  /** Makes the record of the document asked for last anew and returns its length. */
  move(source: Uint8Array, start: number, end: number): number {
    const { city } = this.#base.places;
    const { bytes, offsets } = this.#base.words;
    const reader = new RecordReader(source, Uint32Array.of(0), bytes, offsets);
    reader.openAt(start);
    const spelling = reader.number(Has.citySpelling);
    const file = reader.number(Has.file);
    const room = end - start + ADDED_BYTES;
    if (room > this.bytes.length) this.bytes = new Uint8Array(room * 2);
    return this.#recoder.recode(
      source,
      start,
      this.bytes,
      0,
      this.#distance(city[this.#place]! + spelling),
      file,
      0,
    );
  }

  /** How far a city of the base now stands from its first spelling. */
  #distance(city: number): number {
    const { first, fromBase } = this.#cities;
    const now = fromBase[city]!;
    return now - first[now]!;
  }
}
