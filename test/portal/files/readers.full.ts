import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { zstdDecompressSync } from "node:zlib";
import { asyncBufferFromUrl, parquetReadObjects } from "hyparquet";
import { NO_BROWSER, visit } from "../browser.ts";
import {
  startHttpService,
  type HttpService,
} from "../../support/app/http-service.ts";
import {
  SAMPLE,
  writeSample,
} from "../../support/pure/engine/sample-directory.ts";
import { makeCurrentFiles } from "../../support/pure/snapshot-files.ts";

const HYPARQUET = fileURLToPath(new URL(".", import.meta.resolve("hyparquet")));
const filter = { npi: { $eq: SAMPLE.person } };
const columns = ["npi", "last_name"];
const EXPECTED = [{ npi: SAMPLE.person, last_name: "O'BRIEN" }];

test("hyparquet reads a provider from ranges, in Node", async () => {
  await using service = await startWithFiles();
  const file = await asyncBufferFromUrl(await requestOf(service));
  const compressors = {
    ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes),
  };
  const options = { file, columns, filter, compressors };
  assert.deepEqual(await parquetReadObjects(options), EXPECTED);
});

test(
  "and in a page of another site, which must not be kept from the ranges",
  { skip: NO_BROWSER },
  async () => {
    await using service = await startWithFiles();
    const request = await requestOf(service);
    await using site = createServer(({ url = "/" }, response) => {
      const isScript = url.endsWith(".js");
      response.setHeader(
        "content-type",
        isScript ? "text/javascript" : "text/html",
      );
      response.end(
        isScript ? readFileSync(join(HYPARQUET, url)) : "<title>A site</title>",
      );
    });
    await once(site.listen(0, "127.0.0.1"), "listening");
    const address = site.address();
    assert.ok(address !== null && typeof address === "object");
    await using visited = await visit(`http://127.0.0.1:${address.port}`);
    await visited.page.goto("/");
    const rows = await visited.page.evaluate(
      async ({ path, ...given }) => {
        const { asyncBufferFromUrl: open, parquetMetadataAsync: read } =
          await import(path);
        const metadata = await read(await open(given));
        return Number(metadata.num_rows);
      },
      { ...request, path: "/index.js" },
    );
    assert.ok(rows > 100);
    assert.deepEqual(visited.faults, []);
  },
);

async function startWithFiles(): Promise<HttpService> {
  const service = await startHttpService({ settings: { files: "on" } });
  writeSample(service.installation.folder);
  await makeCurrentFiles(service.installation.folder);
  return service;
}

/** Where a file is, with the key. */
async function requestOf(service: HttpService) {
  const { data } = (await service.get("/v1/files")).json();
  return {
    url: `http://127.0.0.1:${await service.listen()}${data[1].url}`,
    requestInit: { headers: { authorization: `Bearer ${service.paidKey}` } },
  };
}
