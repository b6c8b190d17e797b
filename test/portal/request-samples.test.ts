import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { once } from "node:events";
import { test } from "node:test";
import { promisify } from "node:util";
import { requestSamples } from "../../src/portal/api/request-samples.ts";

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
