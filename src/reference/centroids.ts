import { readUsZips, readZipcodes, type ZipPoint } from "./zip-packages.ts";

/** ZIP centroids: three columns of equal length, in order of ZIP. */
export interface Centroids {
  /** ZIPs as numbers (00501 is 501), ascending, each once. */
  zips: Uint32Array;
  /** Decimal degrees, WGS 84; `lat[i]` and `lng[i]` belong to `zips[i]`. */
  lat: Float64Array;
  lng: Float64Array;
}

/**
 * ZIPs whose Census centroid is hundreds of miles from where people live: Anchorage and Fairbanks. GeoNames has these
 * right.
 */
const MISPLACED_BY_CENSUS = new Set(["99503", "99701"]);

let loaded: Centroids | null = null;

/**
 * ZIP centroids: the Census ZCTA point if there is one, else the GeoNames point (CC BY 4.0). The first call reads both
 * packages (about 0.15 s); the result, under 1 MB, is kept.
 */
export function loadCentroids(): Centroids {
  return (loaded ??= readCentroids());
}

function readCentroids(): Centroids {
  const points = new Map<number, ZipPoint>();
  for (const entry of readZipcodes()) {
    if (entry.lat !== 0 || entry.lng !== 0)
      points.set(Number(entry.zip), entry);
  }
  for (const point of readUsZips()) {
    if (!MISPLACED_BY_CENSUS.has(point.zip))
      points.set(Number(point.zip), point);
  }
  const zips = Uint32Array.from(points.keys()).sort();
  const lat = new Float64Array(zips.length);
  const lng = new Float64Array(zips.length);
  zips.forEach((zip, index) => {
    const point = points.get(zip);
    if (point === undefined) throw new Error(`ZIP ${zip} has no point.`);
    lat[index] = point.lat;
    lng[index] = point.lng;
  });
  return { zips, lat, lng };
}
