import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { loadCentroids } from "../../src/reference/centroids.ts";
import type { ZipEntry, ZipPoint } from "../../src/reference/zip-packages.ts";
import {
  chooseZipPoints,
  haversineMiles,
} from "../../src/reference/zip-points.ts";
import { loadZipPlaces } from "../../src/registry-generator/places.ts";

type Place = readonly [lat: number, lng: number];

const FIELD = new URL(
  "../../../shared/data/field/zips-misplaced.csv",
  import.meta.url,
);
/** Where providers of a town are looked for. */
const IN_TOWN_MILES = 15;
/** A degree of latitude is 69 miles. */
const NORTH_MILES = 69;
const DOWNTOWN: Place = [40, -100];

const { zips, lat, lng } = loadCentroids();
const INDEXES = new Map(Array.from(zips, (zip, index) => [zip, index]));

test("a Census point far from the town's other ZIPs gives way to a GeoNames point among them", () => {
  const points = choose({
    1: { census: DOWNTOWN, geonames: DOWNTOWN },
    2: { census: north(1), geonames: north(1) },
    3: { census: north(22), geonames: north(2) },
  });
  assert.deepEqual(points, { 1: DOWNTOWN, 2: north(1), 3: north(2) });
});

test("a Census point stays if the GeoNames point is hardly nearer to the town", () => {
  const points = choose({
    1: { census: DOWNTOWN, geonames: DOWNTOWN },
    2: { census: north(1), geonames: north(1) },
    3: { census: north(12), geonames: north(8) },
  });
  assert.deepEqual(points[3], north(12));
});

test("a Census point within 15 miles of its town stays if other areas are around it", () => {
  const town = {
    1: { census: DOWNTOWN, geonames: DOWNTOWN },
    2: { census: north(1), geonames: north(1) },
    3: { census: north(12), geonames: north(2) },
  };
  const others = [11, 13, 14].map((miles, i) => area(10 + i, north(miles)));
  assert.deepEqual(choose(town)[3], north(2));
  assert.deepEqual(choose(town, others)[3], north(12));
});

test("a GeoNames point that ZIPs with Census points share does not move the middle of their town", () => {
  const guess = north(40);
  const points = choose({
    1: { census: DOWNTOWN, geonames: guess },
    2: { census: north(3), geonames: guess },
    3: { census: north(4), geonames: guess },
  });
  assert.deepEqual(points, { 1: DOWNTOWN, 2: north(3), 3: north(4) });
});

test("a ZIP whose only point is far from its town gets the nearest point in the town", () => {
  const points = choose({
    1: { census: DOWNTOWN, geonames: DOWNTOWN },
    2: { census: north(4), geonames: north(4) },
    3: { geonames: north(600) },
    4: { geonames: [40, 100] },
  });
  assert.deepEqual(points[3], north(4));
  assert.ok((points[4]?.[1] ?? 0) < 0);
});

test("two ZIPs far apart stay, because neither says where the town is", () => {
  const points = choose({
    1: { census: DOWNTOWN, geonames: north(2) },
    2: { census: north(40), geonames: north(42) },
  });
  assert.deepEqual(points, { 1: DOWNTOWN, 2: north(40) });
});

test("of a town's only ZIP, the GeoNames point is used if the area is large enough to reach it", () => {
  const single = { 1: { census: DOWNTOWN, geonames: north(25) } };
  const others = [20, 21, 22].map((miles, i) => area(10 + i, north(miles)));
  assert.deepEqual(choose(single)[1], north(25));
  assert.deepEqual(choose(single, others)[1], DOWNTOWN);
  const near = { 1: { census: DOWNTOWN, geonames: north(9) } };
  assert.deepEqual(choose(near)[1], DOWNTOWN);
});

test("a military ZIP has no point, whichever package has one", () => {
  const points = chooseZipPoints(
    [area(9012, DOWNTOWN)],
    ["AA", "AE", "AP"].map((state, i) => entry(9012 + i, DOWNTOWN, state)),
  );
  assert.deepEqual([...points], []);
  for (const { zip, state } of loadZipPlaces()) {
    if (["AA", "AE", "AP"].includes(state))
      assert.equal(INDEXES.has(Number(zip)), false, `${zip} ${state}`);
  }
});

test("towns with large areas around them have their ZIPs in town", () => {
  const towns: [name: string, downtown: Place, zips: number[]][] = [
    ["Casper", [42.8501, -106.3252], [82601, 82604, 82609]],
    ["Billings", [45.7833, -108.5007], [59101, 59102]],
    ["Klamath Falls", [42.2249, -121.7817], [97601, 97603]],
    ["Yuma", [32.6927, -114.6277], [85364, 85365]],
    ["Cheyenne", [41.14, -104.8202], [82001, 82007, 82009]],
    ["Flagstaff", [35.1983, -111.6513], [86001, 86003, 86004]],
    ["Kingman", [35.1894, -114.053], [86401, 86409]],
    ["Cody", [44.5263, -109.0565], [82414]],
    ["Nome", [64.5011, -165.4064], [99762]],
    ["Fairbanks", [64.8378, -147.7164], [99701, 99707, 99709, 99712]],
    ["Anchorage", [61.2181, -149.9003], [99501, 99503, 99507]],
  ];
  for (const [name, [townLat, townLng], ofTown] of towns) {
    for (const zip of ofTown) {
      const miles = haversineMiles(...pointOf(zip), townLat, townLng);
      assert.ok(miles < 12, `${zip} is ${miles} miles from ${name}`);
    }
  }
});

