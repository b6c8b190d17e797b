import {
  NO_STATE,
  STATE_CODES,
  statesStartingWith,
} from "../../contract/states.ts";
import type { Places } from "../../snapshot/places/places.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { cityKey } from "../../text/fold.ts";
import { numbersOfCity } from "../filters/field-numbers.ts";
import { MAX_CITY_WORDS } from "../interpret/spans.ts";
import { most, type LastTokens, type Proposal } from "./last-tokens.ts";

const MOST = 6;
/** Cities of which those with the most providers are chosen, about: more than a name has states. */
const MOST_COMPARED = 128;
const ZIP_START = /^\d{3,5}$/;
const ZIP_DIGITS = 5;

/** Proposes cities, states, and ZIPs that start with the typed phrase. Part of a state may follow a city. */
export function* placesFor(
  { places }: Snapshot,
  tokens: LastTokens,
): Generator<Proposal, void> {
  if (ZIP_START.test(tokens.phrase)) yield* zipsFor(places, tokens);
  if (tokens.size <= MAX_CITY_WORDS + 1) yield* citiesFor(places, tokens);
  for (const { code, name } of statesStartingWith(tokens.phrase)) {
    const { from, to } = places.docsOfState(code);
    yield {
      kind: "place",
      tokens,
      text: name,
      providers: to - from,
      filters: { state: code },
    };
  }
}

function citiesFor(places: Places, tokens: LastTokens): Proposal[] {
  const { phrase, size } = tokens;
  const proposals = citiesOf(places, tokens, phrase, true);
  const lastSpace = phrase.lastIndexOf(" ");
  if (size > 1) {
    const states = new Set(
      statesStartingWith(phrase.slice(lastSpace + 1)).map(({ code }) => code),
    );
    const inStates = citiesOf(
      places,
      tokens,
      phrase.slice(0, lastSpace),
      false,
    );
    proposals.push(
      ...inStates.filter(({ filters }) => states.has(filters.state ?? "")),
    );
  }
  return mostOfEachCity(proposals);
}

/** Returns the cities with the most providers, of those that differ only by spaces the first. */
function mostOfEachCity(cities: readonly Proposal[]): Proposal[] {
  const known = new Set<string>();
  const first: Proposal[] = [];
  for (const each of most(cities, cities.length)) {
    const key = cityKey(each.text);
    if (first.length === MOST) break;
    if (!known.has(key)) first.push(each);
    known.add(key);
  }
  return first;
}

/** Finds the cities in each state that have a name, or start with it. */
function citiesOf(
  places: Places,
  tokens: LastTokens,
  name: string,
  isPrefix: boolean,
): Proposal[] {
  const ranges = numbersOfCity(places.cities, { text: name, isPrefix });
  if (ranges.length === 0) return [];
  const states = STATE_CODES.length + 1;
  const counts = new Map<number, number>();
  for (const place of places.placesIn(null, ranges, null)) {
    const key = places.city[place]! * states + places.state[place]!;
    const docs = places.starts[place + 1]! - places.starts[place]!;
    counts.set(key, (counts.get(key) ?? 0) + docs);
  }
  const proposals: Proposal[] = [];
  const least = [...counts.values()].sort((a, b) => b - a)[MOST_COMPARED] ?? 0;
  for (const [key, providers] of counts) {
    if (providers < least) continue;
    const state = key % states;
    if (state === NO_STATE) continue;
    const code = STATE_CODES[state - 1] ?? "";
    const city = (key - state) / states;
    proposals.push({
      kind: "place",
      tokens,
      text: textOf(places, city, state),
      providers,
      filters: { city: places.cities.spelling(city) ?? "", state: code },
    });
  }
  return proposals;
}

function zipsFor(places: Places, tokens: LastTokens): Proposal[] {
  const { phrase } = tokens;
  const width = 10 ** (ZIP_DIGITS - phrase.length);
  const from = Number(phrase) * width;
  const inRange = places.placesIn(null, null, [{ from, to: from + width }]);
  const docsOf = (place: number): number =>
    places.starts[place + 1]! - places.starts[place]!;
  const byZip = Map.groupBy(inRange, (place) => places.zip[place]! - 1);
  return most(
    [...byZip].map(([number, placesOfZip]) => {
      const zip = String(number).padStart(ZIP_DIGITS, "0");
      const [first = 0] = placesOfZip.toSorted((a, b) => docsOf(b) - docsOf(a));
      return {
        kind: "place",
        tokens,
        text: zip,
        label: textOf(places, places.city[first]!, places.state[first]!),
        providers: placesOfZip.reduce((sum, place) => sum + docsOf(place), 0),
        filters: { zip },
      };
    }),
    MOST,
  );
}

/** Joins a city and its state. */
function textOf(places: Places, city: number, state: number): string {
  const name = places.cities.spelling(city);
  const code = STATE_CODES[state - 1];
  return [name, code].filter((part) => part !== null).join(", ");
}
