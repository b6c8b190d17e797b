import { eachCentroidAround } from "./centroids-in-radius.ts";
import { locationsFor } from "./distances.ts";
import { findSet } from "../evaluate/match.ts";
import { planQuery } from "../plan/plan-query.ts";
import type { Planning } from "../plan/planning.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { OtherLocations } from "../../snapshot/extended/other-locations.ts";
import type { LocatedZips } from "../../snapshot/places/located-zips.ts";
import type { NearbyQuery } from "../query.ts";

/** All matches of a nearby query, regardless of the page. */
export interface NearbyMatches {
  /** The documents that pass the filters, wherever they are. Valid until the next search starts. */
  readonly matches: BitSet;
  /** The number of them that are found at each ZIP in the circle, by index of the centroid. */
  readonly counts: Uint32Array;
}

export function nearbyMatches(
  planning: Planning,
  query: NearbyQuery,
): NearbyMatches {
  const { snapshot, workspace } = planning;
  const { locatedZips: zips } = snapshot;
  const { center, radius } = query;
  const miles = new Float64Array(zips.size).fill(Infinity);
  eachCentroidAround(snapshot.centroids, center, radius, (index, far) => {
    miles[index] = far;
  });
  const plan = planQuery(planning, "nearby", query);
  const matches = findSet(snapshot, plan, workspace);
  if (plan.ranges.length === 0)
    return { matches, counts: new Uint32Array(zips.size) };
  const counts = zips.count(matches);
  const locations = locationsFor(snapshot, query);
  if (locations !== null)
    moveToNearest(counts, matches, locations, zips, miles);
  for (let index = 0; index < counts.length; index++)
    if (miles[index] === Infinity) counts[index] = 0;
  return { matches, counts };
}

/** Returns the matches that a nearby query finds, of those of `nearbyMatches`. Valid until the next search starts. */
export function withinCircle(
  { snapshot, workspace }: Planning,
  query: NearbyQuery,
  matches: BitSet,
): BitSet {
  const { centroids, locatedZips } = snapshot;
  const { from, starts, to } = locatedZips.ranges;
  const found = workspace.scratch();
  found.clear();
  const others = locationsFor(snapshot, query);
  eachCentroidAround(centroids, query.center, query.radius, (index) => {
    for (let range = starts[index]!; range < starts[index + 1]!; range++)
      found.addRange(from[range]!, to[range]!);
    for (const location of others?.ofZip(centroids.zips[index]!) ?? [])
      found.add(others!.docs[location]!);
  });
  found.intersect(matches);
  return found;
}

/**
 * Counts matches at their nearest location instead of the primary one. `miles` has the distance of each ZIP, Infinity
 * outside of the circle.
 */
function moveToNearest(
  counts: Uint32Array,
  matches: BitSet,
  { docs, zips: zipOf }: OtherLocations,
  zips: LocatedZips,
  miles: Float64Array,
): void {
  const milesOfZip = zips.byNumber(miles, Infinity);
  const primaryOf = zips.ascending();
  let doc = -1;
  let nearest = 0;
  let least = Infinity;
  const move = (): void => {
    if (doc < 0 || !matches.has(doc)) return;
    const primary = primaryOf(doc);
    if (primary >= 0) {
      if (miles[primary]! <= least) return;
      counts[primary]!--;
    }
    counts[zips.indexOf(nearest)]!++;
  };
  for (let at = 0; at < docs.length; at++) {
    const far = milesOfZip[zipOf[at]!]!;
    if (far === Infinity) continue;
    if (docs[at] !== doc) {
      move();
      doc = docs[at]!;
    } else if (far >= least) continue;
    least = far;
    nearest = zipOf[at]!;
  }
  move();
}
