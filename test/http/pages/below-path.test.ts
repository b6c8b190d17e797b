import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { PAGE_PATHS } from "../../../src/site/page-paths.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";
import {
  startHttpService,
  type HttpService,
} from "../../support/app/http-service.ts";
import { portalParts } from "../../support/app/portal-parts.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";
import { tileArchive } from "../../support/pure/tiles/tile-archive.ts";

const PREFIX = "/npi";
const PUBLIC_URL = `https://clinic.example${PREFIX}`;
const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const PATHS = [
  ...Object.values(PAGE_PATHS).map((path) =>
    path.replace(":npi", SAMPLE.person).replace(":page", "http-api"),
  ),
  "/nowhere",
  "/far/away/from/here",
];

/** The addresses in a page that a browser loads, follows, or shows in previews. */
function addressesIn(html: string): string[] {
  return Array.from(
    html.matchAll(
      /\s(?:href|src|action)="([^"#][^"]*)"|content="(https?:[^"]*)"/g,
    ),
    ([, address, preview = ""]) => address ?? preview,
  );
}

/** The path of the service at an address, as a proxy passes it on. Fails for an address that isn't the service's. */
function passedOn(address: string): string {
  const start = address.startsWith("/") ? PREFIX : PUBLIC_URL;
  assert.ok(address.startsWith(`${start}/`), address);
  return address.slice(start.length);
}

/** The assets that a service's files name, in its pages and in the files themselves. */
async function assetsOf(service: HttpService): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const waiting = new Set<string>();
  for (const url of PATHS) {
    const { body } = await service.ask({ url, headers: BROWSER });
    for (const address of addressesIn(body))
      if (address.includes("/assets/")) waiting.add(passedOn(address));
  }
  for (const path of waiting) {
    const { body, statusCode } = await service.ask({ url: path });
    assert.equal(statusCode, 200, path);
    found.set(path, body);
    if (!/\.(?:js|mjs|css)$/.test(path)) continue;
    // Next to the file that names them.
    for (const [, name = ""] of body.matchAll(
      /["'`(](?:\.\/|assets\/)?([\w.-]+-[\w-]{8}\.(?:js|mjs|css|json|png|svg|woff2?))["'`)?]/g,
    ))
      waiting.add(`/assets/${name}`);
  }
  return found;
}

suite("below a path", async () => {
  const folder = temporaryFolder();
  const tiles = join(folder.path, "tiles.pmtiles");
  writeFileSync(tiles, tileArchive({ tile: {} }));
  const service = await startHttpService({
    portal: await portalParts({
      explorer: "open",
      publicUrl: PUBLIC_URL,
      tiles,
    }),
    publicUrl: PUBLIC_URL,
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test("every address in a page starts with the path, and is there", async () => {
    for (const url of PATHS) {
      const { body } = await service.ask({ url, headers: BROWSER });
      assert.match(body, /<html data-prefix="\/npi"/);
      const addresses = addressesIn(body);
      assert.ok(addresses.length > 4, url);
      for (const address of addresses) {
        const path = passedOn(address);
        const { statusCode } = await service.ask({ url: path });
        assert.equal(statusCode, 200, `${address} in ${url}`);
      }
    }
  });

  test("assets name each other without a path", async () => {
    const assets = await assetsOf(service);
    assert.ok(assets.size > 40, String(assets.size));
    for (const [path, text] of assets)
      if (/\.(?:js|mjs|css)$/.test(path))
        assert.doesNotMatch(
          text,
          /["'`(]\/?assets\/[\w.-]+-[\w-]{8}\.|url\(["']?\//,
          path,
        );
  });

  test("the OpenAPI document, the configuration, and robots.txt have the path", async () => {
    const jsonAt = async (url: string) =>
      JSON.parse((await service.ask({ url })).body);
    const { servers } = await jsonAt("/openapi.json");
    assert.deepEqual(servers, [{ url: PUBLIC_URL }]);
    const { data } = await jsonAt("/portal.json");
    const { statusCode } = await service.ask({
      url: passedOn(data.tile_url),
      headers: { range: "bytes=0-9" },
    });
    assert.equal(statusCode, 206);
    const { body } = await service.ask({ url: "/robots.txt" });
    for (const [, path] of body.matchAll(/^Disallow: (.*)$/gm))
      passedOn(path ?? "");
  });

  test("redirects, Link, and doc_url lead below the path", async () => {
    for (const [url, to] of [
      ["/docs", "/reference"],
      ["/docs/errors", "/guide/errors"],
    ] as const) {
      const { headers } = await service.ask({ url, headers: BROWSER });
      assert.equal(headers.location, PREFIX + to);
    }
    const { headers } = await service.get("/v1/providers/search?limit=1");
    const links = [...String(headers["link"]).matchAll(/<([^>]*)>/g)];
    assert.ok(links.length > 1);
    for (const [, link = ""] of links) passedOn(link);
    const { body } = await service.get("/v1/providers/1");
    passedOn(JSON.parse(body).error.doc_url);
  });

  test("where the page's files aren't, it says where it works, and to programs what the proxy must do", async () => {
    const { body: page } = await service.ask({
      url: "/npi/guide",
      headers: BROWSER,
    });
    assert.match(
      page,
      /<p>This page works only at <a href="https:\/\/clinic\.example\/npi\/">[^<]*<\/a>, behind a proxy that removes \/npi from paths\.<\/p>/,
    );
    const answer = await service.get("/npi/v1/status");
    assert.equal(answer.statusCode, 404);
    assert.equal(
      JSON.parse(answer.body).error.message,
      'There is nothing at this path. The service is at https://clinic.example/npi, and its proxy must remove /npi from paths: see "Below a path" in docs/deploying.md.',
    );
    const elsewhere = await service.get("/npis/v1/status");
    assert.match(elsewhere.body, /See \/docs/);
  });
});

test("below a path, the plain pages of an installation without the portal link below it, too", async () => {
  await using service = await startHttpService({ publicUrl: PUBLIC_URL });
  const { body } = await service.ask({ url: "/docs", headers: BROWSER });
  const addresses = addressesIn(body);
  assert.ok(addresses.length > 1);
  for (const address of addresses) {
    const { statusCode } = await service.ask({ url: passedOn(address) });
    assert.equal(statusCode, 200, address);
  }
});
