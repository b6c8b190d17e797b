import { NO_STATE, stateNumber } from "../../contract/states.ts";
import {
  itemsOf,
  type Postings,
  groupItems,
  groupValues,
} from "../postings/postings.ts";
import { indexIn, lowerBound } from "../bytes/sorted.ts";
import type { Dictionary, NumberRange } from "../dictionary/dictionary.ts";
import { SECTIONS } from "../container/descriptors.ts";
import { openGroup, type Sections } from "../container/sections.ts";
import type { ArraysOf } from "../container/section.ts";
import { BitSet } from "../bytes/bitset.ts";
import type { SectionWriter } from "../container/section-writer.ts";

/**
 * Places (FORMAT.md, "Places"): the distinct (state, city, ZIP) of U.S. addresses in a known state, in document order.
 * The documents of a place are a range. Unplaced documents follow all others, ordered by NPI.
 */
export class Places {
  readonly count: number;
  /** The number of documents with a place. Documents from here on are unplaced. */
  readonly placedDocs: number;
  /** Per place: the state's number, the first entry of its compared city (0 for none), the ZIP plus one. */
  readonly state: Uint8Array;
  readonly city: Uint32Array;
  readonly zip: Uint32Array;
  /** The documents of `place` are `starts[place]` to `starts[place + 1]` - 1. */
  readonly starts: Uint32Array;
  /** Per unplaced document: its city entry, and the ZIP plus one of a U.S. address. */
  readonly unplacedCity: Uint32Array;
  readonly unplacedZip: Uint32Array;
  /** The dictionary of `city`. */
  readonly cities: Dictionary;
  /** The place that `placeOf` found last. Neighbors often have the same. */
  #lastPlace = 0;
  /** The places without a ZIP. */
  #withoutZip: Uint32Array | undefined;
  readonly #cityPlaces: Postings;
  readonly #unplacedByCity: Postings;
  readonly #zipNumbers: Uint32Array;
  readonly #zipPlaces: Postings;
  readonly #unplacedByZip: Postings;

  constructor(sections: Sections, cities: Dictionary) {
    const places = openGroup(sections, SECTIONS.places);
    this.state = places.state;
    this.city = places.city;
    this.zip = places.zip;
    this.starts = places.starts;
    const unplaced = openGroup(sections, SECTIONS.unplaced);
    this.unplacedCity = unplaced.city;
    this.unplacedZip = unplaced.zip;
    this.count = this.state.length;
    this.placedDocs = this.starts[this.count]!;
    this.cities = cities;
    this.#cityPlaces = openGroup(sections, SECTIONS.cityPlaces);
    this.#unplacedByCity = openGroup(sections, SECTIONS.unplacedByCity);
    this.#zipNumbers = sections.get(SECTIONS.zipNumbers);
    this.#zipPlaces = openGroup(sections, SECTIONS.zipPlaces);
    this.#unplacedByZip = openGroup(sections, SECTIONS.unplacedByZip);
  }

  /** Finds the place of a document, or -1 if it is unplaced. */
  placeOf(doc: number): number {
    if (doc >= this.placedDocs) return -1;
    const { starts } = this;
    const last = this.#lastPlace;
    if (doc >= starts[last]! && doc < starts[last + 1]!) return last;
    const place = lowerBound(starts, doc + 1, 0, this.count) - 1;
    this.#lastPlace = place;
    return place;
  }

  /** Returns a document's city entry, given its place (or -1) and the spelling offset in its record. */
  cityOf(doc: number, place: number, spelling: number): number {
    return place < 0
      ? this.unplacedCity[doc - this.placedDocs]!
      : this.city[place]! + spelling;
  }

  /** Returns the ZIP plus one of a document, given its place or -1. */
  zipOf(doc: number, place: number): number {
    return place < 0
      ? this.unplacedZip[doc - this.placedDocs]!
      : this.zip[place]!;
  }

  /** Finds the documents in a state, by its code. */
  docsOfState(code: string): NumberRange {
    return this.docsOfStateNumber(stateNumber(code));
  }

