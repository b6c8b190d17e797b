import assert from "node:assert/strict";
import test from "node:test";
import { errorOf } from "../../support/pure/http-error.ts";
import { loadCentroids } from "../../../src/reference/centroids.ts";
import { inventedNpi } from "../../support/pure/registry/invented-npi.ts";
import { rawRow } from "../../support/pure/registry/raw-row.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import {
  SAMPLE,
  sampleDirectory,
} from "../../support/pure/engine/sample-directory.ts";

const NEARBY = "/v1/providers/nearby";

test("entries come nearest first, and the default radius is 25 miles", async () => {
  await using service = await startHttpService();
  const { data, meta } = (
    await service.get(`${NEARBY}?zip=62701&limit=100`)
  ).json();
  assert.equal(meta.radius_miles, 25);
  const miles = data.map(
    (entry: { distance_miles: number }) => entry.distance_miles,
  );
  assert.deepEqual(miles.slice(0, 2), [0, 2.97]);
  assert.deepEqual(
    miles,
    miles.toSorted((a: number, b: number) => a - b),
  );
  const far = (
    await service.get(`${NEARBY}?zip=62701&radius=500&limit=100&page=2`)
  ).json();
  assert.equal(far.data.at(-1).npi, SAMPLE.person);
});

test("sort=name lists providers in the circle by name, with their distance", async () => {
  await using service = await startHttpService();
  const query = `${NEARBY}?zip=62704&limit=100`;
  const near = (await service.get(query)).json();
  const named = (await service.get(`${query}&sort=name`)).json();
  assert.deepEqual(named.meta, near.meta);
  const [first] = named.data;
  assert.equal(first.npi, SAMPLE.organization);
  assert.ok(first.distance_miles > 0);
  const second = await service.get(`${query}&sort=name&page=2`);
  const all = [...named.data, ...second.json().data];
  assert.deepEqual(
    all.slice(1, -1).map(({ name }) => name.last),
    Array.from({ length: all.length - 2 }, (_, at) =>
      at === 0 ? "RETIRED-EXAMPLE" : "TESTCASE",
    ),
  );
  assert.equal(
    (await service.get(`${query}&sort=distance`)).body,
    (await service.get(query)).body,
  );
  const { body } = await service.get(`${query}&sort=relevance`);
  assert.equal(errorOf(body).message, "sort must be distance or name.");
});

test("providers without a known centroid are in search, never in nearby", async () => {
  await using service = await startHttpService();
  const found = await service.get("/v1/providers/search?organization=maple");
  assert.equal(found.json().data[0].npi, SAMPLE.foreign);
  for (let page = 1; page <= 2; page++) {
    const { data } = (
      await service.get(`${NEARBY}?zip=62701&radius=500&limit=100&page=${page}`)
    ).json();
    const npis = new Set(data.map(({ npi }: { npi: string }) => npi));
    for (const npi of [SAMPLE.foreign, SAMPLE.withheld, SAMPLE.bare])
      assert.equal(npis.has(npi), false);
  }
});

test("with the packages' centroids, providers of a town are near its other ZIPs, and military ZIPs are nowhere", async () => {
  const { lat, lng, zips } = loadCentroids();
  await using service = await startHttpService();
  service.data.directory = await sampleDirectory({
    rows: ["82601", "82604", "09012"].map((postalCode, number) =>
      rawRow({
        npi: inventedNpi(220_000_000 + number),
        entityType: "2",
        organization: "INVENTED CLINIC",
        city: "CASPER",
        state: "WY",
        postalCode,
      }),
    ),
    centroids: new Map(
      Array.from(zips, (zip, index) => [
        String(zip).padStart(5, "0"),
        { lat: lat[index] ?? NaN, lng: lng[index] ?? NaN },
      ]),
    ),
  });
  const near = await service.get(`${NEARBY}?zip=82609&radius=20`);
  assert.deepEqual(
    near
      .json()
      .data.map(({ npi }: { npi: string }) => npi)
      .toSorted(),
    [inventedNpi(220_000_000), inventedNpi(220_000_001)],
  );
  const military = await service.get(`${NEARBY}?zip=09012`);
  assert.equal(military.statusCode, 400);
  assert.equal(errorOf(military.body).code, "invalid_location");
});
