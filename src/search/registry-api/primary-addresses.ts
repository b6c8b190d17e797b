import {
  isStateOrDc,
  NO_STATE,
  STATE_CODES,
  stateNumber,
} from "../../contract/states.ts";
import { lowerBound } from "../../snapshot/bytes/sorted.ts";
import { isDeactivated } from "../../snapshot/postings/kinds.ts";
import { Has } from "../../snapshot/records/records.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { fold } from "../../text/fold.ts";
import { isIn, type Ranges } from "../filters/name-pairs.ts";
import { numbersOfCity } from "../filters/field-numbers.ts";
import { matchesPostalCode, type PostalCodeRule } from "./postal-code.ts";
import type { RegistryPlace } from "./registry-query.ts";

const STATES = STATE_CODES.map((_, index) => index + 1);
const NO_ZIP: NumberRange = { from: -1, to: 0 };
const US = "US";

/** The unplaced documents of active providers with an address, of each snapshot that was asked. */
const UNPLACED = new WeakMap<Snapshot, readonly number[]>();

/**
 * The documents whose primary practice address matches, by their places: in the 50 states and DC, whose documents have
 * all that is compared in their order. The address index has all other ones; without it, places in territories and of
 * the military count as addresses in the U.S., and those without a place are compared one by one.
 */
export class PrimaryAddresses {
  readonly bound: number;
  readonly #snapshot: Snapshot;
  readonly #place: RegistryPlace;
  readonly #postalCode: PostalCodeRule | null;
  /** The documents that match by their place. */
  readonly #sure: RangeSet;
  /** Documents whose postal code must be compared. */
  readonly #others: RangeSet;
  /** Those of these and of the documents without a place that match, ascending. */
  #matching: Uint32Array | undefined;

  constructor(
    snapshot: Snapshot,
    place: RegistryPlace,
    postalCode: PostalCodeRule | null,
  ) {
    this.#snapshot = snapshot;
    this.#place = place;
    this.#postalCode = postalCode;
    const { others, sure } = candidates(snapshot, place, postalCode);
    this.#sure = new RangeSet(sure);
    this.#others = new RangeSet(others);
    const unplaced =
      snapshot.extended.addresses === null ? unplacedDocs(snapshot).length : 0;
    this.bound = this.#sure.count + this.#others.count + unplaced;
  }

