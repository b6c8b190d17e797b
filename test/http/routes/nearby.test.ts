import assert from "node:assert/strict";
import test from "node:test";
import { badParameters, errorOf } from "../../support/program/http-error.ts";
import { loadCentroids } from "../../../src/reference/centroids.ts";
import { inventedNpi } from "../../support/registry/invented-npi.ts";
import { rawRow } from "../../support/registry/raw-row.ts";
import { startHttpService } from "../../support/service/http-service.ts";
import {
  CENTROIDS,
  CROWD,
  SAMPLE,
  sampleDirectory,
} from "../../support/service/sample-directory.ts";

const NEARBY = "/v1/providers/nearby";

test("nearby returns entries with their distance, and the center in meta, in the specified order", async () => {
  await using service = await startHttpService();
  const { statusCode, body } = await service.get(
    `${NEARBY}?zip=63101&radius=10`,
  );
  assert.equal(statusCode, 200);
  assert.equal(
    body,
    JSON.stringify({
      data: [
        {
          npi: SAMPLE.person,
          entity_type: "individual",
          name: {
            first: "MARIA",
            middle: "ANN",
            last: "O'BRIEN",
            credential: "MD",
          },
          organization_name: null,
          status: "active",
          primary_taxonomy: {
            code: "207Q00000X",
            description: "Family Medicine Physician",
          },
          city: "ST. LOUIS",
          state: "MO",
          distance_miles: 0,
        },
      ],
      meta: {
        count: 1,
        page: 1,
        limit: 25,
        radius_miles: 10,
        center: { zip: "63101", lat: 38.63, lng: -90.19 },
      },
    }),
  );
});

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

test("with lat and lng, they are the center, and its zip is the nearest one", async () => {
  await using service = await startHttpService();
  for (const query of [
    "lat=38.6&lng=-90.2",
    "lng=-90.2&lat=38.6",
    "zip=62701&lat=38.6&lng=-90.2",
    "zip=99999&lat=38.6&lng=-90.2",
  ]) {
    const { meta } = (await service.get(`${NEARBY}?${query}`)).json();
    assert.deepEqual(meta.center, { zip: "63101", lat: 38.6, lng: -90.2 });
  }
});

test("every ZIP with a centroid can be the center", async () => {
  await using service = await startHttpService();
  for (const [zip, point] of CENTROIDS) {
    const { meta } = (await service.get(`${NEARBY}?zip=${zip}`)).json();
    assert.deepEqual(meta.center, { zip, ...point });
  }
});

test("a location is required: a ZIP, or both lat and lng", async () => {
  await using service = await startHttpService();
  for (const [query, param] of [
    ["", "zip"],
    ["zip=", "zip"],
    ["zip=&lat=&lng=", "zip"],
    ["radius=5", "zip"],
    ["lat=38.6", "lng"],
    ["lng=-90.2", "lat"],
    ["lat=38.6&lng=", "lng"],
    ["lat=&lng=-90.2", "lat"],
    ["zip=62701&lat=38.6", "lng"],
    ["lng=-90.2&zip=62701", "lat"],
    ["zip=99999", "zip"],
    ["zip=00000", "zip"],
  ] as const) {
    const { statusCode, body } = await service.get(`${NEARBY}?${query}`);
    const error = errorOf(body);
    assert.deepEqual(
      [query, statusCode, error.code, error.param],
      [query, 400, "invalid_location", param],
    );
    assert.deepEqual(badParameters(body), [`${param} invalid_location`]);
  }
});

