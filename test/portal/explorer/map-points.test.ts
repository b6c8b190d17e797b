import assert from "node:assert/strict";
import { test } from "node:test";
import {
  boundsOf,
  circleLine,
  pointsOfEntries,
  pointsOfRows,
} from "../../../src/portal/map/map-points.ts";
import { haversineMiles } from "../../../src/reference/zip-points.ts";

test("every corner of a circle is one radius from its center", () => {
  for (const [lat, lng, miles] of [
    [39.8, -89.65, 25],
    [61.2, -149.9, 500],
    [-14.3, -170.7, 100],
  ] as const) {
    const line = circleLine({ lat, lng, miles });
    assert.deepEqual(line[0], line.at(-1));
    for (const [x = 0, y = 0] of line) {
      const away = haversineMiles(lat, lng, y, x);
      assert.ok(Math.abs(away - miles) < 1e-6, `${away} of ${miles}`);
    }
  }
});

test("entries in one place become one point with a count; entries without a place have none", () => {
  assert.deepEqual(
    pointsOfEntries([[39.8, -89.65], null, [40, -90], [39.8, -89.65]]),
    [
      { key: "39.8,-89.65", lat: 39.8, lng: -89.65, count: 2 },
      { key: "40,-90", lat: 40, lng: -90, count: 1 },
    ],
  );
});

test("ZIPs with the same center become one point with the sum of their counts", () => {
  assert.deepEqual(
    pointsOfRows([
      ["10118", 40.7, -74, 3],
      ["10119", 40.8, -74, 1],
      ["10120", 40.7, -74, 4],
    ]),
    [
      { key: "40.7,-74", lat: 40.7, lng: -74, count: 7 },
      { key: "40.8,-74", lat: 40.8, lng: -74, count: 1 },
    ],
  );
});

test("a whole circle or all points are visible, and never less than a county", () => {
  const [west, south, east, north] = boundsOf([], {
    lat: 40,
    lng: -90,
    miles: 69,
  });
  assert.ok(Math.abs(north - 41) < 0.01 && Math.abs(south - 39) < 0.01);
  assert.ok(west < -91.2 && east > -88.8);
  const point = { key: "a", lat: 40, lng: -90, count: 1 };
  assert.deepEqual(boundsOf([point], null), [-90.2, 39.8, -89.8, 40.2]);
  const other = { key: "b", lat: 30, lng: -80, count: 1 };
  assert.deepEqual(boundsOf([point, other], null), [-90, 30, -80, 40]);
  assert.ok(boundsOf([], null)[0] < -120);
});
