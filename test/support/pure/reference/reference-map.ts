/** The map and the facets of some matches, written only from the rules. */

import type {
  Facet,
  MapBounds,
  MapRow,
} from "../../../../src/contract/explorer/map.ts";
import type { Provider } from "../../../../src/contract/provider.ts";
import { haversineMiles } from "../../../../src/reference/zip-points.ts";
import type { MapRows } from "../../../../src/search/map/map-places.ts";
import type {
  MapCounts,
  ZipCounts,
} from "../../../../src/search/map/zip-counts.ts";
import type { Point } from "../../../../src/search/query.ts";
import { referenceCity } from "./reference-fold.ts";
import { compareText, type Place } from "./reference-place.ts";

/** Around some of the registry's centroids, across the 180th meridian, a single point, and all. */
const BOUNDS: readonly (MapBounds | null)[] = [
  null,
  [-87.7, 41.8, -87.6, 41.885],
  [179.9, 51, -179.5, 53],
  [-87.622, 41.885, -87.622, 41.885],
  [-180, -90, 180, 90],
];

/** What the map shows of matches, one ZIP or null for each, if it may have `most` rows. */
export interface ReferenceMap {
  readonly total: number;
  readonly located: number;
  readonly rows: (bounds: MapBounds | null, most: number) => MapRows;
}

/** All that a map shows in some bounds with `most` rows, from the engine's counts or from the reference. */
export function shownOn(
  map: Pick<ZipCounts, "rows">,
  counts: MapCounts,
  most: number,
): object {
  const { located, total } = counts;
  const all = BOUNDS.map((bounds) => map.rows(counts, bounds, most));
  return { total, located, all };
}

export function shownByReference(
  { located, rows, total }: ReferenceMap,
  most: number,
): object {
  return { total, located, all: BOUNDS.map((bounds) => rows(bounds, most)) };
}

export function referenceMap(
  matches: readonly (string | null)[],
  centroids: ReadonlyMap<string, Point>,
): ReferenceMap {
  const located = matches.filter((zip) => zip !== null && centroids.has(zip));
  return {
    total: matches.length,
    located: located.length,
    rows(bounds, most) {
      const rows = [...centroids]
        .map(([zip, { lat, lng }]): MapRow => {
          const count = located.filter((each) => each === zip).length;
          return [zip, lat, lng, count];
        })
        .filter(([, lat, lng, count]) => count > 0 && isIn(bounds, lat, lng))
        .sort(([a], [b]) => (a < b ? -1 : 1));
      const shown = rows.reduce((sum, [, , , count]) => sum + count, 0);
      if (rows.length <= most) return { rows, groupedBy: "zip", shown };
      const groups = Object.groupBy(
        rows,
        ([zip]) => `group ${zip.slice(0, 3)}`,
      );
      return {
        rows: Object.values(groups).map((group) => oneOf(group ?? [])),
        groupedBy: "zip3",
        shown,
      };
    },
  };
}

/** The ends belong to the bounds. */
function isIn(bounds: MapBounds | null, lat: number, lng: number): boolean {
  if (bounds === null) return true;
  const [west, south, east, north] = bounds;
  const isBetween =
    west <= east ? lng >= west && lng <= east : lng >= west || lng <= east;
  return isBetween && lat >= south && lat <= north;
}

/** One row for some: at the one that is nearest to their center, weighted by providers. */
function oneOf(rows: readonly MapRow[]): MapRow {
  const all = rows.reduce((sum, [, , , count]) => sum + count, 0);
  const weighted = (at: 1 | 2): number =>
    rows.reduce((sum, row) => sum + row[at] * row[3], 0) / all;
  const lat = weighted(1);
  const lng = weighted(2);
  const [nearest] = rows.toSorted(
    (a, b) =>
      haversineMiles(lat, lng, a[1], a[2]) -
      haversineMiles(lat, lng, b[1], b[2]),
  );
  return [rows[0]![0].slice(0, 3), nearest![1], nearest![2], all];
}

/** A match: the provider, and where it is. */
interface Match {
  readonly place: Place;
  readonly provider: Provider;
}

/** All values of each facet: `[filters, how many matches have them]`, by filters. Facets with one value are left out. */
export type ReferenceFacets = Readonly<
  Record<string, readonly (readonly [string, number])[]>
>;

export function referenceFacets(
  matches: readonly Match[],
  operation: "search" | "nearby",
  isAnySlot: boolean,
): ReferenceFacets {
  const readings: Readonly<
    Record<Facet["name"], (match: Match) => object | null>
  > = {
    specialty: ({ provider: { primary_taxonomy: primary } }) => {
      const taxonomy = primary?.code.toUpperCase() ?? "";
      return isAnySlot || !/^[0-9A-Z]{10}$/.test(taxonomy)
        ? null
        : { taxonomy };
    },
    city: ({ place: { city, state } }) =>
      operation === "nearby" || state === null || city === ""
        ? null
        : { city: city.split(" ").join(""), state },
    entity_type: ({ provider: { entity_type } }) =>
      entity_type === null ? null : { entity_type },
    status: ({ provider: { status } }) => ({ status }),
  };
  const facets: Record<string, readonly (readonly [string, number])[]> = {};
  for (const [name, read] of Object.entries(readings)) {
    const counts = new Map<string, number>();
    for (const match of matches) {
      const filters = read(match);
      if (filters === null) continue;
      const key = JSON.stringify(filters);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    if (counts.size > 1)
      facets[name] = [...counts].sort(([a], [b]) => compareText(a, b));
  }
  return facets;
}

/** Compares facets with those of the reference: the totals of all that are listed, and that these are the largest. */
export function differencesIn(
  facets: readonly Facet[],
  reference: ReferenceFacets,
  most: number,
): string[] {
  const problems: string[] = [];
  const names = facets.map(({ name }) => name);
  if (names.join() !== Object.keys(reference).join())
    problems.push(`facets ${names.join()}: ${Object.keys(reference).join()}`);
  for (const { name, values } of facets) {
    const totals = new Map(reference[name]);
    for (const { filters, total } of values)
      if (totals.get(keyOf(filters)) !== total)
        problems.push(`${name} ${keyOf(filters)}: ${total}`);
    const largest = [...totals.values()].sort((a, b) => b - a).slice(0, most);
    const listed = values.map(({ total }) => total);
    if (listed.join() !== largest.join())
      problems.push(`${name}: ${listed.join()}, not ${largest.join()}`);
  }
  return problems;
}

/** A city is compared as it is sorted, and without spaces. */
function keyOf({
  city,
  ...others
}: Facet["values"][number]["filters"]): string {
  const compared = city && referenceCity(city).split(" ").join("");
  return JSON.stringify({ city: compared, ...others });
}
