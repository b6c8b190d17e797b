import assert from "node:assert/strict";
import test from "node:test";
import {
  accountOf,
  takeTimes,
} from "../../support/app/accounts-installation.ts";
import { errorOf } from "../../support/pure/http-error.ts";
import { askApp, startHttpService } from "../../support/app/http-service.ts";
import type { HttpService } from "../../support/app/http-service.ts";
import {
  faultyDirectory,
  SAMPLE,
} from "../../support/pure/engine/sample-directory.ts";

const LOOKUP = `/v1/providers/${SAMPLE.person}`;
const SEARCH = "/v1/providers/search?state=IL";
const NEARBY = "/v1/providers/nearby?zip=62701";

test("200 (also an empty page and HEAD) and 404 for a valid NPI count against the quota", async () => {
  await using service = await startHttpService();
  const urls = [
    LOOKUP,
    SEARCH,
    NEARBY,
    "/v1/providers/search?name=nothing+like+it",
    "/v1/providers/search?page=999",
    "/v1/providers/nearby?zip=62701&page=999",
    `/v1/providers/${SAMPLE.absent}`,
  ];
  let remaining = 25_000;
  for (const url of urls) {
    for (const method of ["GET", "HEAD"] as const) {
      service.installation.clock.nowMs += 1_000;
      const { headers } = await service.ask({
        url,
        method,
        headers: { authorization: `Bearer ${service.paidKey}` },
      });
      assert.deepEqual(
        [method, url, headers["x-ratelimit-remaining"]],
        [method, url, String(--remaining)],
      );
    }
  }
});

test("every other answer is free: 304, other errors, OPTIONS, health and documentation", async () => {
  await using service = await startHttpService();
  const first = await service.get(LOOKUP);
  const tag = String(first.headers.etag);
  for (const [url, headers, status] of [
    [LOOKUP, { "if-none-match": tag }, 304],
    ["/v1/providers/123", {}, 400],
    ["/v1/providers/search?limit=0", {}, 400],
    ["/v1/providers/search?limit=0", { "if-none-match": "*" }, 400],
    ["/v1/providers/nearby", {}, 400],
    ["/v1/providers/nearby?zip=99999", {}, 400],
    ["/v1/providers/search?name=%ff", {}, 400],
    ["/nowhere", {}, 404],
    [LOOKUP, { authorization: "Basic x" }, 401],
    ["/healthz", {}, 200],
    ["/readyz", {}, 200],
    ["/openapi.json", {}, 200],
    ["/docs", {}, 200],
  ] as const) {
    const { statusCode } = await service.get(url, { ...headers });
    assert.deepEqual([url, statusCode], [url, status]);
  }
  const last = await service.get(LOOKUP);
  assert.equal(first.headers["x-ratelimit-remaining"], "24999");
  assert.equal(last.headers["x-ratelimit-remaining"], "24998");
});

test("an answer that fails inside the service is free", async () => {
  await using service = await startHttpService();
  service.data.directory = faultyDirectory(service.data.directory);
  const failed = await service.get(LOOKUP);
  assert.equal(failed.statusCode, 500);
  assert.equal(errorOf(failed.body).code, "internal_error");
  assert.doesNotMatch(failed.body, /\.ts|private|member/);
  assert.equal(failed.headers["x-ratelimit-remaining"], "25000");
  assert.equal(failed.headers.etag, undefined);
});

test("every answer to a valid key has the limits, after this answer", async () => {
  await using service = await startHttpService();
  service.installation.clock.nowMs = Date.UTC(2026, 10, 21);
  for (const [url, key, policy, left] of [
    [
      LOOKUP,
      service.freeKey,
      '"month";q=1000;w=2592000, "burst";q=10;w=1',
      '"month";r=999;t=864000, "burst";r=9;t=1',
    ],
    [
      "/v1/providers/1",
      service.paidKey,
      '"month";q=25000;w=2592000, "burst";q=50;w=1',
      '"month";r=25000;t=864000, "burst";r=49;t=1',
    ],
  ] as const) {
    const { headers } = await service.ask({
      url,
      headers: { authorization: `Bearer ${key}` },
    });
    assert.equal(headers["ratelimit-policy"], policy);
    assert.equal(headers["ratelimit"], left);
    assert.equal(
      headers["x-ratelimit-reset"],
      String(Date.UTC(2026, 11, 1) / 1000),
    );
  }
});

test("the month's length is that of the current month", async () => {
  await using service = await startHttpService();
  service.installation.clock.nowMs = Date.UTC(2027, 1, 10);
  const { headers } = await service.get(LOOKUP);
  assert.match(
    String(headers["ratelimit-policy"]),
    /^"month";q=25000;w=2419200, /,
  );
});

