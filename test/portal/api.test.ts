import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { ask } from "../../src/portal/api.ts";

test("an answer that breaks off in the middle is the service's absence, not a wait without end", async (t) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write('{"data":', () => response.destroy());
  }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const outcome = await ask(`http://127.0.0.1:${address.port}/`);
  assert.deepEqual(outcome, { ok: false, failure: { kind: "offline" } });
});
