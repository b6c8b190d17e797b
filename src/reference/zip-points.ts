import type { ZipEntry, ZipPoint } from "./zip-packages.ts";

type Point = Readonly<Pick<ZipPoint, "lat" | "lng">>;

/** The Census points by whole degrees of latitude. */
type Rows = ReadonlyMap<number, readonly Point[]>;

/** A ZIP of a town with several. */
interface TownZip {
  zip: number;
  census: Point | undefined;
  geonames: Point;
  /** Both, as far as they are known. */
  points: Point[];
}

/** The miles by which a GeoNames point must be nearer to the middle of its town to replace the Census point. */
const MIN_GAIN_MILES = 5;
/** The miles between the points of a town's only ZIP from which on the GeoNames point replaces the Census point. */
const MIN_MILES_APART = 10;
/** A ZIP whose points are all farther from the middle of its town, and from the town's other ZIPs, is misplaced. */
const MAX_MILES_FROM_TOWN = 15;
/** The most miles from the middle of its town at which a misplaced ZIP is put. */
const MAX_MILES_FROM_MIDDLE = 10;
/** An area that has more than two others so near is small, so its Census point is near its people. */
const SMALL_AREA = { miles: 6, others: 2 };
/** Degrees of latitude are from 68.7 to 69.4 miles long. */
const MILES_PER_DEGREE = { least: 68, most: 70 };
/** The armed forces, whose ZIPs are not places in the U.S. GeoNames has points for some. */
const MILITARY = new Set(["AA", "AE", "AP"]);

/**
 * Chooses the points of ZIPs, by their numbers: the Census point if there is one, else the GeoNames point. The Census
 * point of a large area can be far from where people live, and some points of both are wrong. So the GeoNames point
 * replaces it if it is much nearer to the ZIP's town, which is all ZIPs of the same city and state; and if all points
 * of a ZIP are far from its town, the town's nearest point replaces them. Military ZIPs have no point. ADR 50 has
 * reasons and figures.
 */
export function chooseZipPoints(
  census: readonly ZipPoint[],
  geonames: readonly ZipEntry[],
): Map<number, Point> {
  const chosen = new Map<number, Point>();
  for (const area of census) chosen.set(Number(area.zip), area);
  for (const { state, zip } of geonames)
    if (MILITARY.has(state)) chosen.delete(Number(zip));
  const rows: Rows = Map.groupBy(census, ({ lat }) => Math.floor(lat));
  // (0, 0) is unknown.
  const located = geonames.filter(
    ({ lat, lng, state }) => (lat !== 0 || lng !== 0) && !MILITARY.has(state),
  );
  const towns = Map.groupBy(located, ({ city, state }) => city + state);
  for (const [only, ...others] of towns.values()) {
    if (only === undefined) continue;
    if (others.length === 0) {
      const zip = Number(only.zip);
      chosen.set(zip, choosePointOfOnly(chosen.get(zip), only, rows));
      continue;
    }
    const town = [only, ...others].map((entry) => {
      const zip = Number(entry.zip);
      const area = chosen.get(zip);
      const points = area === undefined ? [entry] : [area, entry];
      return { zip, census: area, geonames: entry, points };
    });
    const middle = middleOf(town);
    for (const own of town)
      chosen.set(own.zip, choosePoint(own, town, middle, rows));
  }
  return chosen;
}

/** Chooses for a town's only ZIP: the GeoNames point is mostly in the town, if the area is large enough for it. */
function choosePointOfOnly(
  census: Point | undefined,
  geonames: Point,
  rows: Rows,
): Point {
  if (census === undefined) return geonames;
  if (isNear(census, geonames, MIN_MILES_APART)) return census;
  const apart = milesBetween(census, geonames);
  return hasOthers(census, apart, rows) ? census : geonames;
}

