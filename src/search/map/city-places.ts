import { isMilitary, STATE_CODES } from "../../contract/states.ts";
import type { MapPlace } from "../../contract/explorer/map.ts";
import type { LocatedZips } from "../../snapshot/places/located-zips.ts";
import type { Places } from "../../snapshot/places/places.ts";
import type { DisplayPoints } from "./display-points.ts";

/** The places of one city in one state, and their documents. */
interface City {
  readonly first: number;
  readonly end: number;
  readonly docs: number;
}

/**
 * Finds the cities with the most providers, at most `most`, the largest first. Leaves out those without a located ZIP.
 */
export function largestCities(
  places: Places,
  zips: LocatedZips,
  points: DisplayPoints,
  most: number,
): MapPlace[] {
  const cities = citiesOf(places)
    .filter(({ first }) => !isMilitary(places.state[first]!))
    .sort((a, b) => b.docs - a.docs || a.first - b.first);
  const largest: MapPlace[] = [];
  for (const city of cities) {
    if (largest.length === most) break;
    const place = placeOf(city, places, zips, points);
    if (place !== null) largest.push(place);
  }
  return largest;
}

/** Lists the cities of places, which are in the order of state and city. */
export function citiesOf({ city, count, starts, state }: Places): City[] {
  const cities: City[] = [];
  for (let first = 0, end = 0; first < count; first = end) {
    do end++;
    while (
      end < count &&
      city[end] === city[first] &&
      state[end] === state[first]
    );
    if (city[first] === 0) continue;
    cities.push({ first, end, docs: starts[end]! - starts[first]! });
  }
  return cities;
}

/** Puts a city at the ZIP nearest to the center of its providers; null if it has no located ZIP. */
function placeOf(
  { docs, end, first }: City,
  { cities, city, starts, state, zip }: Places,
  zips: LocatedZips,
  points: DisplayPoints,
): MapPlace | null {
  const counts: Record<number, number> = {};
  for (let place = first; place < end; place++) {
    const index = zips.indexOf(zip[place]! - 1);
    if (index >= 0) counts[index] = starts[place + 1]! - starts[place]!;
  }
  const indexes = Object.keys(counts)
    .map(Number)
    .filter((index) => counts[index]! > 0);
  if (indexes.length === 0) return null;
  const { lat, lng } = points.at(points.middleOf(indexes, counts));
  const name = cities.folded(city[first]!);
  return [name, STATE_CODES[state[first]! - 1]!, lat, lng, docs];
}
