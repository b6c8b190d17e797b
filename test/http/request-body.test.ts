import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import test from "node:test";
import { startAuthService } from "../support/app/auth-service.ts";

const HEAD =
  "POST /auth/sign-up/email HTTP/1.1\r\nHost: a\r\nX-Requested-With: a\r\nContent-Type: application/json\r\n";

test("a body that is too long is refused once, by its length or while it comes, and closes the connection", async () => {
  await using service = await startAuthService();
  const port = await service.http.listen();
  const chunk = `1000\r\n${"x".repeat(4_096)}\r\n`;
  for (const request of [
    `${HEAD}Content-Length: 17000\r\n\r\n${"x".repeat(100)}`,
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(8)}`,
  ]) {
    const socket = connect(port, "127.0.0.1");
    socket.write(request);
    const answer = await text(socket);
    assert.equal(answer.match(/HTTP\/1\.1 /g)?.length, 1);
    assert.match(answer, /^HTTP\/1\.1 413 /);
    assert.match(answer, /\r\nconnection: close\r\n/i);
    assert.match(answer, /"code":"body_too_large"/);
  }
  // Still there.
  const socket = connect(port, "127.0.0.1");
  socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  await once(socket, "readable");
  assert.match(await text(socket), /^HTTP\/1\.1 200 /);
});
