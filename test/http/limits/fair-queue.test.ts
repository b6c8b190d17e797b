import assert from "node:assert/strict";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import test from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  answerInTurns,
  turnLengthOf,
  turnsOf,
} from "../../../src/http/limits/fair-queue.ts";
import { HELD } from "../../../src/http/pipeline/send.ts";
import { JsonText } from "../../../src/search/render/json-text.ts";
import { finishHalfOpen } from "../../../src/http/limits/server-limits.ts";
import { trackAnswers } from "../../../src/http/limits/open-answers.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { until } from "../../support/pure/until.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";

/** Longer than a turn, so each request has its own. */
const SLOW_MS = 10;

/** Connections that the server has accepted. */
async function connections(server: Server, count: number): Promise<Socket[]> {
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const { port }: AddressInfo = address;
  const sockets = Array.from({ length: count }, () =>
    connect(port, "127.0.0.1"),
  );
  // Until then, what is written waits in the client.
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  await until("all connections to be taken", async () => {
    const taken = Promise.withResolvers<number>();
    server.getConnections((_error, number) => taken.resolve(number));
    return (await taken.promise) === count;
  });
  return sockets;
}

function ask(socket: Socket, path: string, key = ""): void {
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: directory.example\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
}

/** A server that answers each request after 10 ms of work, in turns; `answered` gets their paths. */
async function slowServer(
  answered: string[],
): Promise<Server & AsyncDisposable> {
  const answer = answerInTurns<{
    request: IncomingMessage;
    response: ServerResponse;
  }>(
    ({ request, response }) => {
      const end = performance.now() + SLOW_MS;
      while (performance.now() < end);
      answered.push(request.url ?? "");
      response.end();
    },
    turnsOf(() => 5),
    () => 0,
  );
  const server = createServer((request, response) =>
    answer({ request, response }),
  );
  trackAnswers(server);
  finishHalfOpen(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

test("requests are answered in order of arrival", async () => {
  const answered: string[] = [];
  await using server = await slowServer(answered);
  const sockets = await connections(server, 8);
  const paths = sockets.map((_, index) => `/${index}`);
  const answers = sockets.map((socket) => once(socket, "data"));
  for (const [index, socket] of sockets.entries())
    ask(socket, paths[index] ?? "");
  await Promise.all(answers);
  assert.deepEqual(answered, paths);
  for (const socket of sockets) socket.destroy();
});

test("a request whose client disconnects before its turn is dropped", async () => {
  const answered: string[] = [];
  await using server = await slowServer(answered);
  const sockets = await connections(server, 8);
  for (const socket of sockets) ask(socket, "/");
  await until("the first answer", () => answered.length > 0);
  for (const socket of sockets) socket.destroy();
  await until("the connections to end", async () => {
    const left = Promise.withResolvers<number>();
    server.getConnections((_error, number) => left.resolve(number));
    return (await left.promise) === 0;
  });
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  assert.ok(answered.length < 8, `${answered.length} were answered`);
});

test("a lookup does not wait behind earlier searches", async () => {
  await using service = await startHttpService();
  await service.listen();
  const sockets = await connections(service.app.server, 30);
  const lookup = sockets.at(-1);
  assert.ok(lookup !== undefined);
  const order: string[] = [];
  const answers = sockets.map(async (socket) => {
    const [bytes]: Buffer[] = await once(socket, "data");
    assert.match(bytes?.toString("latin1") ?? "", /^HTTP\/1\.1 200 /);
    order.push(socket === lookup ? "look-up" : "search");
  });
  for (const [number, socket] of sockets.entries()) {
    // Each another one: results are kept.
    const path =
      socket === lookup
        ? SAMPLE.person
        : `search?name=test&limit=${number + 1}`;
    ask(socket, `/v1/providers/${path}`, service.paidKey);
  }
  await Promise.all(answers);
  // It was asked last. Searches that arrived before it was read may be first.
  assert.notEqual(order.at(-1), "look-up");
  for (const socket of sockets) socket.destroy();
});

test("a slice of an export doesn't wait behind the requests in the queue", async () => {
  const answered: string[] = [];
  await using server = await slowServer(answered);
  const sockets = await connections(server, 20);
  for (const socket of sockets) {
    ask(socket, "/");
    // As many wait all the time.
    socket.on("data", () => ask(socket, "/"));
  }
  await until("the first answer", () => answered.length > 0);
  const before = answered.length;
  const takeTurn = turnsOf(() => 0);
  const made: number[] = [];
  await Promise.all(
    Array.from({ length: 4 }, async (_, number) => {
      for (let slice = 0; slice < 3; slice++) {
        await new Promise<void>((resolve) => takeTurn(resolve));
        made.push(number);
      }
    }),
  );
  assert.deepEqual(made, [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
  // One in each round of the thread.
  const meanwhile = answered.length - before;
  assert.ok(meanwhile <= made.length + 1, `${meanwhile} were answered`);
  for (const socket of sockets) socket.destroy();
});

test("a request that waits longer than ten seconds for its turn is refused, and nothing is counted", async () => {
  const counts: string[] = [];
  const failures: string[] = [];
  await using service = await startHttpService({
    answerCounts: {
      noteAnswer: (answered, status) => counts.push(`${answered} ${status}`),
      noteFailure: (code) => failures.push(code),
      noteKeyRefused: () => undefined,
    },
  });
  await service.listen();
  const { server } = service.app;
  const { clock } = service.installation;
  const requests = [
    ["/v1/providers/search?name=test", 10_001, 503],
    ["/v1/providers/export", 10_001, 503],
    ["/v1/providers/search?name=test", 10_000, 200],
  ] as const;
  const sockets = await connections(server, requests.length);
  for (const [index, [path, waitedMs, status]] of requests.entries()) {
    // Once it is in the queue.
    server.once("request", () => (clock.nowMs += waitedMs));
    const socket = sockets[index];
    assert.ok(socket !== undefined);
    ask(socket, path, service.paidKey);
    const [bytes]: Buffer[] = await once(socket, "data");
    const text = String(bytes);
    assert.ok(text.startsWith(`HTTP/1.1 ${status} `), text);
    if (status === 503) {
      assert.match(text, /\r\nretry-after: 10\r\n/);
      assert.match(text, /"code":"service_busy"/);
    } else assert.match(text, /\r\nX-RateLimit-Remaining: 24999\r\n/i);
  }
  for (const socket of sockets) socket.destroy();
  assert.deepEqual(counts, ["search 503", "export 503", "search 200"]);
  assert.deepEqual(failures, ["service_busy", "service_busy"]);
});

test("an answer held before a turn does not wait for it", async () => {
  const takeTurn = turnsOf(() => 5);
  const wereEnded: boolean[] = [];
  await using server = createServer((_request, response) => {
    let isEnded = false;
    response.once("finish", () => (isEnded = true));
    // The turn starts before the answer would be written by itself.
    takeTurn(() => wereEnded.push(isEnded));
    HELD.write(response, ["content-length", "0"], new JsonText(2_048));
    wereEnded.push(isEnded);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const [socket] = await connections(server, 1);
  assert.ok(socket !== undefined);
  ask(socket, "/");
  await once(socket, "data");
  assert.deepEqual(wereEnded, [false, true]);
  socket.destroy();
});

test("turns are short while connections arrive", async () => {
  await using server = createServer();
  const lengthMs = turnLengthOf(server);
  const usual = lengthMs();
  const taken: number[] = [];
  server.on("connection", () => taken.push(lengthMs()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  for (const socket of await connections(server, 8)) socket.destroy();
  assert.ok(taken.every((length) => length < usual / 5));
  await until("the usual length", () => lengthMs() === usual);
});
