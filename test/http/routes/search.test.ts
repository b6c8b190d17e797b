import assert from "node:assert/strict";
import test from "node:test";
import { errorOf } from "../../support/pure/http-error.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import {
  CROWD,
  SAMPLE,
  sampleDirectory,
} from "../../support/pure/engine/sample-directory.ts";

const SEARCH = "/v1/providers/search";
const ALL = CROWD + 6;

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
