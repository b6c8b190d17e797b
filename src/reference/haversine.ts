/** The Earth's mean radius in statute miles (6,371.0088 km, IUGG). */
const EARTH_RADIUS_MILES = 3958.7613;
const RADIANS_PER_DEGREE = Math.PI / 180;

/**
 * Great-circle miles between two points in decimal degrees, unrounded, by the haversine formula. Identical to the last
 * bit in both directions. Everything uses this function, so limits and order always agree.
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
