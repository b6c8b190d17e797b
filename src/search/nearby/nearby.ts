import {
  centroidsAround,
  eachCentroidAround,
  type CentroidsInRadius,
} from "./centroids-in-radius.ts";
import {
  Distances,
  locationsFor,
  PRIMARY_LOCATION,
  type NearbyDoc,
} from "./distances.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { ZipRanges } from "../../snapshot/places/located-zips.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { OtherLocations } from "../../snapshot/extended/other-locations.ts";
import type { Planning } from "../plan/planning.ts";
import type { NearbyQuery } from "../query.ts";
import { nearbyMatches } from "./nearby-counts.ts";
import { planNearby, type NearbyPlan } from "./plan-nearby.ts";
import { BitSet } from "../../snapshot/bytes/bitset.ts";
import { DocsByName, fewOf } from "../evaluate/docs-by-name.ts";
import { findUnranked } from "../evaluate/match.ts";
import { planQuery } from "../plan/plan-query.ts";

/** Radius of the first circle, and its growth until it contains the page. */
const FIRST_RADIUS_MILES = 8;
const RADIUS_GROWTH = 3;
/** In circles up to this radius, visiting the ZIPs takes less than finding all matches, wherever they are. */
const SMALL_MILES = 30;

/** Finds the page of a nearby query: each provider once, at its nearest location; by distance, then by NPI. */
export function findNearby(snapshot: Snapshot, plan: NearbyPlan): NearbyDoc[] {
  return plan.candidates === null
    ? new Rings(snapshot, plan).page()
    : fromCandidates(snapshot, plan, plan.candidates);
}

/** Counts all providers of a nearby query. */
export function totalNearby(planning: Planning, query: NearbyQuery): number {
  if (query.location_scope === "any" || query.radius > SMALL_MILES)
    return nearbyMatches(planning, query).counts.reduce(
      (sum, each) => sum + each,
      0,
    );
  const { snapshot } = planning;
  const { candidates, filter } = planNearby(planning, query);
  let total = 0;
  if (candidates !== null) {
    const distances = new Distances(snapshot, query);
    for (const docs of candidates)
      for (const doc of docs)
        if (filter.admits(doc) && distances.nearest(doc) !== null) total++;
    return total;
  }
  const { centroids, locatedZips } = snapshot;
  eachCentroidAround(centroids, query.center, query.radius, (index) => {
    total += filter.countAt(locatedZips.ranges, index);
  });
  return total;
}

/** Finds the page if there are few candidates: computes all distances and sorts them. */
function fromCandidates(
  snapshot: Snapshot,
  { filter, query }: NearbyPlan,
  candidates: readonly Uint32Array[],
): NearbyDoc[] {
  const { npi } = snapshot;
  const distances = new Distances(snapshot, query);
  const results: NearbyDoc[] = [];
  for (const docs of candidates) {
    for (const doc of docs) {
      if (!filter.admits(doc)) continue;
      const nearest = distances.nearest(doc);
      if (nearest !== null) results.push(nearest);
    }
  }
  results.sort((a, b) => a.miles - b.miles || npi[a.doc]! - npi[b.doc]!);
  const offset = (query.page - 1) * query.limit;
  return results.slice(offset, offset + query.limit);
}

/** Of a ring, the documents whose nearest location is not the primary one. */
interface Moved {
  /** Those that are found in the ring, by NPI. */
  readonly here: readonly NearbyDoc[];
  /** Those whose primary location is in the ring. They are found nearer. */
  readonly away: ReadonlySet<number>;
}

const NONE_MOVED: Moved = { here: [], away: new Set() };

/** The ZIPs around the center, ring by ring: those of a ring are equally far. */
class Rings {
  readonly #snapshot: Snapshot;
  readonly #plan: NearbyPlan;
  readonly #locations: OtherLocations | null;
  readonly #distances: Distances;

  constructor(snapshot: Snapshot, plan: NearbyPlan) {
    this.#snapshot = snapshot;
    this.#plan = plan;
    this.#locations = locationsFor(snapshot, plan.query);
    this.#distances = new Distances(snapshot, plan.query);
  }

  page(): NearbyDoc[] {
    const { center, limit, page, radius: radiusMiles } = this.#plan.query;
    const results: NearbyDoc[] = [];
    let skip = (page - 1) * limit;
    let inner = -1;
    for (
      let outer = Math.min(FIRST_RADIUS_MILES, radiusMiles);
      inner < radiusMiles && results.length < limit;
      outer = Math.min(outer * RADIUS_GROWTH, radiusMiles)
    ) {
      const { centroids } = this.#snapshot;
      const zips = centroidsAround(centroids, center, outer, inner);
      for (let start = 0; start < zips.length && results.length < limit;) {
        const { miles } = zips[start]!;
        let end = start;
        while (end < zips.length && zips[end]!.miles === miles) end++;
        skip -= this.#append(results, zips, start, end, skip);
        start = end;
      }
      inner = outer;
    }
    return results;
  }

