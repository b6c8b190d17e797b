import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { callApi, fetchAllPages } from "../../src/portal/api/api.ts";
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { requestSamples } from "../../src/portal/api/request-samples.ts";

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

const run = promisify(execFile);
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;

test("the samples send the request that they show, whatever the search", async (t) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`);
    response.end('{"data":[],"meta":{}}');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const query = [
    ["name", `o'brien "$HOME" \`ls\` \\ é`],
    ["page", "2"],
  ] as const;
  const samples = requestSamples(
    { path: "/v1/providers/search", query },
    `http://127.0.0.1:${address.port}`,
  );
  const env = { PATH: process.env["PATH"], API_KEY: "pd_live_example" };
  const expected = `/v1/providers/search?${new URLSearchParams(query.map(([name, value]) => [name, value]))} Bearer pd_live_example`;
  for (const [program, args, isThere] of [
    ["sh", ["-c", samples.curl], has("curl")],
    [process.execPath, ["--input-type=module", "-e", samples.typescript], true],
    ["python3", ["-c", samples.python], has("python3")],
  ] as const) {
    if (!isThere) {
      t.diagnostic(`${program} is not here`);
      continue;
    }
    await run(program, args, { env });
    assert.equal(asked.pop(), expected, program);
  }
  server.close();
});
