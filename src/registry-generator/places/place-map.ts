import { loadZipPlaces, type ZipPlace } from "../../reference/zip-places.ts";
import { citySpellings } from "./city-spellings.ts";
import { mix, type Random } from "../random.ts";
import { SkewedChoice } from "../skewed-choice.ts";
import { STATE_POPULATIONS } from "./state-populations.ts";
import { WordPool } from "../names/word-pool.ts";

/** Spellings are drawn from a hundred entries per city, so a percentage is a number of entries. */
const ENTRIES = 100;

/**
 * The places of providers: states by population, cities by their number of ZIPs, and some ZIPs of a city more than
 * others. ZIP, city and state always match.
 */
export class PlaceMap {
  /** Two-letter state codes, sorted; a state's number is its index here. */
  readonly stateCodes: readonly string[];
  /** The same as bytes. */
  readonly states: WordPool;
  /** All spellings of all cities. */
  readonly spellings: WordPool;
  readonly #stateChoice: SkewedChoice;
  /** Per state, a choice among its ZIPs, and the number of the first one. */
  readonly #zipsOfState: SkewedChoice[] = [];
  readonly #firstZipOfState: number[] = [];
  readonly #zips: Uint32Array;
  readonly #stateOfZip: Uint8Array;
  /**
   * Per ZIP, the only spelling of its city, or, if there are several, −1 minus the index of the first one's entries.
   */
  readonly #spellingOfZip: Int32Array;
  readonly #entries: Uint32Array;

  constructor(places: readonly ZipPlace[]) {
    const ofState = Map.groupBy(places.filter(isServed), ({ state }) => state);
    this.stateCodes = Object.keys(STATE_POPULATIONS)
      .filter((state) => ofState.has(state))
      .sort();
    this.states = new WordPool(this.stateCodes);
    this.#stateChoice = new SkewedChoice(
      this.stateCodes.map((state) => STATE_POPULATIONS[state] ?? 0),
    );
    const ordered: ZipPlace[] = [];
    for (const state of this.stateCodes) {
      const inState = ofState.get(state) ?? [];
      this.#firstZipOfState.push(ordered.length);
      this.#zipsOfState.push(new SkewedChoice(zipWeights(inState)));
      ordered.push(...inState);
    }
    this.#zips = Uint32Array.from(ordered, ({ zip }) => Number(zip));
    this.#stateOfZip = Uint8Array.from(ordered, ({ state }) =>
      this.stateCodes.indexOf(state),
    );

    const spellings: string[] = [];
    const entries: number[] = [];
    const numbers = new Map<string, number>();
    for (const { city } of ordered) {
      if (numbers.has(city)) continue;
      const ways = citySpellings(city);
      numbers.set(
        city,
        ways.length === 1 ? spellings.length : -1 - entries.length,
      );
      for (const [spelling, percent] of ways) {
        if (ways.length > 1)
          entries.push(...Array<number>(percent).fill(spellings.length));
        spellings.push(spelling);
      }
    }
    this.spellings = new WordPool(spellings);
    this.#spellingOfZip = Int32Array.from(
      ordered,
      ({ city }) => numbers.get(city) ?? 0,
    );
    this.#entries = Uint32Array.from(entries);
  }

  /** A place: a number for the methods below. */
  draw(random: Random): number {
    return this.drawInState(random, this.#stateChoice.draw(random));
  }

  drawInState(random: Random, state: number): number {
    return (
      this.#firstZipOfState[state]! + this.#zipsOfState[state]!.draw(random)
    );
  }

  stateOf(place: number): number {
    return this.#stateOfZip[place]!;
  }

  /** The ZIP as a number: 00501 is 501. */
  zipOf(place: number): number {
    return this.#zips[place]!;
  }

  /** One of the spellings of a place's city. */
  drawSpelling(random: Random, place: number): number {
    const spelling = this.#spellingOfZip[place]!;
    return spelling >= 0
      ? spelling
      : this.#entries[random.below(ENTRIES) - 1 - spelling]!;
  }
}

let made: PlaceMap | null = null;

/** The map of all places. The first call makes it (about 0.25 s); it is kept, as it never changes. */
export function placeMap(): PlaceMap {
  return (made ??= new PlaceMap(loadZipPlaces()));
}

/** One ZIP in thirty has no provider, like many that have only post office boxes. */
function isServed({ zip }: ZipPlace): boolean {
  return (mix(Number(zip)) >>> 0) % 30 !== 0;
}

/** The weights of a state's ZIPs: a city of n ZIPs has about n to the power of 1¼, with strong variation. */
function zipWeights(places: readonly ZipPlace[]): number[] {
  const weights = new Map<ZipPlace, number>();
  for (const [city, inCity] of Map.groupBy(places, (place) => place.city)) {
    const count = inCity.length;
    const size = count * Math.sqrt(Math.sqrt(count)) * favour(city, count);
    let shares = 0;
    for (let rank = 0; rank < count; rank++) shares += 1 / (rank + 3);
    for (const place of inCity) {
      // Spreads the ranks over the city's ZIPs; some share a rank, and some ranks are unused.
      const rank = (mix(Number(place.zip) + 7) >>> 0) % count;
      weights.set(place, size / (rank + 3) / shares);
    }
  }
  return places.map((place) => weights.get(place) ?? 0);
}

/** Cities with one or two ZIPs vary most: the smallest have a twentieth of the largest. */
function favour(city: string, zips: number): number {
  const bits = mix(hashOf(city)) >>> 0;
  return zips > 2 ? 1 + (bits % 4) : 20 / (1 + (bits % 40));
}

function hashOf(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = mix(hash + text.charCodeAt(i));
  return hash;
}
