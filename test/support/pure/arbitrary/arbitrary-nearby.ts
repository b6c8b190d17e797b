/** Nearby queries: at the registry's ZIPs and near them, at the edges of the map, with circles that touch a ZIP. */

import * as fc from "fast-check";
import { haversineMiles } from "../../../../src/reference/zip-points.ts";
import type { NearbyQuery, Point } from "../../../../src/search/query.ts";
import { arbitraryPoint } from "./arbitrary-registry.ts";
import {
  arbitrarySearchAsk,
  type Known,
  type SearchAsk,
  sharedFilters,
} from "./arbitrary-search.ts";

const DEFAULT_RADIUS_MILES = 25;
/** Less than a grain of sand. Far below, the squares in the formula underflow and every distance is zero. */
const MIN_RADIUS_MILES = 1e-9;
const MAX_RADIUS_MILES = 500;

/** A nearby query before its registry is known. */
export interface NearbyAsk {
  /** Its filters (those that nearby has), limit and page. */
  shared: SearchAsk;
  /** An offset in degrees from a ZIP's centroid, or anywhere. */
  center: { zip: number; latOff: number; lngOff: number } | Point;
  /** Miles, or the exact distance to a ZIP's centroid. */
  radius: number | { toZip: number };
}

export function arbitraryNearbyAsk(): fc.Arbitrary<NearbyAsk> {
  const offset = fc.oneof(
    fc.constant(0),
    fc.double({ min: -0.5, max: 0.5, noNaN: true }),
  );
  const poles = fc.record({
    lat: fc.constantFrom(-90, 90),
    lng: fc.constantFrom(-180, 0, 77, 180),
  });
  const antimeridian = fc.record({
    lat: fc.double({ min: 50, max: 54, noNaN: true }),
    lng: fc.constantFrom(-180, -179.99, 179.9, 180),
  });
  return fc.record({
    shared: arbitrarySearchAsk(),
    center: fc.oneof(
      {
        weight: 7,
        arbitrary: fc.record({
          zip: fc.nat(99),
          latOff: offset,
          lngOff: offset,
        }),
      },
      arbitraryPoint(),
      poles,
      antimeridian,
    ),
    radius: fc.oneof(
      fc.constantFrom(0.001, 0.01, 1, 5, 25, 100, 499.99, MAX_RADIUS_MILES),
      fc.double({
        min: MIN_RADIUS_MILES,
        max: MAX_RADIUS_MILES,
        noNaN: true,
      }),
      fc.record({ toZip: fc.nat(99) }),
    ),
  });
}

/** The nearby query for an ask. */
export function nearbyQuery(
  { shared, center, radius }: NearbyAsk,
  known: Known,
): NearbyQuery {
  const point =
    "zip" in center
      ? offsetBy(centroid(known, center.zip), center.latOff, center.lngOff)
      : center;
  return {
    ...sharedFilters(shared, known),
    ...(shared.byName === null
      ? {}
      : { sort: shared.byName ? "name" : "distance" }),
    center: point,
    radius:
      typeof radius === "number"
        ? radius
        : milesTo(point, centroid(known, radius.toZip)),
    limit: shared.limit,
    page: shared.page,
  };
}

function centroid({ centroids }: Known, index: number): Point {
  const points = [...centroids.values()];
  return points[index % points.length] ?? { lat: 0, lng: 0 };
}

/** A point at that distance, kept on the map. */
function offsetBy({ lat, lng }: Point, latOff: number, lngOff: number): Point {
  return {
    lat: Math.max(-90, Math.min(90, lat + latOff)),
    lng: Math.max(-180, Math.min(180, lng + lngOff)),
  };
}

/** The exact distance, so a ZIP is on the circle; the default if that is not a radius. */
function milesTo(from: Point, to: Point): number {
  const miles = haversineMiles(from.lat, from.lng, to.lat, to.lng);
  return miles >= MIN_RADIUS_MILES && miles <= MAX_RADIUS_MILES
    ? miles
    : DEFAULT_RADIUS_MILES;
}
