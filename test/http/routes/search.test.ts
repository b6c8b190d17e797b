import assert from "node:assert/strict";
import test from "node:test";
import { badParameters, errorOf } from "../../support/program/http-error.ts";
import { startHttpService } from "../../support/service/http-service.ts";
import {
  CROWD,
  SAMPLE,
  sampleDirectory,
} from "../../support/service/sample-directory.ts";

const SEARCH = "/v1/providers/search";
const ALL = CROWD + 6;

test("a search returns entries with the specified fields in the specified order", async () => {
  await using service = await startHttpService();
  const { body } = await service.get(`${SEARCH}?last_name=o%27brien`);
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
        },
      ],
      meta: { count: 1, page: 1, limit: 25, total: 1 },
    }),
  );
});

test("a search without filters pages through all providers, 25 at a time", async () => {
  await using service = await startHttpService();
  const seen: string[] = [];
  for (let page = 1; page <= 6; page++) {
    const { data, meta } = (await service.get(`${SEARCH}?page=${page}`)).json();
    assert.deepEqual(meta, {
      count: data.length,
      page,
      limit: 25,
      total: ALL,
    });
    seen.push(...data.map(({ npi }: { npi: string }) => npi));
  }
  assert.equal(seen.length, ALL);
  assert.equal(new Set(seen).size, ALL);
});

test("a page past the end is 200, empty, with the true total", async () => {
  await using service = await startHttpService();
  for (const page of [7, 1_000_000, Number.MAX_SAFE_INTEGER]) {
    const { statusCode, body } = await service.get(
      `${SEARCH}?page=${page}&limit=100`,
    );
    assert.equal(statusCode, 200);
    assert.deepEqual(JSON.parse(body), {
      data: [],
      meta: { count: 0, page, limit: 100, total: ALL },
    });
  }
});

test("every filter reaches the data", async () => {
  await using service = await startHttpService();
  for (const [query, total] of [
    ["name=mar+obr", 1],
    ["first_name=n00", 10],
    ["first_name=maria*", 1],
    ["last_name=testcase", CROWD],
    ["organization=clinic+lake", 1],
    ["entity_type=Organization", 2],
    ["status=deactivated", 2],
    ["last_updated_since=2025-08-19", ALL - 1],
    ["last_updated_since=2025-08-20", 0],
    ["last_updated_since=1900-01-01&status=deactivated", 1],
    ["city=saint+louis", 1],
    ["state=mo", 1],
    ["zip=63101", 1],
    ["taxonomy=999x00000x", 1],
    ["specialty=family", CROWD + 3],
    ["specialty=family+doctors", 0],
    ["specialty=family+doctors&specialty_scope=display", 0],
    ["specialty=family+doctors&specialty_scope=Common", CROWD + 3],
    ["specialty=Family-Doctor&specialty_scope=common&state=mo", 1],
    ["specialty=family+physic&specialty_scope=common", CROWD + 3],
    ["specialty=cardiologist&specialty_scope=common", 0],
    ["specialty=pcp&specialty_scope=common&taxonomy=207q00000x", CROWD + 3],
    ["specialty=pcp&specialty_scope=common&taxonomy=999X00000X", 0],
    ["specialty_scope=common", ALL],
    ["state=MO&entity_type=organization", 0],
    ["first_name=jos%C3%A9&state=il&status=deactivated", 1],
  ] as const) {
    const { meta } = (await service.get(`${SEARCH}?${query}`)).json();
    assert.deepEqual([query, meta.total], [query, total]);
  }
});

test("sort=name lists individuals by last name and organizations by their name, those without a name last", async () => {
  await using service = await startHttpService();
  const npisOf = async (query: string): Promise<string[]> => {
    const { data } = (await service.get(`${SEARCH}?${query}`)).json();
    return data.map(({ npi }: { npi: string }) => npi);
  };
  const named = await npisOf("sort=Name&limit=100");
  assert.deepEqual(named.slice(0, 5), [
    SAMPLE.organization,
    SAMPLE.foreign,
    SAMPLE.bare,
    SAMPLE.person,
    SAMPLE.deactivated,
  ]);
  const rest = await npisOf("sort=name&limit=100&page=2");
  assert.equal(named.length + rest.length, ALL);
  assert.equal(rest.at(-1), SAMPLE.withheld);
  assert.deepEqual(
    await npisOf("sort=name&state=IL&entity_type=organization"),
    [SAMPLE.organization],
  );
  const { headers } = await service.get(`${SEARCH}?sort=name&name=test`);
  assert.match(
    String(headers["link"]),
    /search\?sort=name&name=test&page=2>; rel="next"/,
  );
  assert.deepEqual(
    await npisOf("sort=relevance&name=test"),
    await npisOf("name=test"),
  );
});

