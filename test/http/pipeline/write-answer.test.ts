import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import test from "node:test";
import { KEEP_ALIVE_TIMEOUT_MS } from "../../../src/http/limits/server-limits.ts";
import { FIXED_HEADER_LIST } from "../../../src/http/pipeline/headers.ts";
import { writeAnswer } from "../../../src/http/pipeline/write-answer.ts";

const BODY = '{"data":["É"]}';
const OWN = ["etag", 'W/"a"', "content-length", "16"];
/** Another value for a header that all answers have. */
const REPLACED = FIXED_HEADER_LIST.with(1, "https://directory.example");
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
      assert.equal(ours, nodes);
    }
  }
});

/** All bytes of a connection, but for the time. */
async function bytesOf(
  requests: string,
  answer: (response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS },
    (_request, response) => answer(response),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const socket = connect(address.port, address.address);
  socket.write(requests);
  const bytes = await text(socket);
  server.close();
  assert.match(bytes, /\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/);
  return bytes.replaceAll(/\r\nDate: [^\r]+/g, "\r\nDate");
}
