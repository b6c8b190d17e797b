import { eachCentroidAround } from "./centroids-in-radius.ts";
import { Distances, locatedZip, PRIMARY_LOCATION } from "./distances.ts";
import { findSet } from "../evaluate/unranked.ts";
import { planQuery, type Planning } from "../plan/plan-query.ts";
import { locationsFor, planNearby, type NearbyPlan } from "./plan-nearby.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { OtherLocations } from "../../snapshot/extended/other-locations.ts";
import type { LocatedZips } from "../../snapshot/places/located-zips.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { NearbyQuery } from "../query.ts";

/**
 * If the circle has less than this share of all providers, only its ZIPs are visited. With more, finding all matches,
 * wherever they are, takes less.
 */
const SMALL_SHARE = 1 / 64;

/** The number of providers of a nearby query at each ZIP, by index of the centroid, regardless of the page. */
export function countNearby(
  planning: Planning,
  zips: LocatedZips,
  query: NearbyQuery,
): Uint32Array {
  const { snapshot, workspace } = planning;
  const circle: number[] = [];
  const miles = new Float64Array(zips.size).fill(Infinity);
  let docs = 0;
  eachCentroidAround(
    snapshot.centroids,
    query.center,
    query.radius,
    (index, far) => {
      circle.push(index);
      miles[index] = far;
      docs += zips.docs[index]!;
    },
  );
  if (docs < snapshot.count * SMALL_SHARE) {
    const plan = planNearby(planning, query);
    return plan.candidates === null
      ? countAround(snapshot, plan, zips, circle)
      : countCandidates(snapshot, plan, zips, plan.candidates);
  }
  const plan = planQuery(planning, "nearby", query);
  const matches = findSet(snapshot, plan, workspace);
  const counts = zips.count(matches);
  const locations = locationsFor(snapshot, query);
  if (locations !== null)
    moveToNearest(counts, matches, locations, zips, miles);
  for (let index = 0; index < counts.length; index++)
    if (miles[index] === Infinity) counts[index] = 0;
  return counts;
}

/**
 * Counts matches at their nearest location instead of the primary one. `miles` has the distance of each ZIP, Infinity
 * outside of the circle.
 */
function moveToNearest(
  counts: Uint32Array,
  matches: BitSet,
  locations: OtherLocations,
  zips: LocatedZips,
  miles: Float64Array,
): void {
  const { docs, zips: zipOf } = locations;
  const primaryOf = zips.ascending();
  for (let at = 0; at < docs.length;) {
    const doc = docs[at]!;
    if (!matches.has(doc)) {
      at++;
      continue;
    }
    const primary = primaryOf(doc);
    let nearest = primary;
    let least = primary < 0 ? Infinity : miles[primary]!;
    for (; docs[at] === doc; at++) {
      const index = zips.indexOf(zipOf[at]!);
      const far = index < 0 ? Infinity : miles[index]!;
      if (far >= least) continue;
      least = far;
      nearest = index;
    }
    if (nearest === primary) continue;
    counts[nearest]!++;
    if (primary >= 0) counts[primary]!--;
  }
}

function countCandidates(
  snapshot: Snapshot,
  { filter, locations, query }: NearbyPlan,
  zips: LocatedZips,
  candidates: readonly Uint32Array[],
): Uint32Array {
  const distances = new Distances(snapshot, query.center);
  const counts = new Uint32Array(zips.size);
  for (const docs of candidates) {
    for (const doc of docs) {
      if (!filter.admits(doc)) continue;
      const nearest = distances.nearest(doc, locations, query.radius);
      if (nearest === null) continue;
      const zip =
        nearest.location === PRIMARY_LOCATION
          ? locatedZip(snapshot, doc)
          : locations!.zips[nearest.location]!;
      counts[zips.indexOf(zip)]!++;
    }
  }
  return counts;
}

/** Counts primary locations ZIP by ZIP, then moves providers to other locations that are nearer. */
function countAround(
  snapshot: Snapshot,
  { filter, locations, query }: NearbyPlan,
  zips: LocatedZips,
  circle: readonly number[],
): Uint32Array {
  const { centroids, places } = snapshot;
  const counts = new Uint32Array(zips.size);
  const elsewhere = new Set<number>();
  for (const index of circle) {
    const zip = centroids.zips[index]!;
    counts[index]! += filter.count(places.locatedDocsOfZip(zip));
    for (const location of locations?.ofZip(zip) ?? []) {
      const doc = locations!.docs[location]!;
      if (filter.admits(doc)) elsewhere.add(doc);
    }
  }
  const distances = new Distances(snapshot, query.center);
  for (const doc of elsewhere) {
    const nearest = distances.nearest(doc, locations, query.radius);
    if (nearest === null || nearest.location === PRIMARY_LOCATION) continue;
    counts[zips.indexOf(locations!.zips[nearest.location]!)]!++;
    if (distances.milesTo(doc) <= query.radius)
      counts[zips.indexOf(locatedZip(snapshot, doc))]!--;
  }
  return counts;
}
