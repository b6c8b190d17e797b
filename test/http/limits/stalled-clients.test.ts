import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import test from "node:test";
import { endStalled } from "../../../src/http/limits/server-limits.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { until } from "../../support/pure/until.ts";

/** Instead of half a minute. */
const STALLED_MS = 200;
const REQUEST = "GET /openapi.json HTTP/1.1\r\nHost: directory.example\r\n\r\n";

test("a client that does not read its answer is disconnected", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  assert.equal(service.app.server.timeout, 60_000);
  service.app.server.timeout = STALLED_MS;
  const accepted = once(service.app.server, "connection");
  const client = connect(port, "127.0.0.1");
  client.on("error", () => undefined);
  client.pause().write(REQUEST.repeat(2_000));
  const [server]: Socket[] = await accepted;
  assert.ok(server !== undefined);
  await until("an answer to wait", () => server.writableLength > 0);
  await until("the connection to end", () => server.destroyed);
  client.destroy();
});

test("a client that reads gets everything", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  service.app.server.timeout = STALLED_MS;
  const client = connect(port, "127.0.0.1");
  const count = 200;
  client.write(REQUEST.repeat(count - 1));
  client.write(REQUEST.replace("Host", "Connection: close\r\nHost"));
  // A status line can be in two pieces.
  const answers = (await text(client)).split("HTTP/1.1 200").length - 1;
  assert.equal(answers, count);
});

test("an answer that takes longer to make is not cut off", async () => {
  const server = createServer((_request, response) => {
    // Nothing moves on the connection until the timeout.
    server.once("timeout", () => setImmediate(() => response.end("made")));
  });
  await using _closed = server;
  endStalled(server, STALLED_MS);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const { port }: AddressInfo = address;
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    headers: { connection: "close" },
  });
  assert.equal(await response.text(), "made");
});
