/**
 * Nearby in SQL: the haversine formula over a table of centroids, a box of degrees that spares most of them from it,
 * and circles that grow until the page is full.
 */

import { ENTRY, type Statement } from "./page-sql.ts";
import { PAGE_LIMIT, type Nearby } from "./question.ts";
import type { Value } from "../rows.ts";

const RADIANS_PER_DEGREE = Math.PI / 180;
/** Fewer than a degree of latitude has anywhere. */
const MILES_PER_DEGREE = 69;
const FIRST_RADIUS_MILES = 2;
const RADIUS_GROWTH = 4;

/** The centroids in a circle, given the values of `circleValues` as `$1` to `$8`. */
const ZIPS_IN_CIRCLE = `
  SELECT zip, miles FROM (
    SELECT zip, 2 * 3958.7613 * asin(sqrt(
      power(sin(radians(lat - $1) / 2), 2) +
      $3 * cos_lat * power(sin(radians(lng - $2) / 2), 2)
    )) AS miles
    FROM centroid
    WHERE lat BETWEEN $4 AND $5 AND lng BETWEEN $6 AND $7
  ) boxed WHERE miles <= $8`;

/**
 * The page of the providers in a circle. `from` joins the ZIPs in it, the table `near` of `zip` and `miles`, with the
 * providers at each; `also` is another condition on them.
 */
export function nearbyPage(
  circle: Nearby,
  from: (also: string) => string,
): Statement {
  const { taxonomy } = circle;
  return {
    sql: `
      WITH near AS MATERIALIZED (${ZIPS_IN_CIRCLE})
      SELECT ${ENTRY}
      FROM (
        SELECT ord, miles, npi
        FROM ${from(taxonomy === null ? "" : "AND taxonomy = $9")}
        ORDER BY miles, npi LIMIT ${PAGE_LIMIT}
      ) page JOIN provider USING (ord) ORDER BY miles, page.npi`,
    values: [...circleValues(circle), ...(taxonomy === null ? [] : [taxonomy])],
  };
}

function circleValues({ lat, lng, radiusMiles }: Nearby): Value[] {
  const reach = radiusMiles / MILES_PER_DEGREE;
  const cosLat = Math.cos(lat * RADIANS_PER_DEGREE);
  const lngReach =
    Math.asin(Math.min(1, Math.sin(reach * RADIANS_PER_DEGREE) / cosLat)) /
    RADIANS_PER_DEGREE;
  const isAllAround =
    Math.abs(lat) + reach >= 90 || Math.abs(lng) + lngReach >= 180;
  return [
    lat,
    lng,
    cosLat,
    lat - reach,
    lat + reach,
    isAllAround ? -180 : lng - lngReach,
    isAllAround ? 180 : lng + lngReach,
    radiusMiles,
  ];
}

/** Smaller circles than the one asked for, smallest first. */
export function smallerRadii(radiusMiles: number): number[] {
  const radii: number[] = [];
  for (
    let radius = FIRST_RADIUS_MILES;
    radius < radiusMiles;
    radius *= RADIUS_GROWTH
  )
    radii.push(radius);
  return radii;
}
