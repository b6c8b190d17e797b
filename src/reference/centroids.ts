import { readUsZips, readZipcodes } from "./zip-packages.ts";
import { chooseZipPoints } from "./zip-points.ts";

/** ZIP centroids: three columns of equal length, in order of ZIP. */
export interface Centroids {
  /** ZIPs as numbers (00501 is 501), ascending, each once. */
  zips: Uint32Array;
  /** Decimal degrees, WGS 84; `lat[i]` and `lng[i]` belong to `zips[i]`. */
  lat: Float64Array;
  lng: Float64Array;
}

let loaded: Centroids | null = null;

/**
 * Loads ZIP centroids, chosen from the points of both packages. The first call reads them (about 0.2 s); the result,
 * under 1 MB, is kept.
 */
export function loadCentroids(): Centroids {
  return (loaded ??= readCentroids());
}

function readCentroids(): Centroids {
  const points = chooseZipPoints(readUsZips(), readZipcodes());
  const zips = Uint32Array.from(points.keys()).sort();
  return {
    zips,
    lat: Float64Array.from(zips, (zip) => points.get(zip)?.lat ?? NaN),
    lng: Float64Array.from(zips, (zip) => points.get(zip)?.lng ?? NaN),
  };
}
