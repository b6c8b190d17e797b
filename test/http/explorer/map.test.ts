import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile } from "typebox/schema";
import {
  MapAnswer,
  MapPlacesAnswer,
} from "../../../src/contract/explorer/map.ts";
import { errorOf } from "../../support/pure/http-error.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { portalParts } from "../../support/app/portal-parts.ts";
import {
  CENTROIDS,
  CROWD,
} from "../../support/pure/engine/sample-directory.ts";

const answerCheck = Compile(MapAnswer);
const placesCheck = Compile(MapPlacesAnswer);

async function startMap() {
  const portal = await portalParts({ explorer: "open", perSecond: 1_000 });
  const service = await startHttpService({ portal });
  const get = (path: string) => service.ask({ url: `/explore/map/${path}` });
  return {
    service,
    error: async (path: string) => errorOf((await get(path)).body),
    async map(path: string): Promise<MapAnswer> {
      const answer = (await get(path)).json();
      const [, errors] = answerCheck.Errors(answer);
      assert.deepEqual(errors, [], path);
      return answer;
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

function row(zip: string, count: number): [string, number, number, number] {
  const { lat, lng } = CENTROIDS.get(zip) ?? assert.fail(zip);
  return [zip, lat, lng, count];
}

test("the map of a search has every ZIP of all matches, whatever the page", async () => {
  await using maps = await startMap();
  for (const query of ["", "limit=1&page=3", "name=testcase", "state=MO"]) {
    const { meta } = (
      await maps.service.get(`/v1/providers/search?${query}`)
    ).json();
    const map = await maps.map(`search?${query}`);
    assert.equal(map.meta.total, meta.total, query);
    assert.equal(map.meta.shown, map.meta.located);
    const counted = map.data.reduce((sum, [, , , count]) => sum + count, 0);
    assert.equal(counted, map.meta.located);
  }
  const { data, meta } = await maps.map("search?zip=62701");
  assert.deepEqual(data, [row("62701", 1)]);
  assert.deepEqual(meta, {
    total: 1,
    located: 1,
    shown: 1,
    grouped_by: "zip",
  });
});

test("the map of a nearby search has its circle, and the ZIPs in it", async () => {
  await using maps = await startMap();
  const { data, meta } = await maps.map("nearby?zip=62701&radius=100&limit=1");
  assert.deepEqual(data, [
    row("62701", 1),
    // The crowd, and the deactivated one.
    row("62704", CROWD + 1),
    row("63101", 1),
  ]);
  const [zip, lat, lng] = row("62701", 1);
  assert.deepEqual(meta, {
    total: CROWD + 3,
    located: CROWD + 3,
    shown: CROWD + 3,
    grouped_by: "zip",
    radius_miles: 100,
    center: { zip, lat, lng },
  });
  const named = await maps.map("nearby?zip=62701&radius=100&name=mar+obr");
  assert.deepEqual(named.data, [row("63101", 1)]);
});

test("each value of a facet counts what the search finds with its filters", async () => {
  await using maps = await startMap();
  const searches = ["search?", "search?state=IL", "search?name=o"];
  for (const search of [...searches, "nearby?zip=62701&radius=100"]) {
    const { facets } = await maps.map(search);
    assert.ok(facets.length > 0, search);
    for (const { filters, total } of facets.flatMap(({ values }) => values)) {
      const [operation, asked] = search.split("?");
      const query = new URLSearchParams(asked);
      for (const [name, value] of Object.entries(filters))
        query.set(name, value);
      const narrowed = await maps.map(`${operation}?${query.toString()}`);
      assert.equal(narrowed.meta.total, total, query.toString());
    }
  }
  const part = await maps.map("search?bounds=-180,-90,180,90");
  assert.deepEqual(part.facets, []);
});

test("bounds show the ZIPs in a part of the map, and leave the totals as they are", async () => {
  await using maps = await startMap();
  const all = await maps.map("search");
  const [, lat, lng] = row("63101", 1);
  const around = [lng - 0.1, lat - 0.1, lng + 0.1, lat + 0.1].join();
  for (const path of ["search?", "nearby?zip=62701&radius=500&"]) {
    const { data, meta } = await maps.map(`${path}bounds=${around}`);
    assert.deepEqual(data, [row("63101", data[0]![3])]);
    assert.equal(meta.shown, data[0]![3]);
    assert.ok(meta.located > meta.shown);
  }
  const world = await maps.map("search?bounds=-180,-90,180,90");
  assert.deepEqual(world, { ...all, facets: [] });
  const sea = await maps.map("search?bounds=170,-10,-170,10");
  assert.deepEqual(sea.data, []);
});

test("places are the cities with the most providers, and stay in the browser's cache", async () => {
  await using maps = await startMap();
  const url = "/explore/places";
  const first = await maps.service.ask({ url });
  const { data, meta }: MapPlacesAnswer = first.json();
  const [, errors] = placesCheck.Errors({ data, meta });
  assert.deepEqual(errors, []);
  assert.equal(meta.count, data.length);
  const counts = data.map(([, , , , count]) => count);
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => b - a),
  );
  for (const [city, state, lat, lng, count] of data) {
    const map = await maps.map(`search?city=${city}&state=${state}`);
    assert.equal(map.meta.total, count, city);
    assert.ok(map.data.some((each) => each[1] === lat && each[2] === lng));
  }
  assert.equal(first.headers["cache-control"], "private, no-cache");
  assert.equal(first.headers["access-control-allow-origin"], undefined);
  const again = await maps.service.ask({
    url,
    headers: { "if-none-match": String(first.headers["etag"]) },
  });
  assert.equal(again.statusCode, 304);
  assert.equal(again.body, "");
  // It replaces that of the copy, which must still be asked about.
  assert.equal(again.headers["cache-control"], "private, no-cache");
});

test("a list does not wait behind many maps", async () => {
  await using maps = await startMap();
  const answered: string[] = [];
  const ask = async (path: string): Promise<void> => {
    const { statusCode } = await maps.service.ask({ url: `/explore/${path}` });
    assert.equal(statusCode, 200);
    answered.push(path);
  };
  const many = Array.from({ length: 50 }, (_, index) =>
    ask(`map/nearby?zip=62701&radius=${index + 1}`),
  );
  await Promise.all([...many, ask("search")]);
  assert.ok(answered.indexOf("search") < 25, answered.join(" "));
});
