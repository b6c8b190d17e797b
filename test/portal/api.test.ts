import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { callApi, fetchAllPages } from "../../src/portal/api/api.ts";

test("a response that breaks off counts as offline, and doesn't hang", async (t) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write('{"data":', () => response.destroy());
  }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const outcome = await callApi(`http://127.0.0.1:${address.port}/`);
  assert.deepEqual(outcome, { ok: false, failure: { kind: "offline" } });
});

test("a list is fetched with all of its pages", async (t) => {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const page = Number(new URL(url, base).searchParams.get("page") ?? 1);
    if (page < 3)
      response.setHeader(
        "link",
        `<${base}/keys?page=1>; rel="first", <${base}/keys?page=${page + 1}>; rel="next"`,
      );
    response.end(JSON.stringify({ data: [page], meta: { page, total: 3 } }));
  }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const base = `http://127.0.0.1:${address.port}`;
  const outcome = await fetchAllPages<number>(`${base}/keys`);
  assert.ok(outcome.ok);
  assert.deepEqual(outcome.answer.data, [1, 2, 3]);
  assert.deepEqual(asked, ["/keys", "/keys?page=2", "/keys?page=3"]);
});
