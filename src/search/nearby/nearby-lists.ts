import { isMilitary } from "../../contract/states.ts";
import { centroidIndex } from "../../snapshot/places/centroids.ts";
import { haversineMiles } from "./haversine.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { DocFilter } from "./doc-filter.ts";
import type { NearbyDoc } from "./nearby.ts";
import type { NearbyQuery } from "../query.ts";

/** The page of a nearby query for rare taxonomies: the distances of all of their providers, put in order. */
export function nearbyFromLists(
  snapshot: Snapshot,
  query: NearbyQuery,
  taxonomies: Uint32Array,
  filter: DocFilter,
): NearbyDoc[] {
  const { npi, taxonomyDocs } = snapshot;
  const { items, starts } = taxonomyDocs;
  const distances = new Distances(snapshot, query);
  const found: NearbyDoc[] = [];
  for (const number of taxonomies) {
    for (let at = starts[number]!; at < starts[number + 1]!; at++) {
      const doc = items[at]!;
      if (!filter.admits(doc)) continue;
      const miles = distances.milesTo(doc);
      if (miles <= query.radiusMiles) found.push({ doc, miles });
    }
  }
  found.sort((a, b) => a.miles - b.miles || npi[a.doc]! - npi[b.doc]!);
  const offset = (query.page - 1) * query.limit;
  return found.slice(offset, offset + query.limit);
}

/** Miles from the centre, found once for documents of one place that come one after the other. */
export class Distances {
  readonly #snapshot: Snapshot;
  readonly #query: NearbyQuery;
  /** The place of the last document, whose documents end before `#placeEnd`. */
  #placeStart = 0;
  #placeEnd = 0;
  #placeMiles = Infinity;

  constructor(snapshot: Snapshot, query: NearbyQuery) {
    this.#snapshot = snapshot;
    this.#query = query;
  }

  /** Infinity for a document without a known centroid. */
  milesTo(doc: number): number {
    const { places } = this.#snapshot;
    if (doc >= places.placedDocs)
      return this.milesToZip(places.looseZip[doc - places.placedDocs]! - 1);
    if (doc < this.#placeStart || doc >= this.#placeEnd) {
      const place = places.placeOf(doc);
      this.#placeStart = places.starts[place]!;
      this.#placeEnd = places.starts[place + 1]!;
      this.#placeMiles = isMilitary(places.state[place]!)
        ? Infinity
        : this.milesToZip(places.zip[place]! - 1);
    }
    return this.#placeMiles;
  }

  /** `zip` is -1 for none. */
  milesToZip(zip: number): number {
    const { centroids } = this.#snapshot;
    const { lat, lng } = this.#query.center;
    const index = centroidIndex(centroids, zip);
    return index < 0
      ? Infinity
      : haversineMiles(lat, lng, centroids.lat[index]!, centroids.lng[index]!);
  }
}
