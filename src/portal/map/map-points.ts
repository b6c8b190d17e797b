import type { MapBounds, MapRow } from "../../contract/explorer/map.ts";

/** A point on the map, and how many providers are there. */
export interface MapPoint {
  /** Unique. */
  readonly key: string;
  readonly lat: number;
  readonly lng: number;
  readonly count: number;
  /** True if it stands for several ZIPs that are shown when the map is closer. */
  readonly isGroup?: boolean;
}

export interface MapCircle {
  readonly lat: number;
  readonly lng: number;
  readonly miles: number;
}

/** The contiguous states. */
const CONTIGUOUS: MapBounds = [-124.8, 24.4, -66.9, 49.4];
const ZIP_DIGITS = 5;
const EARTH_MILES = 3_958.7613;
const CIRCLE_CORNERS = 90;
/** The area shown around a single point: about a county. */
const MIN_DEGREES = 0.4;

/** Returns the points of ZIPs or groups of ZIPs; those with the same center become one. */
export function pointsOfRows(rows: readonly MapRow[]): MapPoint[] {
  return pointsAt(
    rows.map(([zip, lat, lng, count]) => ({
      place: [lat, lng],
      count,
      isGroup: zip.length < ZIP_DIGITS,
    })),
  );
}

/** Returns the points of a page's entries; entries in the same place become one. */
export function pointsOfEntries(
  places: readonly (readonly [number, number] | null)[],
): MapPoint[] {
  return pointsAt(
    places.flatMap((place) => (place === null ? [] : [{ place, count: 1 }])),
  );
}

/** Returns the key of the point at a place. */
export function keyOfPlace([lat, lng]: readonly [number, number]): string {
  return `${lat},${lng}`;
}

/**
 * Returns the area that has to be visible: the circle or, without one, all points; the contiguous states if there are
 * none. If most providers are in these, points outside (Alaska, islands) don't make the map a map of the world.
 */
export function boundsOf(
  points: readonly MapPoint[],
  circle: MapCircle | null,
): MapBounds {
  if (circle !== null) return boundsOfCircle(circle);
  if (points.length === 0) return CONTIGUOUS;
  const near = points.filter(({ lat, lng }) => isWithin(CONTIGUOUS, lat, lng));
  const [lats, lngs] = coordinatesOf(
    countOf(near) > countOf(points) / 2 ? near : points,
  );
  return withMinimumSize([
    Math.min(...lngs),
    Math.min(...lats),
    Math.max(...lngs),
    Math.max(...lats),
  ]);
}

function isWithin(
  [west, south, east, north]: MapBounds,
  lat: number,
  lng: number,
): boolean {
  return lng >= west && lng <= east && lat >= south && lat <= north;
}

function coordinatesOf(points: readonly MapPoint[]): [number[], number[]] {
  return [points.map(({ lat }) => lat), points.map(({ lng }) => lng)];
}

function countOf(points: readonly MapPoint[]): number {
  return points.reduce((sum, { count }) => sum + count, 0);
}

/** Returns the circle's outline, by great-circle distance: `[lng, lat]` pairs, with the first repeated at the end. */
export function circleLine({ lat, lng, miles }: MapCircle): number[][] {
  const angle = miles / EARTH_MILES;
  const from = radians(lat);
  return Array.from({ length: CIRCLE_CORNERS + 1 }, (_, corner) => {
    const bearing = (2 * Math.PI * (corner % CIRCLE_CORNERS)) / CIRCLE_CORNERS;
    const sine =
      Math.sin(from) * Math.cos(angle) +
      Math.cos(from) * Math.sin(angle) * Math.cos(bearing);
    const east = Math.atan2(
      Math.sin(bearing) * Math.sin(angle) * Math.cos(from),
      Math.cos(angle) - Math.sin(from) * sine,
    );
    return [lng + degrees(east), degrees(Math.asin(sine))];
  });
}

/** Measures great-circle miles between two points. */
export function milesBetween(
  lat1: number,
  lng1: number,
  lat2: number,
  lng2: number,
): number {
  const [phi1, phi2] = [radians(lat1), radians(lat2)];
  const chord =
    haversine(phi2 - phi1) +
    Math.cos(phi1) * Math.cos(phi2) * haversine(radians(lng2 - lng1));
  return 2 * EARTH_MILES * Math.asin(Math.sqrt(Math.min(1, chord)));
}

function pointsAt(
  counted: readonly {
    readonly place: readonly [number, number];
    readonly count: number;
    readonly isGroup?: boolean;
  }[],
): MapPoint[] {
  const points = new Map<string, MapPoint>();
  for (const { count, isGroup = false, place } of counted) {
    const [lat, lng] = place;
    const key = keyOfPlace(place);
    const before = points.get(key)?.count ?? 0;
    points.set(key, {
      key,
      lat,
      lng,
      count: before + count,
      ...(isGroup && { isGroup }),
    });
  }
  return [...points.values()];
}

function boundsOfCircle(circle: MapCircle): MapBounds {
  const line = circleLine(circle);
  const lats = line.map(([, each = 0]) => each);
  const lngs = line.map(([each = 0]) => each);
  return [
    Math.min(...lngs),
    Math.min(...lats),
    Math.max(...lngs),
    Math.max(...lats),
  ];
}

function withMinimumSize([west, south, east, north]: MapBounds): MapBounds {
  const wide = Math.max(0, MIN_DEGREES - (east - west)) / 2;
  const high = Math.max(0, MIN_DEGREES - (north - south)) / 2;
  return [west - wide, south - high, east + wide, north + high];
}

function haversine(angle: number): number {
  return Math.sin(angle / 2) ** 2;
}

function radians(angle: number): number {
  return (angle * Math.PI) / 180;
}

function degrees(angle: number): number {
  return (angle * 180) / Math.PI;
}

/** A visible area. */
export interface MapArea {
  readonly bounds: MapBounds;
  /** The circle around the area's middle that covers all of it. */
  readonly lat: number;
  readonly lng: number;
  readonly miles: number;
}

/** Returns the area within these bounds. The radius has one decimal, rounded up. */
export function areaOf(bounds: MapBounds): MapArea {
  const [west, south, east, north] = bounds;
  const lat = (south + north) / 2;
  const lng = (west + east) / 2;
  const farthest = Math.max(
    milesBetween(lat, lng, south, west),
    milesBetween(lat, lng, north, west),
  );
  return { bounds, lat, lng, miles: Math.ceil(farthest * 10) / 10 };
}
