import {
  centroidsAround,
  type CentroidsInRadius,
} from "./centroids-in-radius.ts";
import {
  Distances,
  locatedZip,
  PRIMARY_LOCATION,
  type NearbyDoc,
} from "./distances.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { ZipRanges } from "../../snapshot/places/located-zips.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { NearbyPlan } from "./plan-nearby.ts";

/** Radius of the first circle, and its growth until it contains the page. */
const FIRST_RADIUS_MILES = 8;
const RADIUS_GROWTH = 3;

/**
 * The page of a nearby query: each provider once, at its nearest location; by distance, then by NPI. Without
 * `locations` in the plan, all providers are at their primary location.
 */
export function findNearby(snapshot: Snapshot, plan: NearbyPlan): NearbyDoc[] {
  return plan.candidates === null
    ? new Rings(snapshot, plan).page()
    : fromCandidates(snapshot, plan, plan.candidates);
}

/** The page if there are few candidates: computes all distances and sorts them. */
function fromCandidates(
  snapshot: Snapshot,
  { filter, locations, query }: NearbyPlan,
  candidates: readonly Uint32Array[],
): NearbyDoc[] {
  const { npi } = snapshot;
  const distances = new Distances(snapshot, query);
  const found: NearbyDoc[] = [];
  for (const docs of candidates) {
    for (const doc of docs) {
      if (!filter.admits(doc)) continue;
      const nearest = distances.nearest(doc, locations, query.radius);
      if (nearest !== null) found.push(nearest);
    }
  }
  found.sort((a, b) => a.miles - b.miles || npi[a.doc]! - npi[b.doc]!);
  const offset = (query.page - 1) * query.limit;
  return found.slice(offset, offset + query.limit);
}

/** A document found at a location other than its primary one. */
interface Elsewhere {
  readonly doc: number;
  readonly location: number;
}

const NOWHERE_ELSE: readonly Elsewhere[] = [];

/** The ZIPs around the center, ring by ring, and what was found so far. */
class Rings {
  readonly #snapshot: Snapshot;
  readonly #plan: NearbyPlan;
  /** The ZIPs visited, by number. This and the next two stay empty if there are only primary locations. */
  readonly #met = new Set<number>();
  /** Documents found elsewhere, which must not be found again at their primary location. */
  readonly #elsewhere = new Set<number>();
  /** Per unvisited ZIP, the number of its documents that were found elsewhere. */
  readonly #hidden = new Map<number, number>();

  constructor(snapshot: Snapshot, plan: NearbyPlan) {
    this.#snapshot = snapshot;
    this.#plan = plan;
  }

  page(): NearbyDoc[] {
    const { center, limit, page, radius: radiusMiles } = this.#plan.query;
    const found: NearbyDoc[] = [];
    let skip = (page - 1) * limit;
    let inner = -1;
    for (
      let outer = Math.min(FIRST_RADIUS_MILES, radiusMiles);
      inner < radiusMiles && found.length < limit;
      outer = Math.min(outer * RADIUS_GROWTH, radiusMiles)
    ) {
      const { centroids } = this.#snapshot;
      const zips = centroidsAround(centroids, center, outer, inner);
      for (let start = 0; start < zips.length && found.length < limit;) {
        const { miles } = zips[start]!;
        let end = start;
        while (end < zips.length && zips[end]!.miles === miles) end++;
        skip -= this.#append(found, zips, start, end, skip);
        start = end;
      }
      inner = outer;
    }
    return found;
  }

