import type {
  MapBounds,
  MapPlace,
  MapRow,
} from "../../contract/explorer/map.ts";
import type { DisplayPoints } from "./display-points.ts";
import { isMilitary, STATE_CODES } from "../../contract/states.ts";
import type { LocatedZips } from "../../snapshot/places/located-zips.ts";
import type { Places } from "../../snapshot/places/places.ts";

/** The rows of a map. */
export interface MapRows {
  readonly rows: MapRow[];
  readonly groupedBy: "zip" | "zip3";
  /** The number of providers that are in the rows. */
  readonly shown: number;
}

/**
 * Makes a row for each ZIP in the bounds that has providers or, if there are more than `most`, for each first three
 * digits: at the ZIP nearest to the center of those with providers, so never in water. `zips` and `counts` are by index
 * of the centroid.
 */
export function mapRows(
  zips: Uint32Array,
  points: DisplayPoints,
  counts: Uint32Array,
  bounds: MapBounds | null,
  most: number,
): MapRows {
  const isIn = withinBounds(points, bounds);
  const inBounds: number[] = [];
  let shown = 0;
  for (let index = 0; index < counts.length; index++) {
    if (counts[index] === 0 || !isIn(index)) continue;
    inBounds.push(index);
    shown += counts[index]!;
  }
  const rowAt = (name: string, index: number, count: number): MapRow => [
    name,
    points.lat[index]!,
    points.lng[index]!,
    count,
  ];
  if (inBounds.length <= most) {
    const rows = inBounds.map((index) =>
      rowAt(String(zips[index]).padStart(5, "0"), index, counts[index]!),
    );
    return { rows, groupedBy: "zip", shown };
  }
  const groups = Map.groupBy(inBounds, (index) =>
    Math.floor(zips[index]! / 100),
  );
  const rows = Array.from(groups, ([digits, indexes]) =>
    rowAt(
      String(digits).padStart(3, "0"),
      points.middleOf(indexes, counts),
      indexes.reduce((sum, index) => sum + counts[index]!, 0),
    ),
  );
  return { rows, groupedBy: "zip3", shown };
}

function withinBounds(
  { lat, lng }: DisplayPoints,
  bounds: MapBounds | null,
): (index: number) => boolean {
  if (bounds === null) return () => true;
  const [west, south, east, north] = bounds;
  return (index) => {
    const y = lat[index]!;
    const x = lng[index]!;
    if (y < south || y > north) return false;
    return west <= east ? x >= west && x <= east : x >= west || x <= east;
  };
}

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
