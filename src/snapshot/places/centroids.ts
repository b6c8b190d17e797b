import { indexIn } from "../bytes/sorted.ts";
import { SECTIONS } from "../container/descriptors.ts";
import type { ArraysOf } from "../container/section.ts";
import { groupItems } from "../postings/postings.ts";
import type { SectionWriter } from "../container/section-writer.ts";

/** ZIP centroids: `zips` ascend; `zips[i]` is at `lat[i]`, `lng[i]` in decimal degrees. */
export type Centroids = Pick<CentroidGrid, "lat" | "lng" | "zips">;

/**
 * Centroids with a grid of one-degree cells: row 0 starts at the South Pole, column 0 at -180°. Cell `c` has
 * `cellItems[cellStarts[c], cellStarts[c + 1])`, as indexes into `zips`.
 */
export type CentroidGrid = Readonly<ArraysOf<typeof SECTIONS.centroids>>;

export const GRID_ROWS = 180;
export const GRID_COLUMNS = 360;

/** Returns the cell row of a latitude. The North Pole belongs to the last row. */
export function gridRow(lat: number): number {
  return Math.max(0, Math.min(GRID_ROWS - 1, Math.floor(lat + 90)));
}

/** Returns the cell column of a longitude, which may be past the antimeridian by one turn. */
export function gridColumn(lng: number): number {
  return (Math.floor(lng + 180) + GRID_COLUMNS) % GRID_COLUMNS;
}

/** Writes the sections `centroid.*`. */
export function writeCentroids(
  writer: SectionWriter,
  { zips, lat, lng }: Centroids,
): void {
  /** The cell number of each centroid, from 1. */
  const cells = new Uint32Array(zips.length).map(
    (_, index) =>
      gridRow(lat[index]!) * GRID_COLUMNS + gridColumn(lng[index]!) + 1,
  );
  const { items, starts } = groupItems(cells, GRID_ROWS * GRID_COLUMNS);
  const grid = { cellStarts: starts.subarray(1), cellItems: items };
  writer.writeGroup(SECTIONS.centroids, { zips, lat, lng, ...grid });
}

/** Finds the index of a ZIP's centroid, or -1. */
export function centroidIndex(centroids: Centroids, zip: number): number {
  return indexIn(centroids.zips, zip);
}