function choosePoint(
  own: TownZip,
  town: readonly TownZip[],
  middle: Point,
  rows: Rows,
): Point {
  const { census, geonames } = own;
  const first = census ?? geonames;
  if (isMisplaced(own, town, middle)) {
    const inTown = town
      .flatMap(({ points }) => points)
      .filter((point) => isNear(point, middle, MAX_MILES_FROM_MIDDLE));
    return nearest(first, inTown) ?? first;
  }
  if (census === undefined || isNear(census, geonames, MIN_GAIN_MILES))
    return first;
  const miles = milesBetween(census, middle);
  if (milesBetween(geonames, middle) + MIN_GAIN_MILES > miles) return census;
  return miles <= MAX_MILES_FROM_TOWN &&
    hasOthers(census, SMALL_AREA.miles, rows)
    ? census
    : geonames;
}

function isMisplaced(
  own: TownZip,
  town: readonly TownZip[],
  middle: Point,
): boolean {
  const isFar = (from: Point, point: Point): boolean =>
    !isNear(from, point, MAX_MILES_FROM_TOWN);
  return own.points.every(
    (point) =>
      isFar(middle, point) &&
      town.every(
        (zip) => zip === own || zip.points.every((at) => isFar(at, point)),
      ),
  );
}

/**
 * Finds the middle of a town: the medians of its latitudes and longitudes, so wrong points hardly matter. A GeoNames
 * point that several ZIPs share is a guess, and counts only for ZIPs without another.
 */
function middleOf(town: readonly TownZip[]): Point {
  const points = town.flatMap((own) => {
    const { census, geonames } = own;
    const isGuess =
      census !== undefined &&
      town.some(
        (zip) =>
          zip !== own &&
          zip.geonames.lat === geonames.lat &&
          zip.geonames.lng === geonames.lng,
      );
    return isGuess ? [census] : own.points;
  });
  return {
    lat: median(points.map(({ lat }) => lat)),
    lng: median(points.map(({ lng }) => lng)),
  };
}

function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}

function nearest(to: Point, points: readonly Point[]): Point | undefined {
  const miles = points.map((point) => milesBetween(point, to));
  return points[miles.indexOf(Math.min(...miles))];
}

/** True if more than two other areas are within some miles of an area, so it does not reach that far. */
function hasOthers(census: Point, miles: number, rows: Rows): boolean {
  const reach = miles / MILES_PER_DEGREE.least;
  const north = census.lat + reach;
  let others = -1;
  for (let row = Math.floor(census.lat - reach); row <= north; row++) {
    for (const area of rows.get(row) ?? []) {
      if (isNear(area, census, miles)) others++;
      if (others > SMALL_AREA.others) return true;
    }
  }
  return false;
}

function isNear(a: Point, b: Point, miles: number): boolean {
  const lat = Math.abs(a.lat - b.lat);
  const lng = Math.abs(a.lng - b.lng);
  if ((lat + lng) * MILES_PER_DEGREE.most <= miles) return true;
  return lat * MILES_PER_DEGREE.least <= miles && milesBetween(a, b) <= miles;
}

function milesBetween(a: Point, b: Point): number {
  return haversineMiles(a.lat, a.lng, b.lat, b.lng);
}

/** The Earth's mean radius in statute miles (6,371.0088 km, IUGG). */
const EARTH_RADIUS_MILES = 3958.7613;
const RADIANS_PER_DEGREE = Math.PI / 180;

/**
 * Computes Great-circle miles between two points in decimal degrees, unrounded, by the haversine formula. Identical to
 * the last bit in both directions. Everything uses this function, so limits and order always agree.
 */
export function haversineMiles(
  lat1: number,
  lng1: number,
  lat2: number,
  lng2: number,
): number {
  const phi1 = lat1 * RADIANS_PER_DEGREE;
  const phi2 = lat2 * RADIANS_PER_DEGREE;
  const sinHalfLat = Math.sin((phi2 - phi1) / 2);
  const sinHalfLng = Math.sin(((lng2 - lng1) * RADIANS_PER_DEGREE) / 2);
  const chord =
    sinHalfLat * sinHalfLat +
    Math.cos(phi1) * Math.cos(phi2) * sinHalfLng * sinHalfLng;
  // Rounding can make the chord of opposite points slightly more than 1, where asin is undefined.
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.sqrt(Math.min(1, chord)));
}
