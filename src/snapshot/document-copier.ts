import type { ByteInterner } from "./byte-interner.ts";
import type { Dictionary } from "./dictionary.ts";
import type { SnapshotDraft } from "./draft.ts";
import { entityOf, kindOf } from "./kinds.ts";
import { Has, Recoder } from "./records.ts";
import type { Snapshot } from "./snapshot.ts";

/** Renumbering may lengthen a word's code from one byte to five; besides, a date may be added. */
const GROWTH = 5;
const ADDED_BYTES = 14;

/** Copies documents of a snapshot into a draft as they are. Each distinct text is looked up once, then is a number. */
export class DocumentCopier {
  readonly #draft: SnapshotDraft;
  readonly #source: Snapshot;
  readonly #recoder = new Recoder();
  readonly #lastNames: NumberMap;
  readonly #organizations: NumberMap;
  readonly #firstNames: NumberMap;
  readonly #taxonomies: NumberMap;
  readonly #cities: NumberMap;
  readonly #words: Uint32Array;
  #place = 0;

  constructor(draft: SnapshotDraft, source: Snapshot) {
    this.#draft = draft;
    this.#source = source;
    this.#lastNames = new NumberMap(source.lastNames, draft.lastNames);
    this.#organizations = new NumberMap(
      source.organizations,
      draft.organizations,
    );
    this.#firstNames = new NumberMap(source.firstNames, draft.firstNames);
    this.#taxonomies = new NumberMap(source.taxonomies, draft.taxonomies);
    this.#cities = new NumberMap(source.cities, draft.cities);
    this.#words = new Uint32Array(source.records.wordOffsets.length - 1);
  }

  /** Copies a document as it is. Quickest in ascending order of documents. */
  copy(doc: number): void {
    this.#source.records.open(doc);
    this.#source.records.number(Has.citySpelling);
    this.#copy(
      doc,
      this.#source.kinds.column[doc]!,
      this.#source.records.number(Has.file),
      0,
    );
  }

  /**
   * Copies a document whose deactivation, on the given day, the file with index `file` tells: its details are carried
   * over.
   */
  copyDeactivated(doc: number, day: number, file: number): void {
    this.#copy(
      doc,
      kindOf(entityOf(this.#source.kinds.column[doc]!), true),
      file,
      day,
    );
  }

  #copy(
    doc: number,
    kind: number,
    file: number,
    deactivationDate: number,
  ): void {
    const source = this.#source;
    const { rows } = this.#draft;
    const { records, lastNames, places } = source;
    records.open(doc);
    const spelling = records.number(Has.citySpelling);
    const { chunk, at } = rows.reserve(records.length * GROWTH + ADDED_BYTES);
    const index = rows.count;
    const name = source.name[doc]!;
    rows.npi[index] = source.npi[doc]!;
    rows.kind[index] = kind;
    rows.name[index] =
      name <= lastNames.count
        ? this.#lastNames.get(name)
        : this.#organizations.get(name - lastNames.count);
    rows.first[index] = this.#firstNames.get(source.firstName[doc]!);
    rows.taxonomy[index] = this.#taxonomies.get(source.taxonomy[doc]!);
    rows.file[index] = file;
    if (doc < places.placedDocs) {
      const place = this.#placeOf(doc);
      const city = this.#cities.get(places.city[place]! + spelling);
      rows.city[index] = city;
      rows.zip[index] = places.zip[place]!;
      rows.place[index] = this.#draft.placeNumber(
        places.state[place]!,
        city,
        places.zip[place]!,
      );
    } else {
      rows.city[index] = this.#cities.get(
        places.looseCity[doc - places.placedDocs]!,
      );
      rows.zip[index] = places.looseZip[doc - places.placedDocs]!;
      rows.place[index] = 0;
    }
    const changes = { citySpelling: 0, file: 0, deactivationDate };
    rows.commit(
      this.#recoder.recode(
        records.bytes,
        records.start,
        chunk,
        at,
        this.#renumber,
        changes,
      ),
    );
  }

  #placeOf(doc: number): number {
    const { starts } = this.#source.places;
    if (doc < starts[this.#place]!) this.#place = 0;
    while (starts[this.#place + 1]! <= doc) this.#place++;
    return this.#place;
  }

  readonly #renumber = (word: number): number => {
    const known = this.#words[word]!;
    if (known === 0) {
      const { wordBytes, wordOffsets } = this.#source.records;
      return (this.#words[word] = this.#draft.useWord(
        wordBytes,
        wordOffsets[word]!,
        wordOffsets[word + 1]!,
      ));
    }
    this.#draft.countWord(known);
    return known;
  };
}

/** A dictionary's numbers as an interner's, each found once. */
class NumberMap {
  readonly #dictionary: Dictionary;
  readonly #interner: ByteInterner;
  readonly #numbers: Uint32Array;

  constructor(dictionary: Dictionary, interner: ByteInterner) {
    this.#dictionary = dictionary;
    this.#interner = interner;
    this.#numbers = new Uint32Array(dictionary.count + 1);
  }

  get(number: number): number {
    if (number === 0) return 0;
    const known = this.#numbers[number]!;
    if (known !== 0) return known;
    const { bytes, offsets } = this.#dictionary;
    const start = this.#dictionary.spellingStart(number);
    return (this.#numbers[number] = this.#interner.intern(
      bytes,
      start,
      offsets[number + 1]!,
    ));
  }
}
