import assert from "node:assert/strict";
import test from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { startHttpService } from "../../support/app/http-service.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";

const LONG = "/v1/providers/search?limit=100";
const MIDDLE = "/v1/providers/search?limit=20";

test("a body above 1 KB is compressed with the client's preferred encoding", async () => {
  await using service = await startHttpService();
  for (const url of [MIDDLE, LONG, "/openapi.json"]) {
    const plain = await service.get(url);
    assert.equal(plain.headers["content-encoding"], undefined);
    for (const [accept, encoding] of [
      ["gzip", "gzip"],
      ["br", "br"],
      ["gzip, deflate, br, zstd", "br"],
      ["gzip, br;q=0.5", "gzip"],
      ["br;q=0, gzip;q=0.1", "gzip"],
      ["*", "gzip"],
    ] as const) {
      const { headers, rawPayload } = await service.get(url, {
        "accept-encoding": accept,
      });
      assert.deepEqual(
        [url, accept, headers["content-encoding"]],
        [url, accept, encoding],
      );
      const unpack = encoding === "br" ? brotliDecompressSync : gunzipSync;
      assert.equal(unpack(rawPayload).toString(), plain.body);
      assert.ok(rawPayload.length < plain.rawPayload.length);
    }
  }
});

test("an answer has the same headers whether it could have been compressed or not", async () => {
  await using service = await startHttpService();
  for (const url of [LONG, `/v1/providers/${SAMPLE.person}`]) {
    const ask = async (headers: Record<string, string>) => {
      const answer = await service.get(url, {
        "x-request-id": "a",
        ...headers,
      });
      const moving = new Set(["ratelimit", "x-ratelimit-remaining", "date"]);
      return Object.fromEntries(
        Object.entries(answer.headers).filter(([name]) => !moving.has(name)),
      );
    };
    assert.deepEqual(
      await ask({}),
      await ask({ "accept-encoding": "identity" }),
    );
  }
});

test("a request's id with the name of a header changes no other header", async () => {
  await using service = await startHttpService();
  for (const url of [LONG, "/openapi.json"]) {
    const ask = async (id: string) => {
      const { headers } = await service.get(url, {
        "x-request-id": id,
        "accept-encoding": "gzip",
      });
      assert.equal(headers["x-request-id"], id);
      const { "content-encoding": encoding, vary } = headers;
      return { encoding, vary };
    };
    const usual = await ask("a");
    assert.equal(usual.encoding, "gzip");
    for (const id of ["content-type", "content-encoding", "vary"])
      assert.deepEqual(await ask(id), usual, `${url} ${id}`);
  }
});