  /** Appends the results at the ZIPs `start` to `end` - 1, all at the same distance. Returns how many were skipped. */
  #append(
    found: NearbyDoc[],
    zips: readonly CentroidsInRadius[],
    start: number,
    end: number,
    skip: number,
  ): number {
    const { centroids, locatedZips } = this.#snapshot;
    const { ranges } = locatedZips;
    let count = 0;
    for (let i = start; i < end; i++)
      count += this.#plan.filter.countAt(ranges, zips[i]!.index);
    let elsewhere = NOWHERE_ELSE;
    if (this.#plan.locations !== null) {
      const ringZips = zips
        .slice(start, end)
        .map(({ index }) => centroids.zips[index]!);
      elsewhere = this.#foundElsewhere(ringZips);
      count += elsewhere.length;
      for (const zip of ringZips) count -= this.#hidden.get(zip) ?? 0;
    }
    if (count <= skip) return count;
    const { miles } = zips[start]!;
    const here: NumberRange[] = [];
    for (let i = start; i < end; i++)
      here.push(...rangesAt(ranges, zips[i]!.index));
    this.#appendMerged(found, here, elsewhere, skip, miles);
    return skip;
  }

  /** The documents with another location at these ZIPs and no nearer or equally near primary one; by NPI. */
  #foundElsewhere(zips: readonly number[]): Elsewhere[] {
    const { locations } = this.#plan;
    if (locations === null) return [];
    const { npi } = this.#snapshot;
    for (const zip of zips) this.#met.add(zip);
    const first = new Map<number, number>();
    for (const zip of zips) {
      for (const location of locations.ofZip(zip)) {
        const doc = locations.docs[location]!;
        const known = first.get(doc);
        if (known !== undefined) first.set(doc, Math.min(known, location));
        else if (this.#isNew(doc)) first.set(doc, location);
      }
    }
    for (const doc of first.keys()) {
      this.#elsewhere.add(doc);
      const primary = locatedZip(this.#snapshot, doc);
      this.#hidden.set(primary, (this.#hidden.get(primary) ?? 0) + 1);
    }
    return Array.from(first, ([doc, location]) => ({ doc, location })).sort(
      (a, b) => npi[a.doc]! - npi[b.doc]!,
    );
  }

  #isNew(doc: number): boolean {
    return (
      this.#plan.filter.admits(doc) &&
      !this.#elsewhere.has(doc) &&
      !this.#met.has(locatedZip(this.#snapshot, doc))
    );
  }

  /**
   * Appends, by NPI, the documents of ranges that pass and those found elsewhere, after skipping `skip`, until the page
   * is full. Documents of a range ascend by NPI, so the ranges are merged only as far as the page needs.
   */
  #appendMerged(
    found: NearbyDoc[],
    ranges: readonly NumberRange[],
    elsewhere: readonly Elsewhere[],
    skip: number,
    miles: number,
  ): void {
    const { npi } = this.#snapshot;
    const { limit } = this.#plan.query;
    const heads = ranges
      .map(({ from, to }) => ({ doc: this.#next(from, to), to }))
      .filter(({ doc, to }) => doc < to);
    let other = 0;
    for (let left = skip; found.length < limit; left--) {
      const next = elsewhere[other];
      let doc = next === undefined ? -1 : next.doc;
      let location = next === undefined ? PRIMARY_LOCATION : next.location;
      let from = -1;
      for (let i = 0; i < heads.length; i++) {
        const head = heads[i]!.doc;
        if (doc >= 0 && npi[doc]! < npi[head]!) continue;
        doc = head;
        location = PRIMARY_LOCATION;
        from = i;
      }
      if (doc < 0) break;
      if (left <= 0) found.push({ doc, miles, location });
      const head = heads[from];
      if (head === undefined) other++;
      else {
        head.doc = this.#next(head.doc + 1, head.to);
        if (head.doc === head.to) heads.splice(from, 1);
      }
    }
  }

  /** The first document from `from` on that passes and was not found elsewhere, or `to`. */
  #next(from: number, to: number): number {
    const { filter } = this.#plan;
    let doc = from;
    while (doc < to && !(filter.admits(doc) && !this.#elsewhere.has(doc)))
      doc++;
    return doc;
  }
}

/** The ranges of a ZIP's documents. */
function rangesAt(
  { from, starts, to }: ZipRanges,
  index: number,
): NumberRange[] {
  const ranges: NumberRange[] = [];
  for (let range = starts[index]!; range < starts[index + 1]!; range++)
    ranges.push({ from: from[range]!, to: to[range]! });
  return ranges;
}
