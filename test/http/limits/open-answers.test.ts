import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import test from "node:test";
import {
  answerOf,
  isBetweenRequests,
  isInBody,
  trackAnswers,
} from "../../../src/http/limits/open-answers.ts";
import { until } from "../../support/pure/until.ts";

test("a connection is between requests unless one is arriving or being answered", async () => {
  await using server = createServer();
  trackAnswers(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const { port }: AddressInfo = address;
  const accepted = once(server, "connection");
  const client = connect(port, "127.0.0.1").resume();
  const [socket]: Socket[] = await accepted;
  assert.ok(socket !== undefined);
  assert.ok(isBetweenRequests(socket));

  await send("GET / HTTP/1.1\r\nHo");
  assert.ok(!isBetweenRequests(socket));

  const first = await request("st: directory.example\r\n\r\n");
  assert.equal(answerOf(socket), first);
  assert.ok(!isBetweenRequests(socket));
  await answer(first);
  assert.equal(answerOf(socket), null);
  assert.ok(isBetweenRequests(socket));

  const second = await request(
    "POST / HTTP/1.1\r\nHost: directory.example\r\nContent-Length: 4\r\n\r\nab",
  );
  await answer(second);
  assert.ok(isInBody(socket));
  assert.ok(!isBetweenRequests(socket));
  const arrived = once(second.req, "close");
  await send("cd");
  await arrived;
  assert.ok(!isInBody(socket));
  assert.ok(isBetweenRequests(socket));
  client.destroy();

  async function send(bytes: string): Promise<void> {
    const before = socket?.bytesRead ?? 0;
    client.write(bytes);
    await until(
      "the bytes to arrive",
      () => socket?.bytesRead === before + bytes.length,
    );
  }

  function request(bytes: string): Promise<ServerResponse> {
    const asked = Promise.withResolvers<ServerResponse>();
    server.once("request", (_request, response) => asked.resolve(response));
    client.write(bytes);
    return asked.promise;
  }
});

async function answer(response: ServerResponse): Promise<void> {
  const sent = once(response, "close");
  response.end("answer");
  await sent;
}
