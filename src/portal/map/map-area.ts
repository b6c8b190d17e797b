import { milesBetween, type Bounds } from "./map-points.ts";

/** A visible area. */
export interface MapArea {
  readonly bounds: Bounds;
  /** The circle around the area's middle that covers all of it. */
  readonly lat: number;
  readonly lng: number;
  readonly miles: number;
}

/** The area within these bounds. The radius has one decimal, rounded up. */
export function areaOf(bounds: Bounds): MapArea {
  const [west, south, east, north] = bounds;
  const lat = (south + north) / 2;
  const lng = (west + east) / 2;
  const farthest = Math.max(
    milesBetween(lat, lng, south, west),
    milesBetween(lat, lng, north, west),
  );
  return { bounds, lat, lng, miles: Math.ceil(farthest * 10) / 10 };
}
