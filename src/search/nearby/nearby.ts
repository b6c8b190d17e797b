import { centroidsAround, type Around } from "./centroids-in-radius.ts";
import { DocFilter } from "./doc-filter.ts";
import { nearbyFromLists } from "./nearby-lists.ts";
import { countTaxonomies } from "../filters/taxonomy-filter.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { NearbyQuery } from "../query.ts";

/** Up to this many providers of the taxonomies asked for are listed and put in order; else the ZIPs around are scanned. */
export const FEW_LISTED = 4096;
/** The first circle, and how it grows until it holds the page. */
export const FIRST_RADIUS_MILES = 8;
export const RADIUS_GROWTH = 3;

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
  return taxonomies !== null &&
    countTaxonomies(snapshot, taxonomies) <= FEW_LISTED
    ? nearbyFromLists(snapshot, query, taxonomies, filter)
    : nearbyFromZips(snapshot, query, filter);
}

/** The page from the ZIPs around, ring by ring. */
function nearbyFromZips(
  snapshot: Snapshot,
  { center, limit, page, radiusMiles }: NearbyQuery,
  filter: DocFilter,
): NearbyDoc[] {
  const found: NearbyDoc[] = [];
  let skip = (page - 1) * limit;
  let inner = -1;
  for (
    let outer = Math.min(FIRST_RADIUS_MILES, radiusMiles);
    inner < radiusMiles && found.length < limit;
    outer = Math.min(outer * RADIUS_GROWTH, radiusMiles)
  ) {
    const zips = centroidsAround(snapshot.centroids, center, outer, inner);
    for (let start = 0; start < zips.length && found.length < limit;) {
      const { miles } = zips[start]!;
      let end = start;
      while (end < zips.length && zips[end]!.miles === miles) end++;
      const ranges = docsOfZips(snapshot, zips, start, end);
      const count = filter.count(ranges);
      if (count > skip) {
        for (const doc of filter.page(ranges, skip, limit - found.length))
          found.push({ doc, miles });
      }
      skip = Math.max(0, skip - count);
      start = end;
    }
    inner = outer;
  }
  return found;
}

/** The documents at the ZIPs `start` to `end` - 1 of those around. */
export function docsOfZips(
  { centroids, places }: Snapshot,
  zips: readonly Around[],
  start: number,
  end: number,
): NumberRange[] {
  const ranges: NumberRange[] = [];
  for (let i = start; i < end; i++)
    ranges.push(...places.locatedDocsOfZip(centroids.zips[zips[i]!.index]!));
  return ranges;
}