test("an order that a search doesn't have is refused", async () => {
  await using service = await startHttpService();
  for (const sort of ["distance", "names", "-name"]) {
    const { body, statusCode } = await service.get(`${SEARCH}?sort=${sort}`);
    assert.equal(statusCode, 400);
    assert.equal(errorOf(body).message, "sort must be relevance or name.");
    assert.deepEqual(badParameters(body), ["sort invalid_parameter"]);
  }
});

test("entries have nulls if the registry has no value", async () => {
  await using service = await startHttpService();
  const { data } = (await service.get(`${SEARCH}?status=deactivated`)).json();
  assert.deepEqual(data.at(-1), {
    npi: SAMPLE.withheld,
    entity_type: null,
    name: null,
    organization_name: null,
    status: "deactivated",
    primary_taxonomy: null,
    city: null,
    state: null,
  });
});

test("Link has the first, previous and next page of the same search", async () => {
  await using service = await startHttpService();
  for (const [query, links] of [
    ["", { first: "page=1", next: "page=2" }],
    [
      "page=1&limit=100",
      { first: "limit=100&page=1", next: "limit=100&page=2" },
    ],
    [
      "page=2&limit=100",
      { first: "limit=100&page=1", prev: "limit=100&page=1" },
    ],
    ["page=3", { first: "page=1", prev: "page=2", next: "page=4" }],
    ["page=99", { first: "page=1", prev: "page=6" }],
    ["last_name=o%27brien", { first: "last_name=o'brien&page=1" }],
    [
      "city=St.+Louis&page=2&state=&name=ma%26r",
      {
        first: "city=St.%20Louis&name=ma%26r&page=1",
        prev: "city=St.%20Louis&name=ma%26r&page=1",
      },
    ],
  ] as const) {
    const { headers } = await service.get(`${SEARCH}?${query}`);
    const expected = Object.entries(links).map(
      ([rel, rest]) => `<${SEARCH}?${rest}>; rel="${rel}"`,
    );
    assert.equal(headers["link"], expected.join(", "), query);
  }
});

test("following next from the first page lists every provider once", async () => {
  await using service = await startHttpService();
  const seen = new Set<string>();
  let url: string | undefined = `${SEARCH}?limit=40`;
  while (url !== undefined) {
    const { headers, body } = await service.get(url);
    for (const { npi } of JSON.parse(body).data) seen.add(npi);
    url = /<([^>]*)>; rel="next"/.exec(String(headers["link"]))?.[1];
  }
  assert.equal(seen.size, ALL);
});

test("with a public URL, links are below it", async () => {
  await using service = await startHttpService({
    publicUrl: "https://directory.example/api",
  });
  const { headers } = await service.get(`${SEARCH}?state=MO`);
  assert.equal(
    headers["link"],
    `<https://directory.example/api${SEARCH}?state=MO&page=1>; rel="first"`,
  );
});

test("every bad parameter is listed in the order of the query string, and the first is param", async () => {
  await using service = await startHttpService();
  const { statusCode, body } = await service.get(
    `${SEARCH}?zip=1&lat=1&limit=0&name=%21&name=a&specialty_scope=any&country=USA`,
  );
  assert.equal(statusCode, 400);
  assert.equal(errorOf(body).param, "zip");
  assert.deepEqual(badParameters(body), [
    "zip invalid_parameter",
    "lat invalid_parameter",
    "limit invalid_parameter",
    "name invalid_parameter",
    "specialty_scope invalid_parameter",
    "country invalid_parameter",
  ]);
});

test("last_updated_since and country are 503 until another thread has read the records; everything else is answered", async () => {
  await using service = await startHttpService();
  const updated = {
    days: new Uint16Array(new SharedArrayBuffer(ALL * 2)),
    countries: new Uint16Array(new SharedArrayBuffer(ALL * 2)),
    isRead: new Int32Array(new SharedArrayBuffer(4)),
  };
  service.data.directory = await sampleDirectory({ updated });
  const since = `${SEARCH}?last_updated_since=2020-01-01`;
  for (const path of [since, `${SEARCH}?country=us`]) {
    const early = await service.get(path);
    assert.equal(early.statusCode, 503);
    assert.equal(errorOf(early.body).code, "data_not_loaded");
    assert.ok(Number(early.headers["retry-after"]) > 0);
  }
  assert.equal((await service.get(SEARCH)).statusCode, 200);
  updated.days.fill(65_000);
  Atomics.store(updated.isRead, 0, 1);
  const { body, statusCode } = await service.get(since);
  assert.equal(statusCode, 200);
  assert.equal(JSON.parse(body).meta.total, ALL);
});
