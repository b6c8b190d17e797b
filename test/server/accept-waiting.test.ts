import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, get } from "node:http";
import { test } from "node:test";
import { acceptWaiting } from "../../src/server/workers/accept-waiting.ts";

/** Clients that connect at once. */
const CLIENTS = 100;

test("connections that wait to be accepted are accepted before the server closes", async () => {
  const server = createServer((_request, response) => {
    response.shouldKeepAlive = false;
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address !== "string");
  const { port } = address;
  const answers = Array.from({ length: CLIENTS }, async () => {
    const request = get({ port, host: "127.0.0.1", agent: false });
    const [response] = await once(request, "response");
    response.resume();
    return response.statusCode;
  });
  // The clients connect in this turn, in which the server accepts none.
  await new Promise((resolve) => process.nextTick(resolve));
  await acceptWaiting(server);
  server.close();
  assert.deepEqual(
    await Promise.all(answers),
    Array.from({ length: CLIENTS }, () => 200),
  );
});
