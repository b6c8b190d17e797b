import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import test from "node:test";
import { limitConnections } from "../../../src/http/limits/server-limits.ts";
import { trackAnswers } from "../../../src/http/limits/open-answers.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { until } from "../../support/pure/until.ts";

const MOST = 8;
const STRANGER = "127.0.0.2";
const NEIGHBOUR = "127.0.0.3";

/** A connection from an address of this machine, once the server has accepted it. */
async function dial(server: Server, localAddress: string): Promise<Socket> {
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const accepted = once(server, "connection");
  const { port } = address;
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  // A connection closed with unread data is reset.
  socket.on("error", () => undefined).resume();
  await accepted;
  return socket;
}

function countOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) =>
      error === null ? resolve(count) : reject(error),
    );
  });
}

test("above the limit, the network with the most connections loses its oldest idle one", async () => {
  // It never answers, so requests stay pending.
  const server = createServer(() => undefined);
  trackAnswers(server);
  limitConnections(server, MOST);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const neighbours = [await dial(server, NEIGHBOUR)];
  const asking = await dial(server, STRANGER);
  const asked = once(server, "request");
  asking.write("GET / HTTP/1.1\r\nHost: directory.example\r\n\r\n");
  await asked;
  const strangers: Socket[] = [];
  while (strangers.length < 30) strangers.push(await dial(server, STRANGER));
  neighbours.push(await dial(server, NEIGHBOUR));
  await until(
    "the connections beyond the limit to end",
    async () => (await countOf(server)) === MOST,
  );
  await until(
    "their clients to notice",
    () => strangers.filter(({ closed }) => !closed).length === MOST - 3,
  );
  assert.deepEqual(
    neighbours.map(({ closed }) => closed),
    [false, false],
  );
  assert.equal(asking.closed, false);
  assert.deepEqual(
    strangers.slice(-5).map(({ closed }) => closed),
    [false, false, false, false, false],
  );
  for (const socket of [...neighbours, asking, ...strangers]) socket.destroy();
  await server[Symbol.asyncDispose]();
});

test("a client that opens thousands of connections keeps no more than the limit and locks no one out", async () => {
  await using service = await startHttpService();
  await service.listen();
  const { server } = service.app;
  const sockets: Socket[] = [];
  while (sockets.length < 2_200) sockets.push(await dial(server, STRANGER));
  const port = await service.listen();
  const response = await fetch(`http://127.0.0.1:${port}/healthz`);
  assert.equal(response.status, 200);
  assert.ok((await countOf(server)) <= 2_048);
  for (const socket of sockets) socket.destroy();
});