  docsOfStateNumber(state: number): NumberRange {
    return {
      from: this.starts[this.#firstPlaceOf(state)]!,
      to: this.starts[this.#firstPlaceOf(state + 1)]!,
    };
  }

  /** Finds the documents in cities, which are ranges of entries with whole compared cities, as ascending ranges. */
  docsOfCities(cities: readonly NumberRange[]): NumberRange[] {
    return this.#ranges(
      itemsOfRanges(this.#cityPlaces, cities).sort(),
      itemsOfRanges(this.#unplacedByCity, cities).sort(),
    );
  }

  /** Counts the documents in cities of each state that has some. NO_STATE has the unplaced ones. */
  countsByState(cities: readonly NumberRange[]): Map<number, number> {
    const counts = new Map<number, number>();
    for (const place of itemsOfRanges(this.#cityPlaces, cities)) {
      const state = this.state[place]!;
      const docs = this.starts[place + 1]! - this.starts[place]!;
      counts.set(state, (counts.get(state) ?? 0) + docs);
    }
    const unplaced = itemsOfRanges(this.#unplacedByCity, cities).length;
    if (unplaced > 0) counts.set(NO_STATE, unplaced);
    return counts;
  }

  /** Finds the documents with a U.S. postal code that starts with a ZIP, as ascending ranges. */
  docsOfZip(zip: number): NumberRange[] {
    const number = indexIn(this.#zipNumbers, zip) + 1;
    return this.#ranges(
      itemsOf(this.#zipPlaces, number),
      itemsOf(this.#unplacedByZip, number),
    );
  }

  /**
   * Finds the places in a state, in compared cities and with ZIPs, ascending; null for any. Cities are ranges of
   * dictionary entries; the ZIP -1 is "no ZIP".
   */
  placesIn(
    state: number | null,
    cities: readonly NumberRange[] | null,
    zips: readonly NumberRange[] | null,
  ): Uint32Array {
    const keeps = (place: number): boolean =>
      (state === null || this.state[place] === state) &&
      (cities === null || isInOne(cities, this.city[place]!)) &&
      (zips === null || isInOne(zips, this.zip[place]! - 1));
    return this.#candidates(state, cities, zips).filter(keeps).sort();
  }

  /** Finds places that include all of those; a range of places if nothing else is given. */
  #candidates(
    state: number | null,
    cities: readonly NumberRange[] | null,
    zips: readonly NumberRange[] | null,
  ): Uint32Array {
    if (cities !== null) return itemsOfRanges(this.#cityPlaces, cities);
    if (zips?.every(({ from }) => from >= 0) === true)
      return itemsOfRanges(
        this.#zipPlaces,
        zips.map(({ from, to }) => ({
          from: lowerBound(this.#zipNumbers, from) + 1,
          to: lowerBound(this.#zipNumbers, to) + 1,
        })),
      );
    if (zips?.every(({ to }) => to <= 0) === true)
      return (this.#withoutZip ??= Uint32Array.from(this.zip.keys()).filter(
        (place) => this.zip[place] === 0,
      ));
    const first = state === null ? 0 : this.#firstPlaceOf(state);
    const end = state === null ? this.count : this.#firstPlaceOf(state + 1);
    return new Uint32Array(end - first).map((_, index) => first + index);
  }

  #firstPlaceOf(state: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.state[middle]! < state) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the documents of places and unplaced ones, both ascending. */
  #ranges(places: Uint32Array, unplaced: Uint32Array): NumberRange[] {
    const ranges: NumberRange[] = [];
    for (const place of places)
      append(ranges, this.starts[place]!, this.starts[place + 1]!);
    for (const doc of unplaced) this.#appendUnplaced(ranges, doc);
    return ranges;
  }

  #appendUnplaced(ranges: NumberRange[], unplaced: number): void {
    append(ranges, this.placedDocs + unplaced, this.placedDocs + unplaced + 1);
  }
}

/** Appends a range, merged with the last one if they touch. */
function append(ranges: NumberRange[], from: number, to: number): void {
  const last = ranges.at(-1);
  if (last !== undefined && last.to === from) last.to = to;
  else ranges.push({ from, to });
}

/** Copies the items of ranges of numbers, one range after the other. */
function itemsOfRanges(
  { items, starts }: Postings,
  ranges: readonly NumberRange[],
): Uint32Array {
  const lists = ranges.map(({ from, to }) =>
    items.subarray(starts[from], starts[to]),
  );
  const all = new Uint32Array(
    lists.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}

function isInOne(ranges: readonly NumberRange[], number: number): boolean {
  return ranges.some(({ from, to }) => number >= from && number < to);
}

/** ZIPs have five digits. A column of ZIPs plus one has 0 for none; minus one, that is outside this range. */
const ZIPS = 100_000;

/** The places in order, and the first document of each (FORMAT.md, "Places"). */
export type PlaceColumns = ArraysOf<typeof SECTIONS.places>;

/** Per unplaced document: its city entry, the ZIP plus one. */
export type UnplacedColumns = ArraysOf<typeof SECTIONS.unplaced>;

/**
 * Writes the place sections, and the lists of places and unplaced documents by city and by ZIP. `firstSpelling` has the
 * first entry with the same compared city of each city.
 */
export function writePlaces(
  writer: SectionWriter,
  places: PlaceColumns,
  unplaced: UnplacedColumns,
  firstSpelling: Uint32Array,
): void {
  const cityCount = firstSpelling.length - 1;
  writer.writeGroup(SECTIONS.places, places);
  writer.writeGroup(SECTIONS.unplaced, unplaced);
  writer.writeGroup(SECTIONS.cityPlaces, groupItems(places.city, cityCount));
  writer.writeGroup(
    SECTIONS.unplacedByCity,
    groupItems(
      unplaced.city.map((city) => firstSpelling[city]!),
      cityCount,
    ),
  );
  const zips = places.zip.map((zip) => zip - 1);
  const unplacedZips = unplaced.zip.map((zip) => zip - 1);
  const used = BitSet.of(ZIPS, zips);
  used.addAll(unplacedZips, 0, unplacedZips.length);
  const numbers = used.toArray();
  writer.write(SECTIONS.zipNumbers, numbers);
  writer.writeGroup(SECTIONS.zipPlaces, groupValues(zips, numbers));
  writer.writeGroup(SECTIONS.unplacedByZip, groupValues(unplacedZips, numbers));
}
