import assert from "node:assert/strict";
import { once } from "node:events";
import {
  createServer,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import test from "node:test";
import { KEEP_ALIVE_TIMEOUT_MS } from "../../../src/http/limits/server-limits.ts";
import { FIXED_HEADER_LIST } from "../../../src/http/pipeline/headers.ts";
import {
  writeAnswer,
  writeRendered,
} from "../../../src/http/pipeline/write-answer.ts";
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

test("an answer has the bytes that Node would write", async () => {
  for (const headers of [
    [...FIXED_HEADER_LIST, ...OWN],
    [...REPLACED, ...OWN],
  ]) {
    for (const request of REQUESTS) {
      const ours = await bytesOf(request + LAST, (response) =>
        writeAnswer(response, headers, BODY),
      );
      const nodes = await bytesOf(request + LAST, (response) =>
        response.writeHead(200, headers).end(BODY),
      );
      const body = rendered(BODY);
      const asBytes = await bytesOf(request + LAST, (response) =>
        writeRendered(response, headers, body),
      );
      assert.equal(ours, nodes);
      assert.equal(asBytes, nodes);
    }
  }
});

test("a rendered answer without room for its head has the same bytes", async () => {
  const headers = [...FIXED_HEADER_LIST, ...OWN];
  const request = REQUESTS[0]! + LAST;
  const narrow = rendered(BODY, 100);
  assert.equal(
    await bytesOf(request, (response) =>
      writeRendered(response, headers, narrow),
    ),
    await bytesOf(request, (response) => writeAnswer(response, headers, BODY)),
  );
});

test("an answer stays as it was while its client reads slowly", async () => {
  const out = rendered("");
  await using server = await listening((request, response) => {
    const letter = request.url?.slice(1) ?? "";
    out.begin();
    out.utf8(letter.repeat(MORE_THAN_A_SOCKET_TAKES));
    const length = String(out.length);
    writeRendered(response, ["content-length", length], out);
  });
  const sockets = ["a", "b", "a"].map((letter) => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write(`GET /${letter} HTTP/1.1\r\nHost: a\r\n\r\n`);
    return { letter, socket };
  });
  await Promise.all(sockets.map(({ socket }) => once(socket, "readable")));
  for (const { letter, socket } of sockets) {
    let received = "";
    for await (const bytes of socket) {
      received += String(bytes);
      const head = received.indexOf("\r\n\r\n") + 4;
      if (received.length === head + MORE_THAN_A_SOCKET_TAKES) break;
    }
    assert.match(received, new RegExp(`\r\n\r\n${letter}+$`));
  }
});

/** A text as a renderer writes it. */
function rendered(body: string, room = 2_048): JsonText {
  const out = new JsonText(room);
  out.begin();
  out.utf8(body);
  return out;
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
): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS },
    answer,
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return {
    port: address.port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