  /** Appends the results at the ZIPs `start` to `end` - 1, all at the same distance. Returns how many were skipped. */
  #append(
    results: NearbyDoc[],
    zips: readonly CentroidsInRadius[],
    start: number,
    end: number,
    skip: number,
  ): number {
    const { ranges } = this.#snapshot.locatedZips;
    const { counts, filter } = this.#plan;
    let count = 0;
    for (let i = start; i < end; i++) {
      const { index } = zips[i]!;
      count += counts === null ? filter.countAt(ranges, index) : counts[index]!;
    }
    if (counts !== null && count <= skip) return count;
    let moved = NONE_MOVED;
    if (this.#locations !== null) {
      moved = this.#movedIn(this.#locations, zips.slice(start, end));
      if (counts === null) count += moved.here.length - moved.away.size;
    }
    if (count <= skip) return count;
    const { miles } = zips[start]!;
    const here: NumberRange[] = [];
    for (let i = start; i < end; i++)
      here.push(...rangesAt(ranges, zips[i]!.index));
    this.#appendMerged(results, here, moved, skip, miles);
    return skip;
  }

  #movedIn(
    locations: OtherLocations,
    zips: readonly CentroidsInRadius[],
  ): Moved {
    const { centroids, locatedZips, npi } = this.#snapshot;
    const { docs, zips: zipOf } = locations;
    const { filter } = this.#plan;
    const distances = this.#distances;
    const here: NearbyDoc[] = [];
    const away = new Set<number>();
    for (const { index, miles } of zips) {
      for (const location of locations.ofZip(centroids.zips[index]!)) {
        const doc = docs[location]!;
        if (!filter.admits(doc)) continue;
        const nearest = distances.nearest(doc, location);
        if (nearest?.location === location) here.push(nearest);
      }
      for (const { from, to } of rangesAt(locatedZips.ranges, index))
        for (let at = locations.firstFrom(from); docs[at]! < to; at++)
          if (
            distances.milesToZip(zipOf[at]!) < miles &&
            filter.admits(docs[at]!)
          )
            away.add(docs[at]!);
    }
    here.sort((a, b) => npi[a.doc]! - npi[b.doc]!);
    return { here, away };
  }

  /**
   * Appends, by NPI, the documents of ranges that pass and are not away and those found elsewhere, after skipping
   * `skip`, until the page is full. Documents of a range ascend by NPI, so the ranges are merged only as far as the
   * page needs.
   */
  #appendMerged(
    results: NearbyDoc[],
    ranges: readonly NumberRange[],
    { away, here }: Moved,
    skip: number,
    miles: number,
  ): void {
    const { npi } = this.#snapshot;
    const { limit } = this.#plan.query;
    const heads = ranges
      .map(({ from, to }) => ({ doc: this.#next(from, to, away), to }))
      .filter(({ doc, to }) => doc < to);
    let other = 0;
    for (let left = skip; results.length < limit; left--) {
      const elsewhere = here[other];
      let doc = elsewhere?.doc ?? -1;
      let from = -1;
      for (let i = 0; i < heads.length; i++) {
        const head = heads[i]!.doc;
        if (doc >= 0 && npi[doc]! < npi[head]!) continue;
        doc = head;
        from = i;
      }
      if (doc < 0) break;
      const head = heads[from];
      if (left <= 0)
        results.push(
          head === undefined
            ? elsewhere!
            : { doc, miles, location: PRIMARY_LOCATION },
        );
      if (head === undefined) other++;
      else {
        head.doc = this.#next(head.doc + 1, head.to, away);
        if (head.doc === head.to) heads.splice(from, 1);
      }
    }
  }

  /** Finds the first document from `from` on that passes and is not away, or `to`. */
  #next(from: number, to: number, away: ReadonlySet<number>): number {
    const { filter } = this.#plan;
    let doc = from;
    while (doc < to && !(filter.admits(doc) && !away.has(doc))) doc++;
    return doc;
  }
}

/** Lists the ranges of a ZIP's documents. */
function rangesAt(
  { from, starts, to }: ZipRanges,
  index: number,
): NumberRange[] {
  const ranges: NumberRange[] = [];
  for (let range = starts[index]!; range < starts[index + 1]!; range++)
    ranges.push({ from: from[range]!, to: to[range]! });
  return ranges;
}

/** Finds the page of a nearby query by name: each provider once, at its nearest location. */
export function findNearbyByName(
  planning: Planning,
  query: NearbyQuery,
): NearbyDoc[] {
  const { snapshot, workspace } = planning;
  const { limit, page } = query;
  const distances = new Distances(snapshot, query);
  const nearest = (doc: number) => distances.nearest(doc);
  const plan = planQuery(planning, "nearby", query);
  const most = fewOf(snapshot);
  const matches = findUnranked(snapshot, plan, workspace, most);
  let near: Uint32Array | BitSet;
  if (matches instanceof BitSet) {
    const around = workspace.scratch();
    around.clear();
    addAround(around, snapshot, query);
    around.intersect(matches);
    const total = around.count(0, snapshot.count);
    near = total > most ? around : around.toArray(total);
  } else near = matches.filter((doc) => nearest(doc) !== null);
  return new DocsByName(snapshot, near, plan)
    .page((page - 1) * limit, limit)
    .map(nearest)
    .filter((doc) => doc !== null);
}

/** Adds the documents in a query's circle, whatever its filters. */
function addAround(docs: BitSet, snapshot: Snapshot, query: NearbyQuery): void {
  const { centroids, locatedZips } = snapshot;
  const { center, radius } = query;
  const { from, starts, to } = locatedZips.ranges;
  const locations = locationsFor(snapshot, query);
  eachCentroidAround(centroids, center, radius, (index) => {
    for (let range = starts[index]!; range < starts[index + 1]!; range++)
      docs.addRange(from[range]!, to[range]!);
    if (locations === null) return;
    for (const location of locations.ofZip(centroids.zips[index]!))
      docs.add(locations.docs[location]!);
  });
}
