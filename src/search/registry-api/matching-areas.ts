import { BitSet } from "../../snapshot/bytes/bitset.ts";
import { firstNotBefore, lowerBound } from "../../snapshot/bytes/sorted.ts";
import { POSTAL_CODES, type Areas } from "../../snapshot/extended/areas.ts";
import type { AddressList } from "../../snapshot/extended/address-list.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import { isIn, type Ranges } from "../filters/name-pairs.ts";
import {
  numbersOf,
  numbersOfCity,
  numbersOfFolded,
} from "../filters/field-numbers.ts";
import { matchesZip4, type PostalCodeRule } from "./postal-code.ts";
import type { RegistryPlace } from "./registry-query.ts";

/** The areas that match the conditions for an address, and the four digits behind their ZIPs. */
export class MatchingAreas {
  /** Ranges of area numbers, ascending, that don't touch. */
  readonly ranges: Ranges;
  readonly #areas: Areas;
  readonly #numbers: BitSet;
  readonly #postalCode: PostalCodeRule | null;

  constructor(
    areas: Areas,
    { city, country, state }: RegistryPlace,
    postalCode: PostalCodeRule | null,
  ) {
    this.#areas = areas;
    this.#postalCode = postalCode;
    const criteria: Criteria = {
      states: state === undefined ? null : equal(areas.states, state),
      cities: city === undefined ? null : numbersOfCity(areas.cities, city),
      zips: postalCode === null ? null : zipsOf(areas, postalCode),
      countries: country === undefined ? null : equal(areas.countries, country),
    };
    const indexes = matching(areas, criteria);
    this.#numbers = new BitSet(areas.count + 1);
    for (const index of indexes) this.#numbers.add(index + 1);
    this.ranges = rangesOf(indexes);
  }

  /** Returns how many addresses of a list are in these areas. */
  countIn({ byArea: { starts } }: AddressList): number {
    return this.ranges.reduce(
      (sum, { from, to }) => sum + starts[to]! - starts[from]!,
      0,
    );
  }

  /** True if every address in these areas matches. */
  get areSure(): boolean {
    return this.#postalCode?.zip4s == null;
  }

  has(area: number, zip4: number): boolean {
    if (!this.#numbers.has(area)) return false;
    return (
      this.#postalCode === null ||
      this.#areas.areas.zip[area - 1]! > POSTAL_CODES ||
      matchesZip4(this.#postalCode, zip4)
    );
  }
}

/** Numbers of dictionaries, and ZIPs as in areas; null for any. */
interface Criteria {
  readonly states: Ranges | null;
  readonly cities: Ranges | null;
  readonly zips: Ranges | null;
  readonly countries: Ranges | null;
}

/** Finds the indexes of the areas that match, ascending. */
function matching(all: Areas, criteria: Criteria): Uint32Array {
  const { city, country, state, zip } = all.areas;
  const { cities, countries, states, zips } = criteria;
  const candidates = candidatesFor(all, criteria);
  let count = 0;
  for (let i = 0; i < candidates.length; i++) {
    const at = candidates[i]!;
    if (
      (states === null || isIn(states, state[at]!)) &&
      (cities === null || isIn(cities, city[at]!)) &&
      (zips === null || isIn(zips, zip[at]!)) &&
      (countries === null || isIn(countries, country[at]!))
    )
      candidates[count++] = at;
  }
  return candidates.subarray(0, count);
}

/** Finds the indexes of areas that include all that match, ascending. */
function candidatesFor(
  { areas: { city, state, zip }, byCity, byZip, count }: Areas,
  { cities, states, zips }: Criteria,
): Uint32Array {
  if (zips !== null) return itemsWith(byZip, zip, zips);
  if (cities !== null) return itemsWith(byCity, city, cities);
  if (states === null) return numbersFrom(0, count);
  const [first] = states;
  return first === undefined
    ? numbersFrom(0, 0)
    : numbersFrom(
        lowerBound(state, first.from),
        lowerBound(state, states.at(-1)!.to),
      );
}

function numbersFrom(from: number, to: number): Uint32Array {
  const numbers = new Uint32Array(to - from);
  for (let i = 0; i < numbers.length; i++) numbers[i] = from + i;
  return numbers;
}

/** Copies the items of an order by key whose keys are in ranges. */
function itemsWith(
  order: Uint32Array,
  keys: Uint32Array,
  ranges: Ranges,
): Uint32Array {
  const firstFrom = (key: number): number =>
    firstNotBefore(order.length, (at) => keys[order[at]!]! < key);
  const lists = ranges.map(({ from, to }) =>
    order.subarray(firstFrom(from), firstFrom(to)),
  );
  const items = new Uint32Array(
    lists.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const list of lists) {
    items.set(list, at);
    at += list.length;
  }
  return items.sort();
}

function equal(dictionary: Areas["states"], text: string): Ranges {
  return numbersOf(dictionary, { text, isPrefix: false });
}

/** Finds the ZIPs that match. Postal codes that are not ZIPs match as texts. */
function zipsOf(
  { postalCodes }: Areas,
  { code, isPrefix, zips }: PostalCodeRule,
): Ranges {
  const codes = numbersOfFolded(postalCodes, [code], isPrefix);
  return [
    ...(zips === null ? [] : [zips]),
    ...codes.map(({ from, to }) => ({
      from: POSTAL_CODES + from,
      to: POSTAL_CODES + to,
    })),
  ];
}

/** Returns ranges of numbers, which are the ascending indexes plus 1. */
function rangesOf(indexes: Uint32Array): NumberRange[] {
  const ranges: NumberRange[] = [];
  for (const index of indexes) {
    const last = ranges.at(-1);
    if (last !== undefined && last.to === index + 1) last.to++;
    else ranges.push({ from: index + 1, to: index + 2 });
  }
  return ranges;
}
