import assert from "node:assert/strict";
import { METHODS } from "node:http";
import test from "node:test";
import { errorOf } from "../../support/pure/http-error.ts";
import { askApp, startHttpService } from "../../support/app/http-service.ts";
import { askRaw } from "../../support/pure/raw-http.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";

const PATHS = [
  `/v1/providers/${SAMPLE.person}`,
  "/v1/providers/search",
  "/v1/providers/nearby",
  "/healthz",
  "/readyz",
  "/openapi.json",
  "/docs",
  "/docs/errors",
];

test("a path accepts GET, HEAD and OPTIONS; any other method is 405 with Allow, before the key and the body", async () => {
  await using service = await startHttpService();
  const others = METHODS.filter(
    (method) => !["GET", "HEAD", "OPTIONS", "CONNECT"].includes(method),
  );
  for (const url of PATHS) {
    for (const method of others) {
      const { statusCode, headers, body } = await askApp(service.app, {
        method,
        url,
        headers: { "content-type": "application/unheard-of" },
        payload: "<xml/>",
      });
      assert.deepEqual([method, url, statusCode], [method, url, 405]);
      assert.equal(headers.allow, "GET, HEAD, OPTIONS");
      if (method !== "TRACE")
        assert.equal(errorOf(body).code, "method_not_allowed");
    }
  }
});

test("HEAD is GET without the body: same status, same headers", async () => {
  await using service = await startHttpService();
  const urls = [
    ...PATHS,
    `/v1/providers/${SAMPLE.absent}`,
    "/v1/providers/123",
    "/v1/providers/search?limit=0",
    "/nowhere",
  ];
  for (const url of urls) {
    for (const encoding of ["identity", "gzip"]) {
      const headers = {
        authorization: `Bearer ${service.paidKey}`,
        "accept-encoding": encoding,
        "x-request-id": "the-same",
      };
      service.installation.clock.nowMs += 1_000;
      const get = await service.ask({ url, headers });
      service.installation.clock.nowMs += 1_000;
      const head = await service.ask({ url, headers, method: "HEAD" });
      assert.equal(head.body, "");
      assert.equal(head.statusCode, get.statusCode, url);
      assert.deepEqual(comparable(head.headers), comparable(get.headers), url);
    }
  }
});

test("over a real connection, HEAD has the length and no body", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const answer = await askRaw(
    port,
    "HEAD /healthz HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n",
  );
  assert.equal(answer.status, 200);
  assert.equal(answer.body, "");
  assert.equal(answer.headers.get("content-length"), "34");
});

test("OPTIONS * is about the service as a whole", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const { status, headers } = await askRaw(
    port,
    "OPTIONS * HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n",
  );
  assert.equal(status, 204);
  assert.equal(headers.get("allow"), "GET, HEAD, OPTIONS");
});

/** The headers, without counters and times, which differ between any two answers. */
function comparable(headers: Record<string, unknown>) {
  const moving = new Set([
    "ratelimit",
    "x-ratelimit-remaining",
    "date",
    "transfer-encoding",
  ]);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !moving.has(name)),
  );
}
