import { isUsAddress, stateOf } from "../../registry/rows/address.ts";
import { AddressText } from "../../registry/details/detail-blob.ts";
import { isStateOrDc, NO_STATE, STATE_CODES } from "../../contract/states.ts";
import { fold } from "../../text/fold.ts";
import type { FoldBytes, Folding } from "../../text/foldings.ts";
import { ByteInterner } from "../bytes/byte-interner.ts";
import { orderByKey, sortedBy } from "../bytes/radix-sort.ts";
import { EXTENDED_SECTIONS } from "../container/descriptors.ts";
import type { Sections } from "../container/sections.ts";
import type { SectionWriter } from "../container/section-writer.ts";
import { Dictionary, draftDictionary } from "../dictionary/dictionary.ts";
import type { RecordTexts } from "./doc-order.ts";

const SECTIONS = EXTENDED_SECTIONS.areas;
/** Area ZIPs from here on are entries of the dictionary of postal codes, plus this; this one is "no postal code". */
export const POSTAL_CODES = 100_000;
/** Instead of the four digits after a ZIP: there are none. */
export const NO_ZIP4 = 0xffff;

const HYPHEN = 0x2d;
const SPACE = 0x20;
const ZIP_DIGITS = 5;
const ZIP4_DIGITS = 9;
const US = Buffer.from("US");
/** Numbers kept for each area of a ZIP, and for all areas that are kept of one. */
const LAST = 4;
const LASTS = 2 * LAST;

/** Folds a postal code as it is compared: letters and digits, in upper case. */
export function comparedPostalCode(text: string): string {
  return fold(text).replaceAll(" ", "");
}

/** Makes the folding of postal codes. */
function withoutSpaces(foldBytes: FoldBytes): FoldBytes {
  return (source, start, end, target, at) => {
    const foldedEnd = foldBytes(source, start, end, target, at);
    let to = at;
    for (let from = at; from < foldedEnd; from++)
      if (target[from] !== SPACE) target[to++] = target[from]!;
    return to;
  };
}

/** An address that was read: its area by number in the draft, from 1, or 0 if it is empty. */
export interface ReadAddress {
  area: number;
  zip4: number;
}

