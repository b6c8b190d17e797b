import assert from "node:assert/strict";
import test from "node:test";
import { errorOf } from "../../support/pure/http-error.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { askRaw, exchange, rawGet } from "../../support/pure/raw-http.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";

const SEARCH = "/v1/providers/search";

test("raw bytes above ASCII are malformed, and the message says what to do", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  for (const encoding of ["utf8", "latin1"] as const) {
    const { status, body } = await askRaw(
      port,
      rawGet(Buffer.from(`${SEARCH}?first_name=José`, encoding)),
    );
    const { code, message } = errorOf(body);
    assert.deepEqual([status, code], [400, "malformed_request"]);
    assert.match(message, /must be percent-encoded/);
  }
});

test("a # in the target is malformed, because clients must not send it", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  for (const target of [`${SEARCH}#name=x`, `${SEARCH}?name=x#y`]) {
    const { status, body } = await askRaw(port, rawGet(target));
    assert.deepEqual([status, errorOf(body).code], [400, "malformed_request"]);
  }
});

test("a target of 8,192 bytes is accepted, one more is uri_too_long on any path", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const long = await askRaw(port, rawGet(targetOf(8_192)));
  assert.deepEqual([long.status, errorOf(long.body).code], [404, "not_found"]);
  for (const bytes of [8_193, 20_000, 48_000]) {
    const { status, body, headers } = await askRaw(
      port,
      rawGet(targetOf(bytes)),
    );
    assert.deepEqual([status, errorOf(body).code], [414, "uri_too_long"]);
    assert.equal(
      headers.get("content-type"),
      "application/json; charset=utf-8",
    );
  }
});

test("a target too long for the parser is uri_too_long too", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  for (const bytes of [50_000, 70_000, 200_000]) {
    const { status, body } = await askRaw(
      port,
      rawGet(`/${"a".repeat(bytes)}`),
    );
    assert.deepEqual([status, errorOf(body).code], [414, "uri_too_long"]);
  }
});

test("headers of 16,384 bytes are accepted, more are headers_too_large", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const most = await askRaw(port, rawGet("/healthz", filledHeaders(16_384)));
  assert.equal(most.status, 200);
  for (const bytes of [16_385, 40_000, 100_000]) {
    const { status, body } = await askRaw(
      port,
      rawGet("/healthz", filledHeaders(bytes)),
    );
    assert.deepEqual([status, errorOf(body).code], [431, "headers_too_large"]);
  }
});

test("the size of headers includes names and line breaks", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const many = Array.from({ length: 3_500 }, () => "a:b");
  const { status } = await askRaw(
    port,
    rawGet("/healthz", ["Host: directory.example", ...many]),
  );
  assert.equal(status, 431);
});

test("a request without Host, or with two, is malformed before its key; HTTP/1.0 needs none", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const url = `/v1/providers/${SAMPLE.person}`;
  for (const headers of [[], ["Host: a.example", "host: b.example"]]) {
    const { status, body } = await askRaw(port, rawGet(url, headers));
    assert.deepEqual([status, errorOf(body).code], [400, "malformed_request"]);
  }
  const old = await exchange(port, "GET /healthz HTTP/1.0\r\n\r\n");
  assert.match(old, /^HTTP\/1\.1 200 OK\r\n/);
});

/** A request target of the given length. */
function targetOf(bytes: number): string {
  return `/nowhere?${"a".repeat(bytes - 9)}`;
}

/**
 * Headers that take the given number of bytes with `rawGet`'s own `Connection: close`, colons and line ends included.
 */
function filledHeaders(bytes: number): string[] {
  const others =
    "Host: directory.example\r\nConnection: close\r\nX-Filler: \r\n";
  const filler = "a".repeat(bytes - others.length);
  return ["Host: directory.example", `X-Filler: ${filler}`];
}
