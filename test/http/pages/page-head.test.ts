import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import { headHtml } from "../../../src/http/pages/page-head.ts";
import { PAGE_PATHS } from "../../../src/site/page-paths.ts";
import {
  startHttpService,
  type HttpService,
} from "../../support/app/http-service.ts";
import { portalParts } from "../../support/app/portal-parts.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";

const PUBLIC_URL = "https://providers.example";
const UNKNOWN_NPI = "1234567893";
const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test("control and bidirectional characters of a record are not in its title and preview", () => {
  const html = headHtml(
    {
      title: "Jane\u202e\u0007 Doe\u2069\u200f, MD",
      description: "NPI 1\u0000\u202d: address\r\nand phone.",
      url: null,
      isIndexed: false,
      requests: [],
    },
    "Clinic",
  );
  assert.doesNotMatch(html, /[^\n\P{C}]/u);
  assert.match(html, /<title>Jane Doe, MD – Clinic<\/title>/);
  assert.match(html, /"og:title" content="Jane Doe, MD"/);
  assert.match(html, /"og:description" content="NPI 1: address and phone."/);
});

async function start(
  parts: Parameters<typeof portalParts>[0],
  publicUrl: string | null = PUBLIC_URL,
): Promise<HttpService> {
  return startHttpService({ portal: await portalParts(parts), publicUrl });
}

function unescaped(text: string | undefined): string | undefined {
  return text
    ?.replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

/** What the head of a page says, unescaped; the title is without the service's name. */
async function headOf(service: HttpService, url: string) {
  const { body } = await service.ask({ url, headers: BROWSER });
  const [head = ""] = body.split("</head>");
  const all = (pattern: RegExp) =>
    Array.from(head.matchAll(pattern), ([, first = "", second]) => [
      first,
      unescaped(second),
    ]);
  const meta = new Map(
    [
      ...all(/<meta name="([a-z]+)" content="([^"]*)">/g),
      ...all(/<meta property="([a-z:_]+)" content="([^"]*)">/g),
    ].map(([name = "", value]) => [name, value]),
  );
  const [, title] = /<title>([^<]*)<\/title>/.exec(head) ?? [];
  assert.equal(head.match(/<title>/g)?.length, 1, url);
  assert.equal(unescaped(title), `${meta.get("og:title")} – Example Directory`);
  assert.equal(meta.get("og:description"), meta.get("description"));
  assert.equal(meta.get("og:site_name"), "Example Directory");
  assert.equal(meta.get("og:type"), "website");
  return {
    title: meta.get("og:title"),
    description: meta.get("description") ?? "",
    url: meta.get("og:url"),
    isIndexed: meta.get("robots") !== "noindex",
    preloads: all(/<link rel="preload" ()[^>]*href="([^"]*)">/g).map(
      ([, path]) => path,
    ),
    files: all(/<link rel="([a-z]+)" crossorigin href="([^"]*)">/g),
    body,
  };
}

