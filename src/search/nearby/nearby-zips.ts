import { centroidsAround } from "./centroids-in-radius.ts";
import {
  Distances,
  locatedZip,
  PRIMARY_LOCATION,
  type NearbyDoc,
} from "./distances.ts";
import type { OtherLocations } from "../../snapshot/extended/other-locations.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { NearbyZips, ZipCount } from "../query.ts";
import type { NearbyPlan } from "./plan-nearby.ts";

/**
 * The number of providers of a nearby query at each ZIP, regardless of the page: by distance, then by ZIP. Lists at
 * most `most` ZIPs; the total includes all.
 */
export function findNearbyZips(
  snapshot: Snapshot,
  plan: NearbyPlan,
  most: number,
): NearbyZips {
  const counts =
    plan.candidates === null
      ? countAround(snapshot, plan)
      : countCandidates(snapshot, plan, plan.candidates);
  const { centroids } = snapshot;
  const { center, radius: radiusMiles } = plan.query;
  const zips: ZipCount[] = [];
  let total = 0;
  let found = 0;
  for (const { index } of centroidsAround(centroids, center, radiusMiles)) {
    const zip = centroids.zips[index]!;
    const count = counts.get(zip) ?? 0;
    if (count === 0) continue;
    total += count;
    found++;
    if (zips.length === most) continue;
    zips.push({
      zip: String(zip).padStart(5, "0"),
      lat: centroids.lat[index]!,
      lng: centroids.lng[index]!,
      count,
    });
  }
  return { zips, total, isTruncated: found > zips.length };
}

function countCandidates(
  snapshot: Snapshot,
  { filter, locations, query }: NearbyPlan,
  candidates: readonly Uint32Array[],
): Map<number, number> {
  const distances = new Distances(snapshot, query.center);
  const counts = new Map<number, number>();
  for (const docs of candidates) {
    for (const doc of docs) {
      if (!filter.admits(doc)) continue;
      const nearest = distances.nearest(doc, locations, query.radius);
      if (nearest !== null) add(counts, zipOf(snapshot, nearest, locations), 1);
    }
  }
  return counts;
}

/** Counts primary locations ZIP by ZIP, then moves providers to other locations that are nearer. */
function countAround(
  snapshot: Snapshot,
  { filter, locations, query }: NearbyPlan,
): Map<number, number> {
  const { centroids, places } = snapshot;
  const { center, radius: radiusMiles } = query;
  const counts = new Map<number, number>();
  const elsewhere = new Set<number>();
  for (const { index } of centroidsAround(centroids, center, radiusMiles)) {
    const zip = centroids.zips[index]!;
    add(counts, zip, filter.count(places.locatedDocsOfZip(zip)));
    for (const location of locations?.ofZip(zip) ?? []) {
      const doc = locations!.docs[location]!;
      if (filter.admits(doc)) elsewhere.add(doc);
    }
  }
  const distances = new Distances(snapshot, center);
  for (const doc of elsewhere) {
    const nearest = distances.nearest(doc, locations, radiusMiles);
    if (nearest === null || nearest.location === PRIMARY_LOCATION) continue;
    add(counts, zipOf(snapshot, nearest, locations), 1);
    if (distances.milesTo(doc) <= radiusMiles)
      add(counts, locatedZip(snapshot, doc), -1);
  }
  return counts;
}

/** The ZIP of the location at which a document was found; it has a known centroid. */
function zipOf(
  snapshot: Snapshot,
  { doc, location }: NearbyDoc,
  locations: OtherLocations | null,
): number {
  return location === PRIMARY_LOCATION
    ? locatedZip(snapshot, doc)
    : locations!.zips[location]!;
}

function add(counts: Map<number, number>, zip: number, count: number): void {
  counts.set(zip, (counts.get(zip) ?? 0) + count);
}
