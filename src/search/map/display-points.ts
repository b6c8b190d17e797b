import { readFileSync } from "node:fs";
import {
  centroidIndex,
  type Centroids,
} from "../../snapshot/places/centroids.ts";
import { haversineMiles } from "../../reference/zip-points.ts";
import type { Point } from "../query.ts";

let table: readonly MovedPoint[] | undefined;

/** A ZIP whose centroid is in water, and a point on land near it. */
interface MovedPoint {
  readonly zip: number;
  readonly centroid: Point;
  readonly onLand: Point;
}

/**
 * The points where maps draw ZIPs: at their centroid or, if that is in water and land is near, on land. Distances are from
 * centroids in any case.
 *
 * The points on land are in `points-on-land.csv` (`tools/place-on-land.ts`), read on first use. A snapshot that has
 * another centroid for a ZIP keeps it.
 */
export class DisplayPoints {
  /** Decimal degrees, by index of the centroid. */
  readonly lat: Float64Array;
  readonly lng: Float64Array;

  constructor(centroids: Centroids) {
    this.lat = centroids.lat.slice();
    this.lng = centroids.lng.slice();
    for (const { centroid, onLand, zip } of (table ??= readTable())) {
      const index = centroidIndex(centroids, zip);
      if (this.lat[index] !== centroid.lat || this.lng[index] !== centroid.lng)
        continue;
      this.lat[index] = onLand.lat;
      this.lng[index] = onLand.lng;
    }
  }

  /** Returns the point of a ZIP, by the index of its centroid. */
  at(index: number): Point {
    return { lat: this.lat[index]!, lng: this.lng[index]! };
  }

  /** Chooses, of some ZIPs, the one nearest to their center; each weighs as much as its count. */
  middleOf(
    indexes: readonly number[],
    counts: Readonly<Record<number, number>>,
  ): number {
    let weight = 0;
    let latSum = 0;
    let lngSum = 0;
    for (const index of indexes) {
      const count = counts[index]!;
      weight += count;
      latSum += count * this.lat[index]!;
      lngSum += count * this.lng[index]!;
    }
    const lat = latSum / weight;
    const lng = lngSum / weight;
    let middle = indexes[0]!;
    let least = Infinity;
    for (const index of indexes) {
      const far = haversineMiles(lat, lng, this.lat[index]!, this.lng[index]!);
      if (far >= least) continue;
      least = far;
      middle = index;
    }
    return middle;
  }
}

function readTable(): MovedPoint[] {
  const csv = readFileSync(
    new URL("points-on-land.csv", import.meta.url),
    "utf8",
  );
  return csv
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [zip = NaN, fromLat = NaN, fromLng = NaN, lat = NaN, lng = NaN] =
        line.split(",").map(Number);
      const centroid = { lat: fromLat, lng: fromLng };
      return { zip, centroid, onLand: { lat, lng } };
    });
}
