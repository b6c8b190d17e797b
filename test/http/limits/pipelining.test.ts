import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import test from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  startHttpService,
  type HttpService,
} from "../../support/app/http-service.ts";
import { cases } from "../../support/pure/full-run.ts";
import { until } from "../../support/pure/until.ts";
import { exchange } from "../../support/pure/raw-http.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";

/** More than the system keeps for a connection on both of its ends. */
const FLOOD_BYTES = 24 << 20;
/**
 * What of a flood may be read: what is parsed at once, what waits, and what was answered before the client's end was
 * full.
 */
const MAX_READ_BYTES = 2 << 20;
/** What of it may wait to be parsed: what is read at once, twice, and what may be there before. */
const MAX_WAITING_BYTES = (2 << 16) + (1 << 14);
const HOST = "Host: directory.example\r\n";

/** Connects and keeps both ends: the client's, and the server's. */
async function dial(
  service: HttpService,
): Promise<{ client: Socket; server: Socket } & Disposable> {
  const port = await service.listen();
  const accepted = once(service.app.server, "connection");
  const client = connect(port, "127.0.0.1");
  const [server]: Socket[] = await accepted;
  assert.ok(server !== undefined);
  client.on("error", () => undefined);
  return {
    client,
    server,
    [Symbol.dispose]: () => void client.destroy(),
  };
}

function get(path: string, key = ""): string {
  const authorization = key === "" ? "" : `Authorization: Bearer ${key}\r\n`;
  return `GET ${path} HTTP/1.1\r\n${HOST}${authorization}\r\n`;
}

for (const path of cases([
  "/v1/x",
  "/v1/providers/search",
  `/v1/providers/${SAMPLE.person}`,
  "/explore/providers/search",
  "/nowhere",
  "/healthz",
  "/openapi.json",
  "/docs",
  "/docs/errors",
  "/reference",
])) {
  test(`a client that pipelines ${path} and reads nothing is not read from either`, async () => {
    await using service = await startHttpService();
    using connection = await dial(service);
    const { client, server } = connection;
    let inWork: ServerResponse[] = [];
    let most = 0;
    service.app.server.prependListener("request", (_request, response) => {
      inWork = inWork.filter(({ writableFinished }) => !writableFinished);
      most = Math.max(most, inWork.push(response));
    });
    const request = get(path);
    const flood = Buffer.alloc(
      FLOOD_BYTES - (FLOOD_BYTES % request.length),
      request,
    );
    client.pause().write(flood);
    await until("answers to wait", () => server.writableLength > 0);
    for (let turn = 0; turn < 200; turn++) await nextTurn();
    assert.ok(most <= 2, `${most} requests were in progress at once`);
    assert.ok(
      server.bytesRead < MAX_READ_BYTES,
      `${server.bytesRead} bytes were read`,
    );
    assert.ok(
      server.readableLength <= MAX_WAITING_BYTES,
      `${server.readableLength} bytes wait to be parsed`,
    );
  });
}

test("pipelined requests are all answered in order, even with bodies", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const paths = Array.from(
    { length: 3_000 },
    (_, index) => `/nowhere/${index}`,
  );
  const requests = paths.map((path, index) => {
    switch (index % 4) {
      case 0:
        return `POST ${path} HTTP/1.1\r\n${HOST}Content-Length: 7\r\n\r\n\r\n\r\nabc`;
      case 1:
        return `POST ${path} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n4\r\n\r\n\r\n\r\n0\r\n\r\n`;
      default:
        return get(path);
    }
  });
  const last = `GET /healthz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
  const text = await exchange(port, [...requests, last].join(""));
  const statuses = text.match(/HTTP\/1\.1 \d+/g) ?? [];
  assert.equal(statuses.length, paths.length + 1);
  assert.equal(statuses.at(-1), "HTTP/1.1 200");
  const ids = [...text.matchAll(/x-request-id: test-(\d+)/g)];
  assert.deepEqual(
    ids.map(([, id]) => Number(id)),
    ids.map((_, index) => index + 1),
  );
});

test("a client gets all of its long pipelined answers", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const last = `GET /healthz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
  const text = await exchange(port, get("/docs/errors").repeat(2_000) + last);
  assert.equal(text.match(/HTTP\/1\.1 200/g)?.length, 2_001);
});

test("a connection with many searches does not hold up another one", async () => {
  await using service = await startHttpService();
  using busy = await dial(service);
  const search = get(
    "/v1/providers/search?name=test&limit=100",
    service.paidKey,
  );
  let answered = 0;
  service.app.server.on("request", (_request, response) => {
    response.once("close", () => void answered++);
  });
  busy.client.resume().write(search.repeat(2_000));
  await until("the first answers", () => answered > 10);
  using other = await dial(service);
  const before = answered;
  other.client.write(search);
  await once(other.client, "data");
  assert.ok(answered - before < 100, `${answered - before} came before it`);
});

for (const path of ["/nowhere", "/healthz", "/v1/providers/search"]) {
  test(`a connection that pipelines ${path} lets others go first after each answer`, async () => {
    await using service = await startHttpService();
    using busy = await dial(service);
    const answered: ServerResponse[] = [];
    let inTurn = 0;
    let most = 0;
    service.app.server.on("request", (_request, response) => {
      most = Math.max(most, ++inTurn);
      response.once("close", () => answered.push(response));
    });
    busy.client.resume().write(get(path).repeat(500));
    for (let turn = 0; answered.length < 500 && turn < 50_000; turn++) {
      await nextTurn();
      inTurn = 0;
    }
    assert.equal(answered.length, 500);
    assert.ok(most <= 4, `${most} requests were taken in one turn`);
  });
}

for (const earlier of [
  "/healthz",
  "/v1/providers/search?limit=100",
  `/v1/providers/${SAMPLE.person}`,
]) {
  test(`a pipelined CONNECT is answered after ${earlier}`, async () => {
    await using service = await startHttpService();
    const port = await service.listen();
    const text = await exchange(
      port,
      `${get(earlier, service.paidKey)}CONNECT directory.example:443 HTTP/1.1\r\n${HOST}\r\n`,
    );
    const answers = text.match(/HTTP\/1\.1 [0-9]{3}/g);
    assert.deepEqual(answers, ["HTTP/1.1 200", "HTTP/1.1 405"]);
  });
}