test("suburbs for which GeoNames only has a guess stay where they are", () => {
  assert.deepEqual(pointOf(23233), [37.643812, -77.629395]);
  assert.deepEqual(pointOf(80840), [39.000068, -104.864468]);
  assert.deepEqual(pointOf(99505), [61.284745, -149.653973]);
});

test("10200 is in New York, not at its eastern longitude", () => {
  const [, east] = pointOf(10200);
  assert.ok(east > -74.1 && east < -73.7, String(east));
});

test("no ZIP of a state is more than 150 miles from the state's next one", () => {
  const TERRITORIES = new Set(["AS", "FM", "MH", "MP", "GU", "VI", "PW"]);
  const WAKE_ISLAND = 96898;
  const states = Map.groupBy(loadZipPlaces(), ({ state }) => state);
  for (const [state, places] of states) {
    const located = places
      .map(({ zip }) => Number(zip))
      .filter((zip) => INDEXES.has(zip) && zip !== WAKE_ISLAND);
    if (TERRITORIES.has(state)) continue;
    for (const zip of located) {
      const miles = nearestOf(zip, located);
      assert.ok(miles <= 150, `${zip} ${state}: ${miles} miles`);
    }
  }
});

test("all misplaced ZIPs that users reported are in their town", (t) => {
  if (!existsSync(FIELD))
    return t.skip("the reports are not there (../shared)");
  const places = new Map(
    loadZipPlaces().map((place) => [Number(place.zip), place]),
  );
  const towns = Map.groupBy(places.values(), ({ city, state }) => city + state);
  const [, ...rows] = readFileSync(FIELD, "utf8").trim().split("\n");
  assert.ok(rows.length > 60);
  for (const row of rows) {
    const [code, , , kind, , , , , reference] = row.split(",");
    const zip = Number(code);
    // Both packages have Dinosaur's second ZIP at Elk Springs, 20 miles away.
    if (zip === 81633) continue;
    const { city, state } = places.get(zip) ?? assert.fail(code);
    const ofTown = (towns.get(city + state) ?? []).map((place) =>
      Number(place.zip),
    );
    const others = kind === "town" ? [Number(reference)] : ofTown;
    const miles = nearestOf(zip, others);
    assert.ok(miles <= IN_TOWN_MILES, `${code} is ${miles} miles away`);
  }
});

interface Known {
  census?: Place;
  geonames?: Place;
}

/** The points that are chosen for the ZIPs of one town, next to areas of others. */
function choose(
  town: Readonly<Record<number, Known>>,
  others: readonly ZipPoint[] = [],
): Record<number, Place> {
  const census: ZipPoint[] = [];
  const geonames: ZipEntry[] = [];
  for (const [zip, known] of Object.entries(town)) {
    if (known.census !== undefined) census.push(area(+zip, known.census));
    geonames.push(entry(+zip, known.geonames ?? [0, 0], "NE"));
  }
  const chosen = chooseZipPoints([...census, ...others], geonames);
  return Object.fromEntries(
    Object.keys(town).map((zip) => {
      const point = chosen.get(Number(zip)) ?? assert.fail(zip);
      return [zip, [point.lat, point.lng]];
    }),
  );
}

function area(zip: number, [areaLat, areaLng]: Place): ZipPoint {
  return { zip: String(zip).padStart(5, "0"), lat: areaLat, lng: areaLng };
}

function entry(zip: number, place: Place, state: string): ZipEntry {
  return { ...area(zip, place), city: "Testville", state };
}

function north(miles: number): Place {
  return [DOWNTOWN[0] + miles / NORTH_MILES, DOWNTOWN[1]];
}

function pointOf(zip: number): Place {
  const index = INDEXES.get(zip) ?? assert.fail(`ZIP ${zip}`);
  return [lat[index] ?? NaN, lng[index] ?? NaN];
}

/** The miles from a ZIP to the nearest one of some others that have a point. */
function nearestOf(zip: number, others: readonly number[]): number {
  const [fromLat, fromLng] = pointOf(zip);
  let least = Infinity;
  for (const other of others) {
    const index = INDEXES.get(other);
    if (other === zip || index === undefined) continue;
    // A cheap bound spares most of the distances.
    if (Math.abs((lat[index] ?? NaN) - fromLat) * 68 > least) continue;
    least = Math.min(
      least,
      haversineMiles(fromLat, fromLng, ...pointOf(other)),
    );
  }
  return least;
}
