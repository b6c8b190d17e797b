import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Centroids,
  loadCentroids,
} from "../../src/reference/centroids.ts";
import { readUsZips, readZipcodes } from "../../src/reference/zip-packages.ts";
import { loadZipPlaces } from "../../src/registry-generator/places.ts";

const centroids = loadCentroids();

function pointOf(
  { zips, lat, lng }: Centroids,
  zip: number,
): [lat: number, lng: number] {
  const at = zips.indexOf(zip);
  assert.notEqual(at, -1, `ZIP ${zip}`);
  return [lat[at] ?? 0, lng[at] ?? 0];
}

test("both packages together know 41,911 ZIPs, in ascending order, each once", () => {
  assert.equal(centroids.zips.length, 41_911);
  assert.equal(centroids.lat.length, 41_911);
  assert.equal(centroids.lng.length, 41_911);
  assert.ok(
    centroids.zips.every(
      (zip, index) => index === 0 || zip > (centroids.zips[index - 1] ?? 0),
    ),
  );
});

test("every point is a place on Earth, and none is (0, 0)", () => {
  for (let i = 0; i < centroids.zips.length; i++) {
    const lat = centroids.lat[i] ?? 0;
    const lng = centroids.lng[i] ?? 0;
    assert.ok(
      Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && (lat !== 0 || lng !== 0),
      `ZIP ${centroids.zips[i]}`,
    );
  }
});

test("the Census point is used if there is one", () => {
  assert.deepEqual(pointOf(centroids, 10001), [40.75065, -73.997293]);
});

test("the GeoNames point is used if the Census has none", () => {
  assert.deepEqual(pointOf(centroids, 501), [40.8154, -73.0451]);
});

test("a ZIP that neither package locates has no point", () => {
  const unknown = readZipcodes().filter(
    ({ lat, lng }) => lat === 0 && lng === 0,
  );
  const census = new Set(readUsZips().map(({ zip }) => zip));
  assert.ok(unknown.length > 0);
  for (const { zip } of unknown.filter((entry) => !census.has(entry.zip))) {
    assert.equal(centroids.zips.indexOf(Number(zip)), -1, zip);
  }
});

test("places have a five-digit ZIP, a city in capitals and a state, in the order of their ZIPs", () => {
  const places = loadZipPlaces();
  assert.ok(places.length > 42_000);
  for (const { zip, city, state } of places) {
    assert.match(zip, /^[0-9]{5}$/);
    assert.match(city, /^[A-Z][A-Z .'-]*$/);
    assert.match(state, /^[A-Z]{2}$/);
  }
  assert.ok(
    places.every(
      ({ zip }, index) =>
        index === 0 || Number(zip) > Number(places[index - 1]?.zip),
    ),
  );
  assert.deepEqual(
    places.find(({ zip }) => zip === "63101"),
    { zip: "63101", city: "SAINT LOUIS", state: "MO" },
  );
});

test("companies with their own ZIP are not cities, and towns named like one are kept", () => {
  const cities = new Set(loadZipPlaces().map(({ city }) => city));
  for (const company of [
    "AT&T",
    "SEARS ROEBUCK",
    "WELLS FARGO BANK",
    "SHELL OIL BOX 150",
  ]) {
    assert.equal(cities.has(company), false, company);
  }
  for (const town of [
    "RED BANK",
    "TELEPHONE",
    "MUTUAL",
    "COEUR D ALENE",
    "APO",
  ])
    assert.equal(cities.has(town), true, town);
});
