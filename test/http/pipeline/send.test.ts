import assert from "node:assert/strict";
import { once } from "node:events";
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import test from "node:test";
import { KEEP_ALIVE_TIMEOUT_MS } from "../../../src/http/limits/server-limits.ts";
import { FIXED_HEADER_LIST } from "../../../src/http/pipeline/headers.ts";
import { HeldResponses } from "../../../src/http/pipeline/send.ts";
import { JsonText } from "../../../src/search/render/json-text.ts";

const BODY = '{"data":["É"]}';
const OWN = ["etag", 'W/"a"', "content-length", "16"];
/** Another value for a header that all answers have. */
const REPLACED = FIXED_HEADER_LIST.with(1, "https://directory.example");
const MORE_THAN_A_SOCKET_TAKES = 20_000_000;
const LAST = "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
const REQUESTS = [
  "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n",
  "GET / HTTP/1.0\r\n\r\n",
  "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(5),
];

test("a rendered answer has the bytes that Node would write", async () => {
  for (const fixed of [FIXED_HEADER_LIST, REPLACED]) {
    const headers = [...fixed, ...OWN];
    for (const request of REQUESTS)
      assert.equal(
        await bytesOf(request + LAST, (response) =>
          write(new HeldResponses(), response, headers, rendered(BODY)),
        ),
        await nodesBytes(request + LAST, headers),
      );
  }
});

test("a rendered answer without room for its head has the same bytes", async () => {
  const headers = [...FIXED_HEADER_LIST, ...OWN];
  const request = REQUESTS[0]! + LAST;
  const narrow = rendered(BODY, 100);
  assert.equal(
    await bytesOf(request, (response) =>
      write(new HeldResponses(), response, headers, narrow),
    ),
    await nodesBytes(request, headers),
  );
});

test("an answer stays as it was while its client reads slowly", async () => {
  const held = new HeldResponses();
  const out = rendered("");
  await using server = await listening((request, response) => {
    const letter = request.url?.slice(1) ?? "";
    out.begin();
    out.utf8(letter.repeat(MORE_THAN_A_SOCKET_TAKES));
    const length = String(out.length);
    write(held, response, ["content-length", length], out);
  });
  const sockets = ["a", "b", "a"].map((letter) => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write(`GET /${letter} HTTP/1.1\r\nHost: a\r\n\r\n`);
    return { letter, socket };
  });
  await Promise.all(sockets.map(({ socket }) => once(socket, "readable")));
  for (const { letter, socket } of sockets) {
    const parts: Buffer[] = [];
    let missing = MORE_THAN_A_SOCKET_TAKES;
    for await (const bytes of socket) {
      const part = Buffer.from(bytes);
      missing -= part.length - (parts.length === 0 ? headLength(part) : 0);
      parts.push(part);
      if (missing === 0) break;
    }
    const body = Buffer.concat(parts).subarray(-MORE_THAN_A_SOCKET_TAKES);
    assert.ok(body.every((byte) => byte === letter.charCodeAt(0)));
  }
});

/** A body that waits. */
function page(letter: string): string {
  return letter.repeat(10_000);
}

function headLength(answer: Buffer): number {
  return answer.indexOf("\r\n\r\n") + 4;
}

test("a held answer stays as it was while its client reads slowly", async () => {
  const held = new HeldResponses();
  const out = rendered("");
  await using server = await listening((request, response) => {
    // Fills the connection, so that the answer has to wait.
    response.socket?.write(" ".repeat(MORE_THAN_A_SOCKET_TAKES));
    out.begin();
    out.utf8(page(request.url?.slice(1) ?? ""));
    held.write(response, ["content-length", String(out.length)], out);
    if (request.url === "/b") held.send();
  });
  const sockets = [];
  for (const letter of ["a", "b", "a", "b"]) {
    const socket = connect(server.port, "127.0.0.1");
    socket.write(`GET /${letter} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await once(socket, "readable");
    sockets.push({ letter, socket });
  }
  for (const { letter, socket } of sockets) {
    let received = "";
    for await (const bytes of socket) {
      received = (received + String(bytes)).trimStart();
      if (received.endsWith(page(letter))) break;
    }
    assert.ok(received.startsWith("HTTP/1.1 200 OK\r\n"));
  }
});

test("answers larger than the memory for waiting ones are written at once, after those held before", async () => {
  const held = new HeldResponses();
  const big = rendered("b".repeat(100_000));
  const answered: string[] = [];
  await using server = await listening((request, response) => {
    const path = request.url ?? "";
    response.once("finish", () => answered.push(path));
    if (path === "/small")
      held.write(response, ["content-length", "1"], rendered("s"));
    else held.write(response, ["content-length", "100000"], big);
  });
  const url = `http://127.0.0.1:${server.port}`;
  const small = fetch(`${url}/small`);
  await once(server.server, "request");
  const bigText = await (await fetch(`${url}/big`)).text();
  assert.equal(bigText.length, 100_000);
  assert.equal(await (await small).text(), "s");
  assert.deepEqual(answered, ["/small", "/big"]);
});

test("an answer whose client disconnects meanwhile is dropped, and other ones are written", async () => {
  const held = new HeldResponses();
  const waiting: ServerResponse[] = [];
  await using server = await listening((_request, response) => {
    waiting.push(response);
    const [gone, stays] = waiting;
    if (gone === undefined || stays === undefined) return;
    for (const each of [gone, stays])
      write(held, each, ["content-length", "1"], rendered("s"));
    gone.socket?.destroy();
  });
  const gone = connect(server.port, "127.0.0.1");
  gone.write(REQUESTS[0]!);
  await once(server.server, "request");
  const stays = connect(server.port, "127.0.0.1");
  stays.write(REQUESTS[0]!);
  assert.match(String(await once(stays, "data")), /\r\n\r\ns$/);
  assert.equal(await text(gone), "");
  stays.destroy();
});

/** Writes a response as `send` does. */
function write(
  held: HeldResponses,
  response: ServerResponse,
  headers: readonly string[],
  body: JsonText,
): void {
  if (!held.write(response, headers, body))
    response.writeHead(200, [...headers]).end(Buffer.from(body.copy()));
}

/** A text as a renderer writes it. */
function rendered(body: string, room = 2_048): JsonText {
  const out = new JsonText(room);
  out.begin();
  out.utf8(body);
  return out;
}

function nodesBytes(
  requests: string,
  headers: readonly string[],
): Promise<string> {
  return bytesOf(requests, (response) =>
    response.writeHead(200, [...headers]).end(Buffer.from(BODY)),
  );
}

/** All bytes of a connection, but for the time. */
async function bytesOf(
  requests: string,
  answer: (response: ServerResponse) => void,
): Promise<string> {
  await using server = await listening((_request, response) =>
    answer(response),
  );
  const socket = connect(server.port, "127.0.0.1");
  socket.write(requests);
  const bytes = await text(socket);
  assert.match(bytes, /\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/);
  return bytes.replaceAll(/\r\nDate: [^\r]+/g, "\r\nDate");
}

async function listening(
  answer: RequestListener,
): Promise<
  AsyncDisposable & { readonly port: number; readonly server: Server }
> {
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS },
    answer,
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return {
    port: address.port,
    server,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
