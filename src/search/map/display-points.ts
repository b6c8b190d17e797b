import { readFileSync } from "node:fs";
import {
  centroidIndex,
  type Centroids,
} from "../../snapshot/places/centroids.ts";
import type { Point } from "../query.ts";

let table: readonly MovedPoint[] | undefined;

/** A ZIP whose centroid is in water, and a point on land near it. */
interface MovedPoint {
  readonly zip: number;
  readonly centroid: Point;
  readonly onLand: Point;
}

/**
 * Where maps draw ZIPs: at their centroid or, if that is in water and land is near, on land. Distances are from
 * centroids in any case.
 *
 * The points on land are in `points-on-land.csv` (`tools/place-on-land.ts`), read on first use. A snapshot that has
 * another centroid for a ZIP keeps it.
 */
export class DisplayPoints {
  readonly #centroids: Centroids;
  /** By index of the centroid. */
  readonly #moved = new Map<number, Point>();

  constructor(centroids: Centroids) {
    this.#centroids = centroids;
    for (const { centroid, onLand, zip } of (table ??= readTable())) {
      const index = centroidIndex(centroids, zip);
      if (
        centroids.lat[index] === centroid.lat &&
        centroids.lng[index] === centroid.lng
      )
        this.#moved.set(index, onLand);
    }
  }

  /** The point of a ZIP, by the index of its centroid. */
  at(index: number): Point {
    const { lat, lng } = this.#centroids;
    return this.#moved.get(index) ?? { lat: lat[index]!, lng: lng[index]! };
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