  has(doc: number): boolean {
    if (this.#sure.has(doc)) return true;
    const isPlaced = doc < this.#snapshot.places.placedDocs;
    if (isPlaced && !this.#others.has(doc)) return false;
    const matching = this.#compared();
    return matching[lowerBound(matching, doc)] === doc;
  }

  addTo(set: BitSet): void {
    for (const { from, to } of this.#sure.ranges) set.addRange(from, to);
    const matching = this.#compared();
    set.addAll(matching, 0, matching.length);
  }

  /** Passes on the documents, ascending. */
  eachList(take: (docs: Uint32Array) => void): void {
    for (const { from, to } of this.#sure.ranges)
      take(new Uint32Array(to - from).map((_, index) => from + index));
    take(this.#compared());
  }

  #compared(): Uint32Array {
    if (this.#matching !== undefined) return this.#matching;
    const { extended, kinds, places, records } = this.#snapshot;
    const rule = this.#postalCode;
    const docs: number[] = [];
    if (rule !== null)
      for (const { from, to } of this.#others.ranges)
        for (let doc = from; doc < to; doc++) {
          if (isDeactivated(kinds.column[doc]!)) continue;
          records.open(doc);
          const zip = places.zipOf(doc, places.placeOf(doc)) - 1;
          if (matchesPostalCode(rule, records.postalCode(zip))) docs.push(doc);
        }
    // Documents without a place follow all others. The address index has them if there is one.
    const unplaced =
      extended.addresses === null
        ? unplacedMatches(this.#snapshot, this.#place, rule)
        : [];
    return (this.#matching = Uint32Array.from(docs.concat(unplaced)));
  }
}

/** Finds ranges of documents by place, split by whether the place says enough. */
function candidates(
  { extended, places }: Snapshot,
  { city, country, state }: RegistryPlace,
  postalCode: PostalCodeRule | null,
): { sure: NumberRange[]; others: NumberRange[] } {
  const isHere = (each: number): boolean =>
    extended.addresses === null ? each !== NO_STATE : isStateOrDc(each);
  const number = state === undefined ? null : stateNumber(fold(state));
  const isElsewhere =
    (country !== undefined && fold(country) !== "US") ||
    (number !== null && !isHere(number));
  if (isElsewhere) return { sure: [], others: [] };
  const cities = city === undefined ? null : numbersOfCity(places.cities, city);
  const within = (zips: Ranges | null): NumberRange[] => {
    if (zips === null && cities === null)
      return (number === null ? STATES.filter(isHere) : [number]).map((each) =>
        places.docsOfStateNumber(each),
      );
    const ranges: NumberRange[] = [];
    for (const place of places.placesIn(number, cities, zips))
      if (isHere(places.state[place]!))
        ranges.push({
          from: places.starts[place]!,
          to: places.starts[place + 1]!,
        });
    return ranges;
  };
  if (postalCode === null) return { sure: within(null), others: [] };
  const { code, zips } = postalCode;
  const others = within([NO_ZIP]);
  if (zips !== null && postalCode.zip4s === null)
    return { sure: within([zips]), others };
  // Only the first digits of a postal code are in its place.
  const zip = /^[0-9]{5}/.exec(code)?.[0];
  const inZip =
    zip === undefined
      ? []
      : within([{ from: Number(zip), to: Number(zip) + 1 }]);
  return { sure: [], others: [...inZip, ...others] };
}

/** Ranges that ascend and don't overlap, after joining those that touch. */
class RangeSet {
  readonly ranges: readonly NumberRange[];
  readonly count: number;
  readonly #ends: Uint32Array;

  constructor(ranges: readonly NumberRange[]) {
    const joined: NumberRange[] = [];
    for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
      const last = joined.at(-1);
      if (last?.to === from) last.to = to;
      else if (from < to) joined.push({ from, to });
    }
    this.ranges = joined;
    this.count = joined.reduce((sum, { from, to }) => sum + to - from, 0);
    this.#ends = Uint32Array.from(joined, ({ to }) => to);
  }

  has(number: number): boolean {
    const range = this.ranges[lowerBound(this.#ends, number + 1)];
    return range !== undefined && number >= range.from;
  }
}

/**
 * Finds the documents without a place, such as those abroad, whose primary practice address matches: for snapshots
 * without an index of addresses. They are few, and a city is compared without reading records.
 */
function unplacedMatches(
  snapshot: Snapshot,
  { city, country, state }: RegistryPlace,
  postalCode: PostalCodeRule | null,
): number[] {
  const { places, records } = snapshot;
  const cities = city === undefined ? null : numbersOfCity(places.cities, city);
  const [inCountry, inState] = [country, state].map(
    (code) => code && fold(code),
  );
  return unplacedDocs(snapshot).filter((doc) => {
    if (cities !== null && !isIn(cities, places.cityOf(doc, -1, 0)))
      return false;
    records.open(doc);
    return (
      (country === undefined ||
        fold(records.text(Has.country) ?? US) === inCountry) &&
      (state === undefined ||
        fold(records.text(Has.state) ?? "") === inState) &&
      (postalCode === null ||
        matchesPostalCode(
          postalCode,
          records.postalCode(places.zipOf(doc, -1) - 1),
        ))
    );
  });
}

/** Finds documents that include all unplaced ones that can match, ascending. */
function unplacedDocs(snapshot: Snapshot): readonly number[] {
  const known = UNPLACED.get(snapshot);
  if (known !== undefined) return known;
  const { count, kinds, places, records } = snapshot;
  const docs: number[] = [];
  for (let doc = places.placedDocs; doc < count; doc++) {
    if (isDeactivated(kinds.column[doc]!)) continue;
    records.open(doc);
    const isEmpty =
      records.has(Has.noCountry) &&
      places.cityOf(doc, -1, 0) === 0 &&
      !records.has(Has.state) &&
      records.postalCode(places.zipOf(doc, -1) - 1) === null;
    if (!isEmpty) docs.push(doc);
  }
  UNPLACED.set(snapshot, docs);
  return docs;
}
