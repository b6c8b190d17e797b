import {
  GRID_COLUMNS,
  gridColumn,
  gridRow,
  type CentroidGrid,
} from "../../snapshot/places/centroids.ts";
import { haversineMiles } from "../../reference/zip-points.ts";
import type { Point } from "../query.ts";

/** A lower bound for the miles of a degree of latitude, so a box of degrees is never too small. */
const MILES_PER_DEGREE = 69;
/** The haversine of tiny distances is 0, so a box must be slightly larger than its circle. */
const MARGIN_DEGREES = 1e-9;
/** More than half the Earth's circumference. */
const EVERYWHERE_MILES = 12_500;

/** More centroids than this are sorted in bands of distance, in two thirds of the time. */
const FEW_SORTED = 512;
const BANDS = 512;

/** Centroids by distance: `index[i]` of the grid is `miles[i]` away, unrounded. */
export interface CentroidsInRadius {
  index: number;
  miles: number;
}

/**
 * Finds the centroids at most `radiusMiles`, which is more than 0, and more than `beyondMiles` from a point, nearest
 * first, then by ZIP.
 */
export function centroidsAround(
  grid: CentroidGrid,
  center: Point,
  radiusMiles: number,
  beyondMiles = -1,
): CentroidsInRadius[] {
  const centroids: CentroidsInRadius[] = [];
  eachCentroidAround(grid, center, radiusMiles, (index, miles) => {
    if (miles > beyondMiles) centroids.push({ index, miles });
  });
  if (centroids.length <= FEW_SORTED) return centroids.sort(nearestFirst);
  const bands = Array.from(
    { length: BANDS + 1 },
    (): CentroidsInRadius[] => [],
  );
  for (const each of centroids)
    bands[Math.floor((each.miles / radiusMiles) * BANDS)]!.push(each);
  return bands.flatMap((band) => band.sort(nearestFirst));
}

function nearestFirst(a: CentroidsInRadius, b: CentroidsInRadius): number {
  return a.miles - b.miles || a.index - b.index;
}

/** Calls `take` for each centroid at most `radiusMiles` from a point, in any order. */
export function eachCentroidAround(
  grid: CentroidGrid,
  center: Point,
  radiusMiles: number,
  take: (index: number, miles: number) => void,
): void {
  const box = new BoxAround(center, radiusMiles);
  const { latReach, lngReach } = box;
  const top = gridRow(Math.min(90, center.lat + latReach));
  const from = Math.floor(center.lng - lngReach);
  const columns = Math.min(
    GRID_COLUMNS,
    Math.floor(center.lng + lngReach) - from + 1,
  );
  for (
    let row = gridRow(Math.max(-90, center.lat - latReach));
    row <= top;
    row++
  ) {
    for (let step = 0; step < columns; step++) {
      const cell = row * GRID_COLUMNS + gridColumn(from + step);
      const { cellItems, cellStarts, lat, lng } = grid;
      const end = cellStarts[cell + 1]!;
      for (let item = cellStarts[cell]!; item < end; item++) {
        const index = cellItems[item]!;
        // Most of a cell is outside of a small circle.
        if (!box.has(lat[index]!, lng[index]!)) continue;
        const miles = haversineMiles(
          center.lat,
          center.lng,
          lat[index]!,
          lng[index]!,
        );
        if (miles <= radiusMiles) take(index, miles);
      }
    }
  }
}

/** Finds the index of the centroid nearest to a point (the lowest ZIP among equals), or -1. */
export function nearestCentroid(grid: CentroidGrid, point: Point): number {
  for (let radius = 25; ; radius *= 4) {
    const nearest = centroidsAround(
      grid,
      point,
      Math.min(radius, EVERYWHERE_MILES),
    )[0];
    if (nearest !== undefined) return nearest.index;
    if (radius >= EVERYWHERE_MILES) return -1;
  }
}

/** The box of degrees around a circle. It is never too small, and much faster to check than a distance. */
export class BoxAround {
  /** The degrees that it extends from the center. */
  readonly latReach: number;
  readonly lngReach: number;
  readonly #center: Point;

  constructor(center: Point, radiusMiles: number) {
    this.#center = center;
    this.latReach = radiusMiles / MILES_PER_DEGREE + MARGIN_DEGREES;
    this.lngReach = longitudeReach(center.lat, this.latReach);
  }

  has(lat: number, lng: number): boolean {
    if (Math.abs(lat - this.#center.lat) > this.latReach) return false;
    const degrees = Math.abs(lng - this.#center.lng);
    return Math.min(degrees, 360 - degrees) <= this.lngReach;
  }
}

/** Returns the degrees of longitude that a circle extends to either side; everything if it contains a pole. */
function longitudeReach(lat: number, latReach: number): number {
  const radians = Math.PI / 180;
  if (Math.abs(lat) + latReach >= 90) return GRID_COLUMNS;
  return (
    Math.asin(
      Math.min(1, Math.sin(latReach * radians) / Math.cos(lat * radians)),
    ) / radians
  );
}
