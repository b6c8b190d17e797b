import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import test from "node:test";
import { FIXED_HEADERS } from "../../../src/http/pipeline/headers.ts";
import { errorOf } from "../../support/pure/http-error.ts";
import { LOCAL_URL, startHttpService } from "../../support/app/http-service.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";
import { askRaw, exchange } from "../../support/pure/raw-http.ts";

const HOST = "Host: directory.example\r\n";

test("requests that the HTTP parser rejects get the JSON error and the usual headers", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const garbage = [
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "HELLO\r\n\r\n",
    `FETCH /healthz HTTP/1.1\r\n${HOST}\r\n`,
    `GET /healthz HTTP/9.9\r\n${HOST}\r\n`,
    `GET /health z HTTP/1.1\r\n${HOST}\r\n`,
    `GET /health\0z HTTP/1.1\r\n${HOST}\r\n`,
    `GET /healthz HTTP/1.1\r\n${HOST}Bad Header: x\r\n\r\n`,
    `GET /healthz HTTP/1.1\r\n${HOST}Content-Length: nine\r\n\r\n`,
    `GET /healthz HTTP/1.1\r\n${HOST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
  ];
  for (const sent of garbage) {
    const { status, headers, body } = await askRaw(
      port,
      Buffer.from(sent, "latin1"),
    );
    const error = errorOf(body);
    assert.deepEqual(
      [sent, status, error.code],
      [sent, 400, "malformed_request"],
    );
    assert.equal(error.doc_url, `${LOCAL_URL}/docs/errors#malformed_request`);
    assert.equal(headers.get("x-request-id"), error.request_id);
    assert.equal(headers.get("connection"), "close");
    assert.equal(Number(headers.get("content-length")), body.length);
    for (const [name, value] of Object.entries(FIXED_HEADERS))
      assert.equal(headers.get(name), value, name);
  }
});

test("garbage after a good request does not affect its answer", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const key = `Authorization: Bearer ${service.paidKey}\r\n`;
  for (const paths of [
    ["/healthz"],
    [`/v1/providers/${SAMPLE.person}`],
    ["/v1/providers/search?state=IL", "/v1/providers/search?state=MO"],
  ]) {
    const good = paths.map(
      (path) => `GET ${path} HTTP/1.1\r\n${HOST}${key}\r\n`,
    );
    const text = await exchange(port, `${good.join("")}GARBAGE\r\n\r\n`);
    const answers = text.match(/HTTP\/1\.1 [0-9]{3}/g);
    const expected = [...paths.map(() => "HTTP/1.1 200"), "HTTP/1.1 400"];
    assert.deepEqual([paths, answers], [paths, expected]);
  }
});

test("an invalid body of an answered request causes no second answer", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  for (const framing of [
    "Transfer-Encoding: chunked\r\n\r\nno chunk\r\n",
    "Transfer-Encoding: unheard-of\r\n\r\n",
  ]) {
    const text = await exchange(
      port,
      `GET /healthz HTTP/1.1\r\n${HOST}${framing}`,
    );
    const answers = text.match(/HTTP\/1\.1 [0-9]{3}/g);
    assert.deepEqual([framing, answers], [framing, ["HTTP/1.1 200"]]);
  }
});

test("with a public URL, errors of unreadable requests link to it", async () => {
  await using service = await startHttpService({
    publicUrl: "https://directory.example",
  });
  const port = await service.listen();
  const { body } = await askRaw(port, "HELLO\r\n\r\n");
  assert.equal(
    errorOf(body).doc_url,
    "https://directory.example/docs/errors#malformed_request",
  );
});

test("CONNECT, an unknown expectation and an upgrade get ordinary answers", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const tunnel = await askRaw(
    port,
    `CONNECT directory.example:443 HTTP/1.1\r\n${HOST}\r\n`,
  );
  assert.equal(tunnel.status, 405);
  assert.equal(errorOf(tunnel.body).code, "method_not_allowed");
  assert.equal(tunnel.headers.get("allow"), "GET, HEAD, OPTIONS");
  for (const header of ["Expect: a-miracle", "Upgrade: websocket"]) {
    const { status } = await askRaw(
      port,
      `GET /healthz HTTP/1.1\r\n${HOST}${header}\r\nConnection: close\r\n\r\n`,
    );
    assert.deepEqual([header, status], [header, 200]);
  }
});

test("a client that resets the connection of its CONNECT does not end the service", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  for (let i = 0; i < 200; i++) {
    const accepted = once(service.app.server, "connection");
    const client = connect(port, "127.0.0.1");
    client.write(`CONNECT directory.example:443 HTTP/1.1\r\n${HOST}\r\n`, () =>
      client.resetAndDestroy(),
    );
    const [socket]: Socket[] = await accepted;
    assert.ok(socket !== undefined);
    if (!socket.closed) await new Promise((done) => socket.once("close", done));
  }
  assert.equal((await service.get("/healthz")).statusCode, 200);
});
