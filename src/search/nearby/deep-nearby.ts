import {
  centroidsAround,
  type CentroidsInRadius,
} from "./centroids-in-radius.ts";
import { Distances, type NearbyDoc } from "./distances.ts";
import { nearbyMatches } from "./nearby-counts.ts";
import { locationsFor } from "./plan-nearby.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { OtherLocations } from "../../snapshot/extended/other-locations.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { Planning } from "../plan/planning.ts";
import type { NearbyQuery } from "../query.ts";

/** Pages that begin after this share of all providers are deep. */
const DEEP_SHARE = 1 / 64;

/**
 * Whether the rings before a page have so many other locations that counting all matches takes less than visiting
 * those.
 */
export function isDeep(
  { count }: Snapshot,
  { limit, location_scope: scope, page }: NearbyQuery,
): boolean {
  return scope === "any" && (page - 1) * limit > count * DEEP_SHARE;
}

/**
 * Finds the same page as `findNearby`: skips rings by the number of their providers, and visits only those of the page.
 */
export function findDeepNearby(
  planning: Planning,
  query: NearbyQuery,
): NearbyDoc[] {
  const { snapshot } = planning;
  const { center, limit, page, radius } = query;
  const { counts, matches } = nearbyMatches(planning, query);
  const around = centroidsAround(snapshot.centroids, center, radius);
  const found: NearbyDoc[] = [];
  let skip = (page - 1) * limit;
  for (let start = 0; start < around.length && found.length < limit;) {
    let end = start;
    let count = 0;
    while (end < around.length && around[end]!.miles === around[start]!.miles)
      count += counts[around[end++]!.index]!;
    if (count > skip) {
      const ring = foundAt(snapshot, query, matches, around.slice(start, end));
      found.push(...ring.slice(skip, skip + limit - found.length));
    }
    skip = Math.max(0, skip - count);
    start = end;
  }
  return found;
}

/** The matches that are found at some ZIPs, all at the same distance; by NPI. */
function foundAt(
  snapshot: Snapshot,
  query: NearbyQuery,
  matches: BitSet,
  ring: readonly CentroidsInRadius[],
): NearbyDoc[] {
  const { centroids, locatedZips, npi } = snapshot;
  const { from, starts, to } = locatedZips.ranges;
  const locations = locationsFor(snapshot, query);
  const docs = new Set<number>();
  for (const { index } of ring) {
    for (let range = starts[index]!; range < starts[index + 1]!; range++)
      for (let doc = from[range]!; doc < to[range]!; doc++)
        if (matches.has(doc)) docs.add(doc);
    for (const doc of docsElsewhere(locations, centroids.zips[index]!))
      if (matches.has(doc)) docs.add(doc);
  }
  const distances = new Distances(snapshot, query);
  const [{ miles } = { miles: 0 }] = ring;
  return Array.from(docs, (doc) =>
    distances.nearest(doc, locations, query.radius),
  )
    .filter((nearest) => nearest !== null)
    .filter((nearest) => nearest.miles === miles)
    .sort((a, b) => npi[a.doc]! - npi[b.doc]!);
}

/** The documents with another location at a ZIP. */
function docsElsewhere(
  locations: OtherLocations | null,
  zip: number,
): Uint32Array {
  return (
    locations?.ofZip(zip).map((location) => locations.docs[location]!) ??
    new Uint32Array(0)
  );
}