/** Areas under construction, numbered from 1 in order of first occurrence. */
export class AreasDraft {
  readonly #countries = new ByteInterner();
  readonly #states = new ByteInterner();
  readonly #cities = new ByteInterner();
  readonly #postalCodes = new ByteInterner();
  /** Areas as four numbers: state, city, ZIP, country. */
  readonly #areas = new ByteInterner();
  readonly #area = new Uint32Array(4);
  readonly #areaBytes = new Uint8Array(this.#area.buffer);
  readonly #read: ReadAddress = { area: 0, zip4: NO_ZIP4 };
  /** The interned codes of U.S. states by their number, and the interned US. */
  readonly #stateCodes = Uint32Array.from(["", ...STATE_CODES], (code) =>
    this.#states.intern(Buffer.from(code), 0, code.length),
  );
  readonly #us = this.#countries.intern(US, 0, US.length);
  #zip = 0;
  #zip4 = NO_ZIP4;
  /** The last two areas of each ZIP, each with its state, city, and country: few ZIPs have more. */
  readonly #lasts = new Uint32Array(POSTAL_CODES * LASTS);

  /** Reads an address from texts in the order of `AddressText`. The result is valid until the next call. */
  read({ bytes, ends, starts }: RecordTexts): ReadAddress {
    const read = this.#read;
    read.area = 0;
    const cityStart = starts[AddressText.city]!;
    const cityEnd = ends[AddressText.city]!;
    const codeStart = starts[AddressText.postal_code]!;
    const codeEnd = ends[AddressText.postal_code]!;
    const stateStart = starts[AddressText.state]!;
    const stateEnd = ends[AddressText.state]!;
    const countryStart = starts[AddressText.country]!;
    const countryEnd = ends[AddressText.country]!;
    if (
      cityStart === cityEnd &&
      codeStart === codeEnd &&
      stateStart === stateEnd &&
      countryStart === countryEnd
    )
      return read;
    const state = stateOf(bytes, stateStart, stateEnd);
    const isUs =
      state !== NO_STATE && isUsAddress(bytes, countryStart, countryEnd, state);
    this.#readPostalCode(bytes, codeStart, codeEnd);
    read.zip4 = this.#zip4;
    const zip = this.#zip;
    const area = this.#area;
    area[0] = isUs
      ? this.#stateCodes[state]!
      : this.#states.intern(bytes, stateStart, stateEnd);
    area[3] =
      countryStart === countryEnd || (isUs && isStateOrDc(state))
        ? this.#us
        : this.#countries.intern(bytes, countryStart, countryEnd);
    if (zip < POSTAL_CODES) {
      const lasts = this.#lasts;
      const first = zip * LASTS;
      for (let last = first; last < first + LASTS; last += LAST)
        if (
          lasts[last + 1] === area[0] &&
          lasts[last + 3] === area[3] &&
          this.#cities.is(lasts[last + 2]!, bytes, cityStart, cityEnd)
        ) {
          read.area = lasts[last]!;
          return read;
        }
    }
    area[1] = this.#cities.intern(bytes, cityStart, cityEnd);
    area[2] = zip;
    read.area = this.#internArea();
    if (zip < POSTAL_CODES) this.#keep(zip, read.area);
    return read;
  }

  /** Writes the areas. Returns the number in the file of each area here. */
  write(writer: SectionWriter, folding: Folding): Uint32Array {
    const { foldBytes, foldCityBytes } = folding;
    const countries = draftDictionary(this.#countries, folding);
    const states = draftDictionary(this.#states, folding);
    const cities = draftDictionary(this.#cities, folding, foldCityBytes);
    const postalCodes = draftDictionary(
      this.#postalCodes,
      folding,
      withoutSpaces(foldBytes),
    );
    writer.writeGroup(SECTIONS.countries, countries);
    writer.writeGroup(SECTIONS.states, states);
    writer.writeGroup(SECTIONS.cities, cities);
    writer.writeGroup(SECTIONS.postalCodes, postalCodes);
    this.#areas.close();
    const count = this.#areas.size - 1;
    // Area n is bytes 16 * (n - 1) to 16 * n - 1 of the arena.
    const numbers = new Uint32Array(this.#areas.arena.buffer, 0, count * 4);
    const column = (at: number, numberOf: (number: number) => number) =>
      Uint32Array.from({ length: count }, (_, index) =>
        numberOf(numbers[index * 4 + at]!),
      );
    const state = column(0, (id) => states.numbers[id]!);
    const city = column(1, (id) => cities.numbers[id]!);
    const zip = column(2, (code) =>
      code <= POSTAL_CODES
        ? code
        : POSTAL_CODES + postalCodes.numbers[code - POSTAL_CODES]!,
    );
    const country = column(3, (id) => countries.numbers[id]!);
    let order = orderByKey(country, count);
    for (const keys of [zip, city, state]) order = sortedBy(keys, order);
    const sorted = (values: Uint32Array) => order.map((at) => values[at]!);
    const [cityOf, zipOf] = [sorted(city), sorted(zip)];
    writer.write(SECTIONS.state, sorted(state));
    writer.write(SECTIONS.city, cityOf);
    writer.write(SECTIONS.zip, zipOf);
    writer.write(SECTIONS.country, sorted(country));
    writer.write(SECTIONS.byCity, orderByKey(cityOf, count));
    writer.write(SECTIONS.byZip, orderByKey(zipOf, count));
    const written = new Uint32Array(count + 1);
    order.forEach((at, index) => {
      written[at + 1] = index + 1;
    });
    return written;
  }

  /** Keeps the current area as the last one of a ZIP. */
  #keep(zip: number, number: number): void {
    const lasts = this.#lasts;
    const first = zip * LASTS;
    for (let at = first; at < first + LAST; at++) lasts[at + LAST] = lasts[at]!;
    lasts[first] = number;
    lasts[first + 1] = this.#area[0]!;
    lasts[first + 2] = this.#area[1]!;
    lasts[first + 3] = this.#area[3]!;
  }

  #internArea(): number {
    return this.#areas.intern(this.#areaBytes, 0, this.#areaBytes.length);
  }

  /** Reads a postal code: five or nine digits, in any groups, are a ZIP; anything else is a separate code. */
  #readPostalCode(bytes: Uint8Array, start: number, end: number): void {
    let zip = 0;
    let zip4 = 0;
    let digits = 0;
    for (let at = start; at < end; at++) {
      const digit = bytes[at]! - 0x30;
      if (digit >>> 0 > 9) {
        if (bytes[at] === HYPHEN || bytes[at] === SPACE) continue;
        digits = 0;
        break;
      }
      if (digits < ZIP_DIGITS) zip = zip * 10 + digit;
      else zip4 = zip4 * 10 + digit;
      digits++;
    }
    const isZip = digits === ZIP_DIGITS || digits === ZIP4_DIGITS;
    this.#zip4 = digits === ZIP4_DIGITS ? zip4 : NO_ZIP4;
    this.#zip = isZip
      ? zip
      : POSTAL_CODES + this.#postalCodes.intern(bytes, start, end);
  }
}

/** Areas: the distinct states, cities, ZIPs and countries of addresses together (FORMAT.md, "Extended index"). */
export class Areas {
  readonly count: number;
  readonly countries: Dictionary;
  readonly states: Dictionary;
  readonly cities: Dictionary;
  readonly postalCodes: Dictionary;
  /** Per area, which has its index plus 1 as number: numbers of the dictionaries, and its ZIP. */
  readonly areas: Readonly<
    Record<"city" | "country" | "state" | "zip", Uint32Array>
  >;
  /** Indexes of areas, ordered by city and by ZIP. */
  readonly byCity: Uint32Array;
  readonly byZip: Uint32Array;

  constructor(sections: Sections) {
    this.countries = Dictionary.open(sections, SECTIONS.countries);
    this.states = Dictionary.open(sections, SECTIONS.states);
    this.cities = Dictionary.open(sections, SECTIONS.cities);
    this.postalCodes = Dictionary.open(sections, SECTIONS.postalCodes);
    this.areas = {
      state: sections.get(SECTIONS.state),
      city: sections.get(SECTIONS.city),
      zip: sections.get(SECTIONS.zip),
      country: sections.get(SECTIONS.country),
    };
    this.byCity = sections.get(SECTIONS.byCity);
    this.byZip = sections.get(SECTIONS.byZip);
    this.count = this.byCity.length;
  }
}