test("a malformed location is invalid_parameter, even a ZIP in addition to lat and lng", async () => {
  await using service = await startHttpService();
  for (const [query, expected] of [
    ["zip=6270", ["zip invalid_parameter"]],
    ["zip=6270&lat=38.6&lng=-90.2", ["zip invalid_parameter"]],
    ["lat=91&lng=0", ["lat invalid_parameter"]],
    ["lat=0&lng=-181", ["lng invalid_parameter"]],
    ["lat=north&lng=west", ["lat invalid_parameter", "lng invalid_parameter"]],
    ["zip=1&zip=2", ["zip invalid_parameter"]],
  ] as const) {
    const { body } = await service.get(`${NEARBY}?${query}`);
    assert.equal(errorOf(body).code, "invalid_parameter", query);
    assert.deepEqual(badParameters(body), expected);
  }
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

test("bad parameters come before a missing location, which is listed last", async () => {
  await using service = await startHttpService();
  for (const [query, expected] of [
    [
      "radius=0&limit=0",
      [
        "radius invalid_parameter",
        "limit invalid_parameter",
        "zip invalid_location",
      ],
    ],
    ["lat=95", ["lat invalid_parameter", "lng invalid_location"]],
    ["lng=1&foo=2", ["foo invalid_parameter", "lat invalid_location"]],
  ] as const) {
    const { body } = await service.get(`${NEARBY}?${query}`);
    assert.equal(errorOf(body).code, "invalid_parameter", query);
    assert.equal(errorOf(body).param, expected[0].split(" ")[0]);
    assert.deepEqual(badParameters(body), expected);
  }
});

test("the radius is greater than 0 and at most 500 miles", async () => {
  await using service = await startHttpService();
  for (const [radius, status] of [
    ["0", 400],
    ["-5", 400],
    ["500.1", 400],
    ["500", 200],
    ["0.001", 200],
  ] as const) {
    const { statusCode } = await service.get(
      `${NEARBY}?zip=62701&radius=${radius}`,
    );
    assert.deepEqual([radius, statusCode], [radius, status]);
  }
});

test("names, taxonomies, entity_type and status are filters here; cities and states are not", async () => {
  await using service = await startHttpService();
  for (const [query, count] of [
    ["taxonomy=999X00000X", 1],
    ["specialty=family+medicine&status=deactivated", 1],
    ["specialty=gp&status=deactivated", 0],
    ["specialty=gp&specialty_scope=common&status=deactivated", 1],
    ["entity_type=organization", 1],
    ["name=lakeside", 1],
    ["name=testcase+N01", 10],
    ["name=testcase+N01&specialty=gp&specialty_scope=common", 10],
    ["name=testcase&status=deactivated", 0],
    ["name=maria", 0],
    ["name=maria&radius=100", 1],
    ["first_name=n12&last_name=test", 10],
    ["first_name=mariah&radius=100", 0],
    ["first_name=mariah&radius=100&name_aliases=true", 1],
    ["organization=clinic+lake", 1],
    ["organization=n01", 0],
    ["status=active&limit=100&page=2", CROWD + 1 - 100],
  ] as const) {
    const { meta } = (await service.get(`${NEARBY}?zip=62701&${query}`)).json();
    assert.deepEqual([query, meta.count], [query, count]);
  }
  for (const name of ["city", "state"]) {
    const { body } = await service.get(`${NEARBY}?zip=62701&${name}=x`);
    assert.deepEqual(badParameters(body), [`${name} invalid_parameter`]);
  }
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

test("there is a next page while pages are full; one past the end is empty", async () => {
  await using service = await startHttpService();
  const first = await service.get(`${NEARBY}?zip=62701&limit=100`);
  assert.equal(
    first.headers["link"],
    `<${NEARBY}?zip=62701&limit=100&page=1>; rel="first", <${NEARBY}?zip=62701&limit=100&page=2>; rel="next"`,
  );
  const second = await service.get(`${NEARBY}?zip=62701&limit=100&page=2`);
  assert.equal(
    second.headers["link"],
    `<${NEARBY}?zip=62701&limit=100&page=1>; rel="first", <${NEARBY}?zip=62701&limit=100&page=1>; rel="prev"`,
  );
  const past = await service.get(
    `${NEARBY}?zip=62701&page=${Number.MAX_SAFE_INTEGER}`,
  );
  assert.equal(past.statusCode, 200);
  assert.deepEqual(past.json().data, []);
});
