import assert from "node:assert/strict";
import { request } from "node:http";
import test from "node:test";
import * as fc from "fast-check";
import { errorOf } from "../support/pure/http-error.ts";
import { startHttpService } from "../support/app/http-service.ts";
import { askRaw, exchange, rawGet } from "../support/pure/raw-http.ts";
import {
  SAMPLE,
  sampleDirectory,
} from "../support/pure/engine/sample-directory.ts";

const LOOKUP = `/v1/providers/${SAMPLE.person}`;

test("a new snapshot is served from the next request on", async () => {
  await using service = await startHttpService();
  const before = await service.get(LOOKUP);
  service.data.directory = await sampleDirectory({
    id: "20261123T031500000Z",
    createdAt: "2026-11-23T03:15:00.000Z",
  });
  const after = await service.get(LOOKUP);
  assert.equal(
    before.headers["last-modified"],
    "Mon, 16 Nov 2026 03:15:00 GMT",
  );
  assert.equal(after.headers["last-modified"], "Mon, 23 Nov 2026 03:15:00 GMT");
});

test("several requests on one connection are answered in their order", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const auth = `Host: a.example\r\nAuthorization: Bearer ${service.paidKey}\r\n`;
  const urls = ["/healthz", "/v1/providers/search?limit=100", LOOKUP, "/nope"];
  const pipelined = urls
    .map(
      (url, index) =>
        `GET ${url} HTTP/1.1\r\nX-Request-Id: ${index}\r\nAccept-Encoding: gzip\r\n${auth}${index === 3 ? "Connection: close\r\n" : ""}\r\n`,
    )
    .join("");
  const text = await exchange(port, pipelined);
  const ids = [...text.matchAll(/x-request-id: (\d)/g)].map(([, id]) => id);
  assert.deepEqual(ids, ["0", "1", "2", "3"]);
});

test("a request that expects 100 Continue gets it before its answer, behind another one too", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const auth = `Host: a.example\r\nAuthorization: Bearer ${service.paidKey}\r\n`;
  for (const url of [LOOKUP, "/openapi.json", "/v1/providers/export"]) {
    const text = await exchange(
      port,
      `GET ${LOOKUP} HTTP/1.1\r\n${auth}\r\n` +
        `GET ${url} HTTP/1.1\r\n${auth}Expect: 100-continue\r\nConnection: close\r\n\r\n`,
    );
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(
      ([, status]) => status,
    );
    assert.deepEqual([url, ...statuses], [url, "200", "100", "200"]);
  }
});

test("a body behind a GET is not read as the next request", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const { status } = await askRaw(
    port,
    rawGet("/healthz", ["Host: a.example", "Content-Length: 0"]),
  );
  assert.equal(status, 200);
  const text = await exchange(
    port,
    "POST /healthz HTTP/1.1\r\nHost: a.example\r\nContent-Length: 24\r\n\r\nGET /readyz HTTP/1.1\r\n\r\n" +
      "GET /healthz HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n",
  );
  assert.deepEqual(
    [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code),
    ["405", "200"],
  );
});

test("closing finishes requests in progress", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const status = await new Promise((resolve, reject) => {
    const asked = request({
      port,
      path: "/v1/providers/search?limit=100",
      headers: {
        authorization: `Bearer ${service.paidKey}`,
        "accept-encoding": "br",
      },
    });
    asked.on("error", reject);
    asked.on("response", (answer) => {
      void service.app.close();
      answer.on("end", () => resolve(answer.statusCode));
      answer.resume();
    });
    asked.end();
  });
  assert.equal(status, 200);
});

test("no request makes the service fail", async () => {
  await using service = await startHttpService();
  const parts = [
    "v1",
    "providers",
    "search",
    "nearby",
    SAMPLE.person,
    "healthz",
    "..",
    "",
    "%2F",
  ];
  const word = fc.oneof(
    fc.constantFrom(...parts, "name", "zip", "lat", "lng", "limit", "page"),
    fc
      .string({ unit: "binary", maxLength: 20 })
      .map((text) => encodeURIComponent(text.toWellFormed())),
    fc.stringMatching(/^[%&=+?;,:@A-Za-z0-9.*'()!~-]{0,20}$/),
  );
  const path = fc
    .array(word, { maxLength: 4 })
    .map((words) => `/${words.join("/")}`);
  const query = fc
    .array(fc.tuple(word, word), { maxLength: 5 })
    .map((pairs) => pairs.map((pair) => pair.join("=")).join("&"));
  const target = fc.oneof(
    fc.tuple(path, query).map(([before, after]) => `${before}?${after}`),
    query.map((after) => `/v1/providers/search?${after}`),
    query.map((after) => `/v1/providers/nearby?zip=62701&${after}`),
  );
  await fc.assert(
    fc.asyncProperty(target, async (url) => {
      const { statusCode, body } = await service.get(url);
      assert.ok(statusCode < 500, url);
      if (statusCode >= 400) assert.equal(errorOf(body).status, statusCode);
    }),
    { numRuns: 300 },
  );
});
