/** The Earth's mean radius in statute miles (6,371.0088 km, IUGG). */
const EARTH_RADIUS_MILES = 3958.7613;
const RADIANS_PER_DEGREE = Math.PI / 180;

/**
 * Great-circle miles between two points in decimal degrees, unrounded, by the haversine formula. The same to the last
 * bit in both directions. This is the only distance there is: a boundary and an order cannot fall differently elsewhere.
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
  // Rounding may carry the chord of two opposite points just past 1, of which asin knows nothing.
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.sqrt(Math.min(1, chord)));
}
