import { isMilitary } from "../registry/states.ts";
import { centroidIndex } from "../snapshot/centroids.ts";
import { itemsOf } from "../snapshot/postings.ts";
import { centroidsAround, type Around } from "./around.ts";
import { DocFilter } from "./doc-filter.ts";
import type { NumberRange } from "../snapshot/dictionary.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { NearbyQuery } from "./query.ts";

/** Below this many providers of the taxonomies asked for, each one's distance is looked up; else ZIPs are scanned. */
const FEW_LISTED = 20_000;
/** The first circle, and how it grows until it holds the page. */
const FIRST_RADIUS_MILES = 8;
const RADIUS_GROWTH = 3;

/** A provider near the centre; `miles` unrounded. */
export interface NearbyDoc {
  doc: number;
  miles: number;
}

/** The page of a nearby query: by distance, those at one distance by NPI. `taxonomies` null admits any and none. */
export function findNearby(
  snapshot: Snapshot,
  query: NearbyQuery,
  taxonomies: Uint32Array | null,
): NearbyDoc[] {
  const filter = new DocFilter(snapshot, query, taxonomies);
  const listed =
    taxonomies === null ? Infinity : listedCount(snapshot, taxonomies);
  if (listed === 0) return [];
  const end = query.page * query.limit;
  if (taxonomies !== null && listed <= FEW_LISTED)
    return fromLists(snapshot, query, taxonomies, filter);
  for (let radius = FIRST_RADIUS_MILES; ; radius *= RADIUS_GROWTH) {
    const isWhole = radius >= query.radiusMiles;
    const zips = centroidsAround(
      snapshot.centroids,
      query.center,
      Math.min(radius, query.radiusMiles),
    );
    const page = fromZips(
      snapshot,
      zips,
      filter,
      end - query.limit,
      query.limit,
    );
    if (isWhole || page.length === query.limit) return page;
  }
}

function listedCount(
  { taxonomyDocs }: Snapshot,
  taxonomies: Uint32Array,
): number {
  return taxonomies.reduce(
    (count, number) => count + itemsOf(taxonomyDocs, number).length,
    0,
  );
}

/** The page from the ZIPs around, nearest first: only the ZIPs at a distance that the page shows are put in order. */
function fromZips(
  snapshot: Snapshot,
  zips: Around[],
  filter: DocFilter,
  offset: number,
  limit: number,
): NearbyDoc[] {
  const page: NearbyDoc[] = [];
  let skip = offset;
  for (let start = 0; start < zips.length && page.length < limit;) {
    const { miles } = zips[start]!;
    const ranges: NumberRange[] = [];
    let end = start;
    while (end < zips.length && zips[end]!.miles === miles) {
      ranges.push(
        ...snapshot.places.locatedDocsOfZip(
          snapshot.centroids.zips[zips[end]!.index]!,
        ),
      );
      end++;
    }
    const count = filter.count(ranges);
    if (count <= skip) skip -= count;
    else {
      const docs = filter.list(ranges);
      for (const doc of docs.slice(skip, skip + limit - page.length))
        page.push({ doc, miles });
      skip = 0;
    }
    start = end;
  }
  return page;
}

/** The page from the lists of the taxonomies, each document's distance by its ZIP. */
function fromLists(
  snapshot: Snapshot,
  query: NearbyQuery,
  taxonomies: Uint32Array,
  filter: DocFilter,
): NearbyDoc[] {
  const { centroids, npi, taxonomyDocs } = snapshot;
  const milesOf = new Map<number, number>();
  for (const { index, miles } of centroidsAround(
    centroids,
    query.center,
    query.radiusMiles,
  ))
    milesOf.set(index, miles);
  const found: NearbyDoc[] = [];
  for (const number of taxonomies) {
    for (const doc of itemsOf(taxonomyDocs, number)) {
      if (!filter.admits(doc)) continue;
      const miles = milesOf.get(centroidOf(snapshot, doc));
      if (miles !== undefined) found.push({ doc, miles });
    }
  }
  found.sort((a, b) => a.miles - b.miles || npi[a.doc]! - npi[b.doc]!);
  const offset = (query.page - 1) * query.limit;
  return found.slice(offset, offset + query.limit);
}

/** The index of a document's centroid, -1 for a document without one. */
function centroidOf({ centroids, places }: Snapshot, doc: number): number {
  if (doc >= places.placedDocs)
    return centroidIndex(
      centroids,
      places.looseZip[doc - places.placedDocs]! - 1,
    );
  const place = places.placeOf(doc);
  return isMilitary(places.state[place]!)
    ? -1
    : centroidIndex(centroids, places.zip[place]! - 1);
}
