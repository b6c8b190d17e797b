import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { PROJECT } from "../../src/build/built-folder.ts";
import { startHttpService } from "../support/app/http-service.ts";
import { CROWD, SAMPLE } from "../support/pure/engine/sample-directory.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { NO_BROWSER, visit } from "./browser.ts";

test(
  "the client works in a page of another site",
  { skip: NO_BROWSER },
  async () => {
    using folder = temporaryFolder();
    execFileSync(
      join(PROJECT, "node_modules/.bin/vite"),
      ["build", "--outDir", folder.path, "--emptyOutDir"],
      { cwd: join(PROJECT, "packages/client") },
    );
    const code = readFileSync(join(folder.path, "index.js"));
    const site = createServer(({ url }, response) => {
      const isModule = url === "/client.js";
      const type = isModule ? "text/javascript" : "text/html";
      response.setHeader("content-type", type);
      response.end(isModule ? code : "<!doctype html><title>Site</title>");
    }).listen(0, "127.0.0.1");
    await once(site, "listening");
    const address = site.address();
    assert.ok(address !== null && typeof address === "object");
    await using service = await startHttpService();
    await using window = await visit(`http://127.0.0.1:${address.port}`);
    await window.page.goto("/");
    const found = await window.page.evaluate(
      async ({ apiKey, baseUrl, npi, path }) => {
        const { ProviderDirectory, NotFoundError } = await import(path);
        const client = new ProviderDirectory({ baseUrl, apiKey });
        const { rateLimit, snapshot } = await client.providers
          .get(npi)
          .withResponse();
        const search = client.providers.search({ state: "IL", limit: 100 });
        let exported = 0;
        for await (const _ of client.providers.export({ state: "IL" }))
          exported++;
        const csv = await client.providers.export({ format: "csv" }).stream();
        const missing = await client.providers
          .get("1003000126")
          .catch((error: unknown) => error instanceof NotFoundError);
        return {
          left: rateLimit.month.remaining,
          snapshot,
          searched: (await search.toArray()).length,
          exported,
          lines: (await new Response(csv).text()).split("\r\n").length,
          missing,
        };
      },
      {
        apiKey: service.paidKey,
        baseUrl: `http://127.0.0.1:${await service.listen()}`,
        npi: SAMPLE.person,
        path: "/client.js",
      },
    );
    assert.deepEqual(found, {
      left: 24_999,
      snapshot: "20261116T031500000Z",
      searched: CROWD + 2,
      exported: CROWD + 2,
      lines: CROWD + 8,
      missing: true,
    });
    site.closeAllConnections();
    site.close();
  },
);
