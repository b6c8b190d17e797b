import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { DETAIL_PARTS } from "../../../src/contract/detail-parts.ts";
import { PAGE_PATHS } from "../../../src/site/page-paths.ts";
import { errorOf } from "../../support/pure/http-error.ts";
import {
  startHttpService,
  type HttpService,
} from "../../support/app/http-service.ts";
import { portalParts } from "../../support/app/portal-parts.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";

const POLICY =
  "default-src 'none'; base-uri 'none'; connect-src 'self'; font-src 'self'; form-action 'none'; frame-ancestors 'none'; img-src 'self' data: blob:; script-src 'self'; style-src 'self'; worker-src 'self'";
/** A valid NPI that is not in the sample. */
const UNKNOWN_NPI = "1234567893";
const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

async function startPortal(parts: Parameters<typeof portalParts>[0] = {}) {
  return startHttpService({ portal: await portalParts(parts) });
}

/** The paths of the assets that the page names. */
function assetsOf(html: string): string[] {
  return [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(
    ([, path = ""]) => path,
  );
}

test("every page's path has HTML that may load only from this service", async () => {
  await using service = await startPortal();
  for (const path of Object.values(PAGE_PATHS)) {
    const url = path.replace(":npi", "1234567893").replace(":page", "errors");
    const { body, headers, statusCode } = await service.ask({ url });
    assert.equal(statusCode, 200, url);
    assert.equal(headers["content-type"], "text/html; charset=utf-8");
    assert.equal(headers["content-security-policy"], POLICY);
    assert.equal(headers["cache-control"], "no-cache");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(
      headers["referrer-policy"],
      /^\/(confirm-email|reset-password)$/.test(url)
        ? "no-referrer"
        : "same-origin",
    );
    assert.match(String(headers["permissions-policy"]), /geolocation=\(self\)/);
    assert.match(body, /<div id="root">/);
    // Nothing that the policy would block.
    assert.doesNotMatch(
      body,
      /<script(?![^>]*\ssrc=)|<style|\son[a-z]+=|style=/,
    );
  }
});

test("the policy allows the map's tile server, and no other host", async () => {
  await using service = await startPortal({
    tiles: "https://tiles.example/{z}/{x}/{y}.png",
  });
  const { headers } = await service.ask({ url: "/" });
  assert.equal(
    headers["content-security-policy"],
    POLICY.replace("connect-src 'self'", "$& https://tiles.example").replace(
      "blob:",
      "$& https://tiles.example",
    ),
  );
});

test("the page is revalidated each time, and sent if it has changed", async () => {
  await using service = await startPortal();
  const { headers } = await service.ask({ url: "/" });
  const again = await service.ask({
    url: "/",
    headers: { "if-none-match": String(headers.etag) },
  });
  assert.equal(again.statusCode, 304);
  assert.equal(again.body, "");
  const other = await service.ask({
    url: "/sign-in",
    headers: { "if-none-match": String(headers.etag) },
  });
  assert.equal(other.statusCode, 200);
  const head = await service.ask({ method: "HEAD", url: "/" });
  assert.equal(head.statusCode, 200);
  assert.equal(head.body, "");
  assert.equal(head.headers["content-length"], headers["content-length"]);
});

test("assets are cached forever, and sent in the requested encoding", async () => {
  await using service = await startPortal();
  const paths = assetsOf((await service.ask({ url: "/" })).body);
  assert.ok(paths.length >= 3);
  const script = paths.find((path) => path.endsWith(".js")) ?? "";
  const ask = (accept: string) =>
    service.ask({ url: script, headers: { "accept-encoding": accept } });
  const plain = await ask("");
  assert.equal(
    plain.headers["cache-control"],
    "public, max-age=31536000, immutable",
  );
  assert.equal(plain.headers["content-type"], "text/javascript; charset=utf-8");
  assert.equal(plain.headers.vary, "Accept-Encoding");
  assert.equal(plain.headers["content-encoding"], undefined);
  const brotli = await ask("gzip, deflate, br, zstd");
  assert.equal(brotli.headers["content-encoding"], "br");
  assert.deepEqual(brotliDecompressSync(brotli.rawPayload), plain.rawPayload);
  const gzip = await ask("br;q=0, gzip");
  assert.equal(gzip.headers["content-encoding"], "gzip");
  assert.deepEqual(gunzipSync(gzip.rawPayload), plain.rawPayload);
  const held = await service.ask({
    url: script,
    headers: { "if-none-match": String(plain.headers.etag) },
  });
  assert.equal(held.statusCode, 304);
  const head = await service.ask({ method: "HEAD", url: script });
  assert.equal(Number(head.headers["content-length"]), plain.rawPayload.length);
});

test("doc_url opens the guide's page on errors at the code's heading; programs get the codes at once", async () => {
  const portal = await portalParts();
  await using service = await startHttpService({ portal });
  const { body } = await service.get("/v1/providers/1");
  const { hash, pathname } = new URL(errorOf(body).doc_url);
  const shown = await service.ask({ url: pathname, headers: BROWSER });
  // A browser keeps the part after # (RFC 9110, 10.2.2).
  assert.deepEqual(
    [shown.statusCode, shown.headers.location, hash],
    [302, "/guide/errors", "#invalid_npi"],
  );
  assert.match(String(shown.headers.vary), /\bAccept\b/);
  const page = await service.ask({ url: "/guide/errors", headers: BROWSER });
  assert.equal(page.statusCode, 200);
  for (const accept of ["*/*", "application/json", "text/html, */*"]) {
    const told = await service.ask({ url: pathname, headers: { accept } });
    assert.equal(told.statusCode, 200);
    assert.match(told.body, /<section id="invalid_npi">/);
  }
});

test("/portal.json describes the installation", async () => {
  await using service = await startHttpService({
    portal: await portalParts(),
    settings: {
      files: "on",
      billing: {
        secretKey: "sk_test_1",
        webhookSecret: "whsec_1",
        prices: { paid: "price_1" },
        apiUrl: null,
      },
    },
  });
  const { body, headers } = await service.ask({ url: "/portal.json" });
  assert.equal(headers["cache-control"], "no-store");
  assert.deepEqual(JSON.parse(body).data, {
    name: "Example Directory",
    version: "1.2.3",
    logo: null,
    contact: null,
    privacy: null,
    terms: null,
    demo: false,
    explorer: "closed",
    sign_up: false,
    github: false,
    billing: false,
    tile_url: null,
    guide: "all",
    tile_attribution: null,
    scopes: ["name_scope", "taxonomy_scope", "location_scope"],
    details: DETAIL_PARTS,
    example_npi: null,
    examples: [],
    providers: service.data.directory?.counts.providers,
    plans: [
      {
        name: "free",
        quota: 1_000,
        requests_per_second: 10,
        files: false,
        price: "free",
        for_sale: false,
      },
      {
        name: "paid",
        quota: 25_000,
        requests_per_second: 50,
        files: true,
        price: "$29 a month",
        for_sale: true,
      },
    ],
    data_date: "2026-11-09",
    data_warning:
      "The data goes through 2026-11-09 and is 11 days old. The registry publishes an update every week.",
    source: service.data.directory?.source,
  });
});

test("/portal.json has examples that find someone, if the explorer is not closed", async () => {
  await using service = await startPortal({ explorer: "open" });
  const answer = await service.ask({ url: "/portal.json" });
  const { examples } = answer.json().data;
  assert.deepEqual(examples.at(-1), {
    text: `NPI ${SAMPLE.organization}`,
    operation: "lookup",
    filters: { npi: SAMPLE.organization },
  });
  for (const { filters, operation } of examples.slice(0, -1)) {
    const query = String(new URLSearchParams(filters));
    const found = await service.get(`/v1/providers/${operation}?${query}`);
    assert.ok(found.json().data.length > 0, query);
  }
});

test("without a build the pages say so, and the rest works", async () => {
  await using service = await startPortal({ site: null });
  const page = await service.ask({ url: "/", headers: BROWSER });
  assert.equal(page.statusCode, 503);
  assert.match(page.body, /These pages are not built/);
  assert.equal((await service.ask({ url: "/docs" })).statusCode, 200);
  assert.equal((await service.get("/v1/providers/search")).statusCode, 200);
  const nowhere = await service.ask({ url: "/nowhere", headers: BROWSER });
  assert.equal(errorOf(nowhere.body).code, "not_found");
});

test("the page of an unknown NPI is 404, if anyone may know", async () => {
  const statusOf = async (
    service: HttpService,
    npi: string,
    ip = "192.0.2.1",
  ) =>
    (
      await service.ask({
        url: `/npi/${npi}`,
        headers: { ...BROWSER, "x-forwarded-for": ip },
      })
    ).statusCode;
  await using open = await startHttpService({
    portal: await portalParts({ explorer: "open", perSecond: 2 }),
    trustProxy: 1,
  });
  assert.equal(await statusOf(open, SAMPLE.organization), 200);
  assert.equal(await statusOf(open, UNKNOWN_NPI), 404);
  for (const odd of ["1234567890", "123", "abc", "12345678901"])
    assert.equal(await statusOf(open, odd), 404, odd);
  const page = await open.ask({ url: `/npi/${UNKNOWN_NPI}`, headers: BROWSER });
  assert.match(page.body, /<div id="root">/);
  const head = await open.ask({
    method: "HEAD",
    url: `/npi/${UNKNOWN_NPI}`,
    headers: BROWSER,
  });
  assert.equal(head.statusCode, 404);
  assert.equal(head.body, "");
  assert.equal(head.headers["content-length"], page.headers["content-length"]);
  // In a browser's cache, it is still 404.
  const again = await open.ask({
    url: `/npi/${UNKNOWN_NPI}`,
    headers: { ...BROWSER, "if-none-match": String(page.headers.etag) },
  });
  assert.equal(again.statusCode, 404);
  // Above the explorer's limit, the page is sent without the check.
  for (let asked = 0; asked < 6; asked++)
    await statusOf(open, UNKNOWN_NPI, "192.0.2.9");
  assert.equal(await statusOf(open, UNKNOWN_NPI, "192.0.2.9"), 200);
  // Pages take of the same limit as the explorer's own requests.
  const headers = { "x-forwarded-for": "192.0.2.9" };
  const search = await open.ask({ url: "/explore/search", headers });
  assert.equal(search.statusCode, 429);
  assert.equal(await statusOf(open, "1234567890", "192.0.2.9"), 404);

  await using closed = await startPortal({ explorer: "signed-in" });
  assert.equal(await statusOf(closed, UNKNOWN_NPI), 200);
  assert.equal(await statusOf(closed, SAMPLE.organization), 200);
  assert.equal(await statusOf(closed, "1234567890"), 404);
});

test("/favicon.ico is there with a portal and without", async () => {
  await using withPortal = await startPortal();
  await using without = await startHttpService({});
  for (const service of [withPortal, without]) {
    const icon = await service.ask({ url: "/favicon.ico", headers: BROWSER });
    assert.equal(icon.statusCode, 200);
    assert.equal(icon.headers["content-type"], "image/x-icon");
    assert.match(String(icon.headers["cache-control"]), /max-age=\d{5}/);
    // An icon, of three pictures.
    assert.deepEqual([...icon.rawPayload.subarray(0, 6)], [0, 0, 1, 0, 3, 0]);
    const head = await service.ask({ method: "HEAD", url: "/favicon.ico" });
    assert.equal(head.statusCode, 200);
  }
});