suite("the head of a page", async () => {
  const open = await start({ explorer: "open" });
  after(() => open[Symbol.asyncDispose]());
  const ask = (url: string, headers: Record<string, string> = {}) =>
    open.ask({ url, headers: { ...BROWSER, ...headers } });

  test("says what the explorer has, and what a search looks for", async () => {
    const explorer = await headOf(open, "/");
    assert.equal(explorer.title, "Find a healthcare provider");
    assert.match(explorer.description, /map [0-9,]+ U\.S\. healthcare prov/);
    assert.match(explorer.description, /Data through 2026-11-09\./);
    assert.equal(explorer.url, `${PUBLIC_URL}/`);
    assert.equal(explorer.isIndexed, true);
    const query = "specialty=cardiologist&zip=60601&radius=25&utm_source=x";
    const search = await headOf(open, `/?${query}`);
    assert.equal(search.title, "Cardiologists near 60601");
    assert.match(search.description, /^Cardiologists near 60601: /);
    assert.equal(
      search.url,
      `${PUBLIC_URL}/?specialty=cardiologist&zip=60601&radius=25`,
    );
    assert.equal(search.isIndexed, false);
  });

  test("says who a provider is, and asks search engines not to list it", async () => {
    const { description, isIndexed, preloads, title, url } = await headOf(
      open,
      `/npi/${SAMPLE.person}`,
    );
    assert.equal(
      title,
      "Maria Ann O'Brien, MD – Family Medicine Physician in St. Louis, MO",
    );
    assert.match(description, new RegExp(`^NPI ${SAMPLE.person}: `));
    assert.equal(url, `${PUBLIC_URL}/npi/${SAMPLE.person}`);
    assert.equal(isIndexed, false);
    assert.deepEqual(preloads, [
      "/portal.json",
      `/explore/providers/${SAMPLE.person}`,
    ]);
    const unknown = await headOf(open, `/npi/${UNKNOWN_NPI}`);
    assert.equal(unknown.title, `NPI ${UNKNOWN_NPI} not found`);
    assert.equal(unknown.isIndexed, false);
    assert.deepEqual(unknown.preloads, ["/portal.json"]);
  });

  test("names the other pages", async () => {
    for (const [path, title, isIndexed] of [
      [PAGE_PATHS.guide, "Guide", true],
      ["/guide/errors", "Errors", true],
      [PAGE_PATHS.reference, "API reference", true],
      [PAGE_PATHS["sign-in"], "Sign in", true],
      [PAGE_PATHS.usage, "Usage", false],
      ["/nowhere", "Page not found", false],
    ] as const) {
      const head = await headOf(open, path);
      assert.equal(head.title, title);
      assert.ok(head.description.length > 20, path);
      assert.equal(head.isIndexed, isIndexed, path);
    }
    const { description } = await headOf(open, "/guide/errors");
    assert.match(description, /^Every error code/);
  });

  test("links to the files of the page, which exist", async () => {
    for (const path of Object.values(PAGE_PATHS)) {
      const url = path
        .replace(":npi", SAMPLE.organization)
        .replace(":page", "errors");
      const { body, files } = await headOf(open, url);
      const kinds = files.map(([kind]) => kind);
      assert.ok(kinds.includes("modulepreload"), path);
      assert.equal(new Set(files.map(String)).size, files.length, path);
      for (const [, file = ""] of files) {
        const { statusCode } = await open.ask({ method: "HEAD", url: file });
        assert.equal(statusCode, 200, file);
      }
      assert.ok(Buffer.byteLength(body) < 6_000, path);
    }
  });

  test("escapes and shortens what visitors typed", async () => {
    const name = `</title><script>"x"</script>&amp;`;
    const query = new URLSearchParams({ name });
    const { body, title } = await headOf(open, `/?${query.toString()}`);
    assert.equal(title, `“${name}”`);
    assert.ok(!body.includes("</title><script>"));
    const long = new URLSearchParams({ name: "<".repeat(2_000) });
    const page = await headOf(open, `/?${long.toString()}`);
    assert.equal(page.title?.length, 63);
    assert.equal(page.url, `${PUBLIC_URL}/`);
    const { body: closed } = await headOf(open, "/npi/%22%3E%3Cscript%3E");
    assert.ok(!closed.includes('script>"') && !closed.includes('"><script'));
  });

  test("changes the entity tag, and is compressed", async () => {
    const page = await ask("/?name=smith");
    const tag = String(page.headers.etag);
    assert.notEqual((await ask("/")).headers.etag, tag);
    const again = await ask("/?name=smith", { "if-none-match": tag });
    assert.equal(again.statusCode, 304);
    const packed = await ask("/?name=smith", { "accept-encoding": "br" });
    assert.equal(packed.headers["content-encoding"], "br");
    assert.equal(String(brotliDecompressSync(packed.rawPayload)), page.body);
    assert.match(String(packed.headers.vary), /\baccept-encoding\b/i);
  });

  test("is not for other sites' scripts", async () => {
    for (const url of ["/", `/npi/${SAMPLE.organization}`, "/nowhere"]) {
      const { headers } = await open.ask({ url, headers: BROWSER });
      assert.equal(headers["access-control-allow-origin"], undefined, url);
      assert.equal(headers["cross-origin-resource-policy"], "same-origin");
    }
  });

  test("has no URL unless the service knows its own", async () => {
    await using local = await start({ explorer: "open" }, null);
    assert.equal((await headOf(local, "/")).url, undefined);
  });

  test("says nothing about data if the explorer isn't open, or the visitor is too fast", async () => {
    await using closed = await start({ explorer: "signed-in" });
    for (const npi of [SAMPLE.organization, UNKNOWN_NPI]) {
      const { preloads, title } = await headOf(closed, `/npi/${npi}`);
      assert.equal(title, `NPI ${npi}`);
      assert.deepEqual(preloads, ["/portal.json"]);
    }
    const search = await headOf(closed, "/?name=smith");
    assert.equal(search.title, "Find a healthcare provider");
    assert.equal(search.isIndexed, false);
    assert.equal((await headOf(closed, "/")).isIndexed, true);
    await using slow = await start({ explorer: "open", perSecond: 1 });
    const titles = [];
    for (let asked = 0; asked < 4; asked++)
      titles.push((await headOf(slow, `/npi/${SAMPLE.organization}`)).title);
    assert.equal(titles.at(-1), `NPI ${SAMPLE.organization}`);
    assert.notEqual(titles[0], titles.at(-1));
  });
});
