import {
  filtersOf,
  MAX_MAP_PLACES,
  MAX_MAP_ROWS,
  type FilteredOperation,
} from "../../contract/filters.ts";
import type { FilterValues } from "../../contract/parameters/filter-schemas.ts";
import type {
  Facet,
  MapBounds,
  MapPlace,
} from "../../contract/explorer/map.ts";
import { centroidIndex } from "../../snapshot/places/centroids.ts";
import { findSet } from "../evaluate/match.ts";
import type { Nearby } from "../nearby.ts";
import { nearbyMatches, withinCircle } from "../nearby/nearby-counts.ts";
import { planQuery } from "../plan/plan-query.ts";
import type { Planning } from "../plan/planning.ts";
import type { Hit, NearbyQuery, Point } from "../query.ts";
import { largestCities, mapRows, type MapRows } from "./map-places.ts";
import { DisplayPoints } from "./display-points.ts";
import { Facets } from "./facets.ts";

/** The counts of this many queries are kept, so that moving the map is cheap: 170 KB each. */
const KEPT_QUERIES = 8;

/** The places of a query's matches. */
export interface MapCounts {
  /** The total number of matches. */
  readonly total: number;
  /** The number of those with a ZIP that has a centroid. */
  readonly located: number;
  /** The number at each ZIP, by index of the centroid. */
  readonly byZip: Uint32Array;
  readonly facets: readonly Facet[];
}

/** Counts all matches of queries by ZIP, and places hits, for maps. One for each directory. */
export class ZipCounts {
  readonly points: DisplayPoints;
  readonly facets: Facets;
  readonly #planning: Planning;
  readonly #nearby: Nearby;
  #places: readonly MapPlace[] | null = null;
  /** The least recently used one comes first. */
  readonly #kept = new Map<string, MapCounts>();

  constructor(planning: Planning, nearby: Nearby) {
    this.points = new DisplayPoints(planning.snapshot.centroids);
    this.facets = new Facets(planning.snapshot);
    this.#planning = planning;
    this.#nearby = nearby;
  }

  /** Counts the matches of a search, each at its primary location. */
  search(query: FilterValues): MapCounts {
    return this.#keep(keyOf("search", query), () => {
      const { snapshot, workspace } = this.#planning;
      workspace.begin();
      const plan = planQuery(this.#planning, "search", query);
      const matches = findSet(snapshot, plan, workspace);
      const byZip = snapshot.locatedZips.count(matches);
      return {
        total: matches.count(0, snapshot.count),
        located: sumOf(byZip),
        byZip,
        facets: this.facets.count(matches, "search", query),
      };
    });
  }

  /** Counts the matches of a nearby query, each at the nearest location that the query's `location_scope` allows. */
  nearby(query: NearbyQuery): MapCounts {
    const { center, radius } = query;
    const key = keyOf("nearby", query, center.lat, center.lng, radius);
    return this.#keep(key, () => {
      this.#planning.workspace.begin();
      const { counts, matches } = nearbyMatches(this.#planning, query);
      const total = sumOf(counts);
      const facets =
        total === 0
          ? []
          : this.facets.count(
              withinCircle(this.#planning, query, matches),
              "nearby",
              query,
            );
      return { total, located: total, byZip: counts, facets };
    });
  }

  rows(
    { byZip }: MapCounts,
    bounds: MapBounds | null,
    most = MAX_MAP_ROWS,
  ): MapRows {
    const { zips } = this.#planning.snapshot.centroids;
    return mapRows(zips, this.points, byZip, bounds, most);
  }

  /** Returns where a map draws a hit: at its primary location, unless the hit says otherwise; null if unknown. */
  pointOf({ doc, matched = "primary" }: Hit): Point | null {
    const { snapshot } = this.#planning;
    const zip =
      matched === "primary"
        ? this.#nearby.zipOf(doc)
        : Number(matched.postal_code?.slice(0, 5) ?? "");
    const index = centroidIndex(snapshot.centroids, zip);
    return index < 0 ? null : this.points.at(index);
  }

  /** The cities with the most providers, for the map's labels. */
  get places(): readonly MapPlace[] {
    const { locatedZips, places } = this.#planning.snapshot;
    return (this.#places ??= largestCities(
      places,
      locatedZips,
      this.points,
      MAX_MAP_PLACES,
    ));
  }

  #keep(key: string, count: () => MapCounts): MapCounts {
    const counts = this.#kept.get(key) ?? count();
    this.#kept.delete(key);
    this.#kept.set(key, counts);
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= KEPT_QUERIES) break;
      this.#kept.delete(oldest);
    }
    return counts;
  }
}

/** Distinguishes queries by what decides where their matches are. */
function keyOf(
  operation: FilteredOperation,
  query: FilterValues,
  ...circle: number[]
): string {
  const values = filtersOf(operation).map((name) => query[name]);
  return JSON.stringify([operation, values, circle]);
}

function sumOf(counts: Uint32Array): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