test("above the quota every request is quota_exceeded, with Retry-After up to the first of next month", async () => {
  await using service = await startHttpService();
  const tag = await spendMonth(service);
  for (const [url, headers] of [
    [LOOKUP, {}],
    [LOOKUP, { "if-none-match": tag }],
    [SEARCH, { "if-none-match": "*" }],
    [NEARBY, {}],
    ["/v1/providers/nearby?zip=99999", {}],
    [`/v1/providers/${SAMPLE.absent}`, {}],
  ] as const) {
    const answer = await askFree(service, url, headers);
    assert.deepEqual([url, answer.statusCode], [url, 429]);
    assert.equal(errorOf(answer.body).code, "quota_exceeded");
    const { nowMs } = service.installation.clock;
    const toNextMonth = Math.ceil((Date.UTC(2026, 11, 1) - nowMs) / 1000);
    assert.equal(answer.headers["retry-after"], String(toNextMonth));
    assert.equal(answer.headers["x-ratelimit-remaining"], "0");
    assert.equal(answer.headers.etag, undefined);
  }
});

test("bad parameters and missing data come before the quota", async () => {
  await using service = await startHttpService();
  await spendMonth(service);
  const bad = await askFree(service, "/v1/providers/123");
  assert.equal(errorOf(bad.body).code, "invalid_npi");
  service.data.directory = null;
  const early = await askFree(service, LOOKUP);
  assert.equal(errorOf(early.body).code, "data_not_loaded");
});

test("the quota resets with the month", async () => {
  await using service = await startHttpService();
  await spendMonth(service);
  service.installation.clock.nowMs = Date.UTC(2026, 11, 1);
  const { statusCode, headers } = await askFree(service, LOOKUP);
  assert.equal(statusCode, 200);
  assert.equal(headers["x-ratelimit-remaining"], "999");
});

test("all keys of an account share its quota", async () => {
  await using service = await startHttpService();
  const { accounts } = service.installation;
  const made = await accounts.keys.create("free@clinic.example");
  assert.equal(made.outcome, "created");
  if (made.outcome !== "created") return;
  for (const [key, remaining] of [
    [service.freeKey, "999"],
    [made.key, "998"],
    [service.freeKey, "997"],
  ] as const) {
    const { headers } = await service.ask({
      url: LOOKUP,
      headers: { authorization: `Bearer ${key}` },
    });
    assert.equal(headers["x-ratelimit-remaining"], remaining);
  }
});

test("without data, operations are data_not_loaded after the checks of key and parameters, and free", async () => {
  await using service = await startHttpService();
  service.data.directory = null;
  for (const url of [LOOKUP, SEARCH, NEARBY]) {
    const { statusCode, headers, body } = await service.get(url);
    assert.deepEqual([url, statusCode], [url, 503]);
    assert.equal(errorOf(body).code, "data_not_loaded");
    assert.equal(headers["retry-after"], "5");
    assert.equal(headers["x-ratelimit-remaining"], "25000");
  }
  const bad = await service.get("/v1/providers/123");
  assert.equal(errorOf(bad.body).code, "invalid_npi");
  const keyless = await service.ask({ url: LOOKUP });
  assert.equal(errorOf(keyless.body).code, "missing_api_key");
});

test("without data, /healthz is 200 and /readyz 503 until data is loaded", async () => {
  await using service = await startHttpService();
  const { directory } = service.data;
  service.data.directory = null;
  const health = await service.ask({ url: "/healthz" });
  assert.equal(health.body, '{"data":{"status":"ok"},"meta":{}}');
  const early = await service.ask({ url: "/readyz" });
  assert.equal(early.statusCode, 503);
  assert.equal(errorOf(early.body).code, "data_not_loaded");
  assert.equal(early.headers["retry-after"], "5");
  service.data.directory = directory;
  const ready = await service.ask({ url: "/readyz" });
  assert.equal(
    ready.body,
    '{"data":{"status":"ready","warning":null},"meta":{"source":"NPPES (CMS), full file 2026-11-09"}}',
  );
  assert.equal(ready.headers["cache-control"], "no-store");
});

/** Spends the free account's month, and returns the tag of LOOKUP, got with its last request. */
async function spendMonth(service: HttpService): Promise<string> {
  const { freeKey, installation } = service;
  const process = await installation.startProcess();
  const { nowMs } = installation.clock;
  const account = await accountOf(process.gate, freeKey, nowMs);
  await takeTimes(process.gate, account, 999, nowMs);
  await process.write();
  const last = await askFree(service, LOOKUP);
  assert.equal(last.statusCode, 200);
  assert.equal(last.headers["x-ratelimit-remaining"], "0");
  return String(last.headers.etag);
}

function askFree(
  { app, installation, freeKey }: HttpService,
  url: string,
  headers: Record<string, string> = {},
) {
  installation.clock.nowMs += 1_000;
  return askApp(app, {
    url,
    headers: { authorization: `Bearer ${freeKey}`, ...headers },
  });
}
