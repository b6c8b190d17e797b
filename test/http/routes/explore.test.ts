import assert from "node:assert/strict";
import { test } from "node:test";
import { PORTAL } from "../../../src/settings/portal-settings.ts";
import { errorOf } from "../../support/pure/http-error.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { startAuthService } from "../../support/app/auth-service.ts";
import { portalParts } from "../../support/app/portal-parts.ts";
import {
  CENTROIDS,
  SAMPLE,
} from "../../support/pure/engine/sample-directory.ts";

const ADA = "ada@clinic.example";

async function startOpen(perSecond = 1_000) {
  const portal = await portalParts({ explorer: "open", perSecond });
  return startHttpService({ portal });
}

function pair(zip: string): [number, number] {
  const point = CENTROIDS.get(zip);
  assert.ok(point !== undefined);
  return [point.lat, point.lng];
}

test("searches answer like /v1, with the location of each result", async () => {
  await using service = await startOpen();
  for (const path of [
    "search?name=lakeside&limit=5",
    "search?limit=100&page=2",
    "nearby?zip=62701&radius=100&limit=3",
    "nearby?zip=62701&location_scope=any",
    "nearby?zip=62701&radius=100&name=o%27brien",
  ]) {
    const { data, meta } = (await service.get(`/v1/providers/${path}`)).json();
    const explored = (await service.ask({ url: `/explore/${path}` })).json();
    assert.deepEqual(
      { data: explored.data, meta: explored.meta },
      { data, meta },
      path,
    );
    assert.equal(explored.points.length, data.length);
  }
  const found = await service.ask({ url: "/explore/search?zip=62701" });
  assert.deepEqual(found.json().points, [pair("62701")]);
  const foreign = await service.ask({ url: "/explore/search?name=maple" });
  assert.deepEqual(foreign.json().points, [null]);
});

test("a record has all stored details, and its location", async () => {
  await using service = await startOpen();
  const held = service.data.directory?.detailParts.map(String).join(",") ?? "";
  const { data, meta } = (
    await service.get(`/v1/providers/${SAMPLE.person}?include=${held}`)
  ).json();
  const explored = await service.ask({
    url: `/explore/providers/${SAMPLE.person}`,
  });
  assert.deepEqual(explored.json(), {
    data,
    meta,
    points: [pair("63101")],
    history: [],
  });
  const bare = await service.ask({ url: `/explore/providers/${SAMPLE.bare}` });
  assert.deepEqual(bare.json().points, [null]);
});

test("the explorer has the same errors as /v1", async () => {
  await using service = await startOpen();
  for (const [path, own] of [
    ["search?limit=0&nonsense=1", "search?limit=0&nonsense=1"],
    ["nearby", "nearby"],
    ["nearby?zip=00000", "nearby?zip=00000"],
    ["nearby?zip=00000", "map/nearby?zip=00000"],
    ["1234567890", "providers/1234567890"],
    [SAMPLE.absent, `providers/${SAMPLE.absent}`],
  ] as const) {
    const there = errorOf((await service.get(`/v1/providers/${path}`)).body);
    const here = errorOf((await service.ask({ url: `/explore/${own}` })).body);
    assert.deepEqual(
      { ...here, request_id: "" },
      { ...there, request_id: "" },
      own,
    );
  }
  service.data.directory = null;
  const { body } = await service.ask({ url: "/explore/search" });
  assert.equal(errorOf(body).code, "data_not_loaded");
});

test("taxonomies answer like /v1", async () => {
  await using service = await startOpen();
  for (const query of ["", "?q=fam&limit=20", "?limit=1&page=2"]) {
    const there = await service.get(`/v1/taxonomies${query}`);
    const here = await service.ask({ url: `/explore/taxonomies${query}` });
    assert.ok(there.json().data.length > 0);
    assert.deepEqual(here.json(), there.json());
  }
  const { body } = await service.ask({ url: "/explore/taxonomies?query=fam" });
  assert.equal(errorOf(body).code, "invalid_parameter");
});

test("an address that sends requests too fast has to wait, in every thread", async () => {
  await using service = await startOpen(2);
  const ask = (remoteAddress: string) =>
    service.ask({ url: "/explore/search", remoteAddress });
  for (let left = 5; left >= 0; left--) {
    const { headers, statusCode } = await ask("198.51.100.1");
    assert.equal(statusCode, 200);
    assert.equal(headers["ratelimit-policy"], '"burst";q=6;w=3');
    assert.match(String(headers.ratelimit), new RegExp(`^"burst";r=${left};`));
  }
  const refused = await ask("198.51.100.1");
  assert.equal(refused.statusCode, 429);
  assert.equal(errorOf(refused.body).code, "rate_limited");
  assert.equal(refused.headers["retry-after"], "1");
  assert.equal((await ask("198.51.100.2")).statusCode, 200);
  service.installation.clock.nowMs += 500;
  assert.equal((await ask("198.51.100.1")).statusCode, 200);
  assert.equal((await ask("198.51.100.1")).statusCode, 429);
});

test("a user who types fast, with suggestions, lists and maps, is never refused by default", async () => {
  const { defaultValue } = PORTAL.burstPerSecond;
  await using service = await startOpen(defaultValue);
  const asked = [
    ...Array.from({ length: 10 }, () => "/explore/search?limit=1"),
    ...Array.from({ length: 20 }, () => "/explore/suggest?q=l"),
    ...Array.from({ length: 40 }, () => "/explore/interpret?q=lakeside"),
  ];
  const statuses = async (paths: readonly string[]) => {
    const answers = await Promise.all(paths.map((url) => service.ask({ url })));
    return new Set(answers.map(({ statusCode }) => statusCode));
  };
  assert.deepEqual(await statuses([...asked, ...asked]), new Set([200]));
  for (let second = 0; second < 5; second++) {
    assert.deepEqual(await statuses(asked), new Set([200]));
    service.installation.clock.nowMs += 1_000;
  }
  await statuses(asked);
  for (const url of ["/explore/places", ...asked]) {
    const refused = await service.ask({ url });
    assert.equal(refused.statusCode, 429, url);
    assert.equal(refused.headers["retry-after"], "1");
  }
});

test("if it is not open, it answers signed-in users", async () => {
  await using service = await startAuthService({
    portal: await portalParts(),
  });
  const stranger = service.browser();
  const refused = await stranger.get("/explore/search");
  assert.equal(refused.statusCode, 401);
  assert.equal(errorOf(refused.body).code, "sign_in_required");
  const key = await stranger.get("/explore/search", {
    authorization: `Bearer ${service.http.paidKey}`,
  });
  assert.equal(key.statusCode, 401);
  const ada = await service.signedIn(ADA);
  assert.equal((await ada.get("/explore/search")).statusCode, 200);
  const { used } = (await ada.get("/account")).json().data;
  assert.equal(used, 0);
  await service.http.installation.accounts.users.suspend(ADA);
  assert.equal(
    errorOf((await ada.get("/explore/search")).body).code,
    "account_suspended",
  );
});

test("it is closed if it is not open and sign-in is off", async () => {
  await using service = await startHttpService({
    portal: await portalParts({ explorer: "signed-in" }),
  });
  const { body, statusCode } = await service.ask({ url: "/explore/search" });
  assert.equal(statusCode, 403);
  assert.equal(errorOf(body).code, "explorer_closed");
  const facts = await service.ask({ url: "/portal.json" });
  assert.equal(facts.json().data.explorer, "closed");
});
