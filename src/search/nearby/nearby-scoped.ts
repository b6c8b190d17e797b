import { centroidsAround, type Around } from "./centroids-in-radius.ts";
import { locatedZip } from "./located-zip.ts";
import { Distances } from "./nearby-lists.ts";
import {
  docsOfZips,
  FIRST_RADIUS_MILES,
  RADIUS_GROWTH,
  type NearbyDoc,
} from "./nearby.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { OtherLocations } from "../../snapshot/extended/other-locations.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { NearbyQuery } from "../query.ts";

/** At which of a provider's locations it was found: its number in `OtherLocations`, or this for the primary one. */
export const PRIMARY_LOCATION = -1;

export interface LocatedDoc extends NearbyDoc {
  location: number;
}

/** The filters of a nearby query, document by document. */
export interface NearbyFilter {
  admits(doc: number): boolean;
  /** How many documents of ranges pass. */
  count(ranges: readonly NumberRange[]): number;
}

/** What a nearby query with a scope of `any` asks for. */
export interface ScopedNearby {
  query: NearbyQuery;
  filter: NearbyFilter;
  /** All documents that may pass, where they are few: ascending, each once. */
  candidates: Uint32Array | null;
  /** Null where providers are found at their primary location alone. */
  locations: OtherLocations | null;
}

/**
 * The page of a nearby query in which a provider stands at the nearest of several locations: by distance, those at one
 * distance by NPI. Of locations at one distance the primary one counts, then the first.
 */
export function findNearbyScoped(
  snapshot: Snapshot,
  asked: ScopedNearby,
): LocatedDoc[] {
  return asked.candidates === null
    ? new Rings(snapshot, asked).page()
    : fromCandidates(snapshot, asked, asked.candidates);
}

function fromCandidates(
  snapshot: Snapshot,
  { filter, locations, query }: ScopedNearby,
  candidates: Uint32Array,
): LocatedDoc[] {
  const distances = new Distances(snapshot, query);
  const { npi } = snapshot;
  const found: LocatedDoc[] = [];
  for (const doc of candidates) {
    if (!filter.admits(doc)) continue;
    const nearest = nearestLocation(doc, distances, locations);
    if (nearest.miles <= query.radiusMiles) found.push(nearest);
  }
  found.sort((a, b) => a.miles - b.miles || npi[a.doc]! - npi[b.doc]!);
  const offset = (query.page - 1) * query.limit;
  return found.slice(offset, offset + query.limit);
}

/** At which of its locations a document is nearest; of several at one distance the primary one counts, then the first. */
export function nearestLocation(
  doc: number,
  distances: Distances,
  locations: OtherLocations | null,
): LocatedDoc {
  let miles = distances.milesTo(doc);
  let location = PRIMARY_LOCATION;
  if (locations !== null) {
    const { docs, zips } = locations;
    for (let at = locations.firstFrom(doc); docs[at] === doc; at++) {
      const far = distances.milesToZip(zips[at]!);
      if (far >= miles) continue;
      miles = far;
      location = at;
    }
  }
  return { doc, miles, location };
}

/** A document found at another location than its primary one. */
interface Elsewhere {
  doc: number;
  location: number;
}

/** The ZIPs around, ring by ring, and what was found in the rings so far. */
class Rings {
  readonly #snapshot: Snapshot;
  readonly #query: NearbyQuery;
  readonly #filter: NearbyFilter;
  readonly #locations: OtherLocations | null;
  /** The ZIPs met, by number. */
  readonly #met = new Set<number>();
  /** The documents found elsewhere, which their primary location must not find again. */
  readonly #elsewhere = new Set<number>();
  /** Per ZIP that was not met yet, how many of its documents were found elsewhere. */
  readonly #hidden = new Map<number, number>();

  constructor(
    snapshot: Snapshot,
    { filter, locations, query }: Omit<ScopedNearby, "candidates">,
  ) {
    this.#snapshot = snapshot;
    this.#query = query;
    this.#filter = filter;
    this.#locations = locations;
  }

  page(): LocatedDoc[] {
    const { center, limit, page, radiusMiles } = this.#query;
    const found: LocatedDoc[] = [];
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

  /** Appends what is at the ZIPs `start` to `end` - 1, all at one distance. Returns how many of them were skipped. */
  #append(
    found: LocatedDoc[],
    zips: readonly Around[],
    start: number,
    end: number,
    skip: number,
  ): number {
    const { zips: numbers } = this.#snapshot.centroids;
    const here = zips.slice(start, end).map(({ index }) => numbers[index]!);
    for (const zip of here) this.#met.add(zip);
    const elsewhere = this.#foundElsewhere(here);
    const ranges = docsOfZips(this.#snapshot, zips, start, end);
    const hidden = here.reduce(
      (sum, zip) => sum + (this.#hidden.get(zip) ?? 0),
      0,
    );
    const count = this.#filter.count(ranges) - hidden + elsewhere.length;
    if (count <= skip) return count;
    const { miles } = zips[start]!;
    const room = this.#query.limit - found.length;
    for (const { doc, location } of this.#merged(ranges, elsewhere, skip, room))
      found.push({ doc, location, miles });
    return skip;
  }

  /** The documents that have another location at ZIPs, and none that is nearer or as near as the primary one; by NPI. */
  #foundElsewhere(zips: readonly number[]): Elsewhere[] {
    const locations = this.#locations;
    if (locations === null) return [];
    const { npi } = this.#snapshot;
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
      !this.#elsewhere.has(doc) &&
      !this.#met.has(locatedZip(this.#snapshot, doc)) &&
      this.#filter.admits(doc)
    );
  }

  /** Of the documents of ranges that pass and of those found elsewhere, by NPI, those at `skip` to `skip + limit` - 1. */
  #merged(
    ranges: readonly NumberRange[],
    elsewhere: readonly Elsewhere[],
    skip: number,
    limit: number,
  ): Elsewhere[] {
    const { npi } = this.#snapshot;
    const heads = ranges
      .map(({ from, to }) => ({ doc: this.#next(from, to), to }))
      .filter(({ doc, to }) => doc < to);
    const page: Elsewhere[] = [];
    let other = 0;
    for (let left = skip; page.length < limit; left--) {
      let least = elsewhere[other];
      let from = -1;
      for (let i = 0; i < heads.length; i++) {
        const { doc } = heads[i]!;
        if (least !== undefined && npi[least.doc]! < npi[doc]!) continue;
        least = { doc, location: PRIMARY_LOCATION };
        from = i;
      }
      if (least === undefined) break;
      if (left <= 0) page.push(least);
      const head = heads[from];
      if (head === undefined) other++;
      else {
        head.doc = this.#next(head.doc + 1, head.to);
        if (head.doc === head.to) heads.splice(from, 1);
      }
    }
    return page;
  }

  /** The first document from `from` on that passes and was not found elsewhere, or `to`. */
  #next(from: number, to: number): number {
    let doc = from;
    while (doc < to && (this.#elsewhere.has(doc) || !this.#filter.admits(doc)))
      doc++;
    return doc;
  }
}
