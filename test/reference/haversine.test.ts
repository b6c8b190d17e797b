import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { haversineMiles } from "../../src/reference/zip-points.ts";

const RADIUS_MILES = 3958.7613;
const ONE_DEGREE_MILES = (RADIUS_MILES * Math.PI) / 180;
const ONE_FOOT_MILES = 1 / 5280;

const latitude = fc.double({ min: -90, max: 90, noNaN: true });
const longitude = fc.double({ min: -180, max: 180, noNaN: true });

describe("haversineMiles", () => {
  it("is zero between a point and itself", () => {
    assert.equal(haversineMiles(41.88, -87.63, 41.88, -87.63), 0);
  });

  it("measures a degree along a meridian and along the equator", () => {
    close(haversineMiles(40, -100, 41, -100), ONE_DEGREE_MILES);
    close(haversineMiles(0, 10, 0, 11), ONE_DEGREE_MILES);
  });

  it("goes the short way over the antimeridian", () => {
    close(haversineMiles(0, 179.9, 0, -179.9), 0.2 * ONE_DEGREE_MILES);
  });

  it("goes over a pole, where every longitude is one point", () => {
    close(haversineMiles(89, 0, 89, 180), 2 * ONE_DEGREE_MILES);
    close(haversineMiles(90, 12, 90, -77), 0);
  });

  it("is half the circumference between opposite points, never NaN", () => {
    close(haversineMiles(90, 0, -90, 0), 180 * ONE_DEGREE_MILES);
    close(haversineMiles(33.3, 44.4, -33.3, -135.6), 180 * ONE_DEGREE_MILES);
  });

  it("agrees with the angle between the two points as vectors", () => {
    fc.assert(
      fc.property(
        latitude,
        longitude,
        latitude,
        longitude,
        (lat1, lng1, lat2, lng2) => {
          close(
            haversineMiles(lat1, lng1, lat2, lng2),
            milesByVectors(lat1, lng1, lat2, lng2),
          );
        },
      ),
    );
  });

  it("is the same in both directions, to the last bit", () => {
    fc.assert(
      fc.property(
        latitude,
        longitude,
        latitude,
        longitude,
        (lat1, lng1, lat2, lng2) => {
          assert.equal(
            haversineMiles(lat1, lng1, lat2, lng2),
            haversineMiles(lat2, lng2, lat1, lng1),
          );
        },
      ),
    );
  });
});

function close(actual: number, expected: number): void {
  assert.ok(
    Math.abs(actual - expected) < ONE_FOOT_MILES,
    `${actual} is not ${expected}`,
  );
}

/** The angle from cross and dot product: a different formula, exact at small and large distances. */
function milesByVectors(
  lat1: number,
  lng1: number,
  lat2: number,
  lng2: number,
): number {
  const [x1, y1, z1] = vector(lat1, lng1);
  const [x2, y2, z2] = vector(lat2, lng2);
  const cross = Math.hypot(
    y1 * z2 - z1 * y2,
    z1 * x2 - x1 * z2,
    x1 * y2 - y1 * x2,
  );
  return RADIUS_MILES * Math.atan2(cross, x1 * x2 + y1 * y2 + z1 * z2);
}

function vector(lat: number, lng: number): [number, number, number] {
  const phi = (lat * Math.PI) / 180;
  const lambda = (lng * Math.PI) / 180;
  return [
    Math.cos(phi) * Math.cos(lambda),
    Math.cos(phi) * Math.sin(lambda),
    Math.sin(phi),
  ];
}
