import assert from "node:assert/strict";
import { test } from "node:test";
import { loadCentroids } from "../../../src/reference/centroids.ts";
import { haversineMiles } from "../../../src/reference/zip-points.ts";
import { DisplayPoints } from "../../../src/search/map/display-points.ts";
import { Land } from "../../../tools/land.ts";

const land = new Land();
const centroids = loadCentroids();
const points = new DisplayPoints(centroids);

test("no ZIP is drawn in water if land is near", () => {
  centroids.zips.forEach((zip, index) => {
    const { lat, lng } = points.at(index);
    assert.ok(
      land.has([lng, lat]) || land.nearest([lng, lat], null) === null,
      `ZIP ${zip} is in water at ${lat}, ${lng}. Run tools/place-on-land.ts.`,
    );
  });
});

test("only ZIPs in water are moved, and by at most 30 miles", () => {
  let moved = 0;
  centroids.zips.forEach((zip, index) => {
    const lat = centroids.lat[index]!;
    const lng = centroids.lng[index]!;
    const point = points.at(index);
    if (point.lat === lat && point.lng === lng) return;
    moved++;
    assert.equal(land.has([lng, lat]), false, `ZIP ${zip}`);
    const miles = haversineMiles(lat, lng, point.lat, point.lng);
    assert.ok(miles <= 30, `ZIP ${zip} is ${miles} miles away`);
  });
  assert.ok(moved > 100);
});

test("a snapshot with another centroid for a ZIP keeps it", () => {
  const other = new DisplayPoints({
    zips: Uint32Array.of(4_846, 54_000),
    lat: Float64Array.of(10, 20),
    lng: Float64Array.of(30, 40),
  });
  assert.deepEqual(other.at(0), { lat: 10, lng: 30 });
});

test("a ZIP in water is on land in older snapshots, too, after its centroid moved", () => {
  const older = new DisplayPoints({
    zips: Uint32Array.of(78_382),
    lat: Float64Array.of(28.11318),
    lng: Float64Array.of(-97.046273),
  });
  assert.deepEqual(older.at(0), { lat: 28.0964, lng: -97.0615 });
});
