import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { join } from "node:path";
import { suite, test } from "node:test";
import { pathToFileURL } from "node:url";
import { readRegistryPage } from "../../src/update/fetch-update.ts";
import {
  REGISTRY_PAGE,
  TAXONOMY_PAGE,
  parseSource,
} from "../../src/update/http/source.ts";
import {
  readTaxonomyPage,
  taxonomyVersionOf,
} from "../../src/update/offers/taxonomy-page.ts";
import { UpdateError } from "../../src/update/update-error.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { testRequestContext } from "./request-context.ts";
import { FileServer, refuse } from "./file-server.ts";

/** Written in the manner of the registry's page. */
const PAGE = `<!DOCTYPE html><html><head><title>NPI Files</title><link href="style.css" rel="stylesheet"></head><body>
<ul><li><a id='DDSMTH.ZIP.D' href='./NPPES_Data_Dissemination_November_2026_V2.zip'>Full Replacement File</a></li>
<li><a href='./NPPES_Data_Dissemination_November_2026.zip'>The same in version 1</a></li></ul>
<a href='./NPPES_Deactivated_NPI_Report_110926_V2.zip'>Deactivated</a>
<a href='./NPPES_Data_Dissemination_110926_111526_Weekly_V2.zip'>A week</a>
<a href="https://cdn.example/nppes/NPPES_Data_Dissemination_111626_112226_Weekly_V2.zip">Another</a>
<a href="NPPES_Readme.pdf">Read me</a></body></html>`;

function says(pattern: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof UpdateError && pattern.test(error.message);
}

suite("the registry's page", { concurrency: false }, () => {
  test("offers each file once, in its newest generation, wherever the link is", async () => {
    await using server = await FileServer.start();
    using asking = testRequestContext();
    server.page("/nppes/NPI_Files.html", PAGE);
    const page = server.url("/nppes/NPI_Files.html");
    const files = await readRegistryPage(page, asking);
    assert.deepEqual(
      files.map(({ url }) => url.href),
      [
        server.url("/nppes/NPPES_Data_Dissemination_November_2026_V2.zip").href,
        server.url("/nppes/NPPES_Deactivated_NPI_Report_110926_V2.zip").href,
        server.url(
          "/nppes/NPPES_Data_Dissemination_110926_111526_Weekly_V2.zip",
        ).href,
        "https://cdn.example/nppes/NPPES_Data_Dissemination_111626_112226_Weekly_V2.zip",
      ],
    );
  });

  test("is refused if it links none of the files, with what was expected", async () => {
    await using server = await FileServer.start();
    using asking = testRequestContext();
    server.page("/", "<p>We have moved.</p>");
    await assert.rejects(
      readRegistryPage(server.url("/"), asking),
      says(
        /has none of the registry's files, such as NPPES_Data_Dissemination_MONTH_YEAR\.zip.*; it has no zip at all\. Check the URL/,
      ),
    );
    server.page("/", `<a href="providers-2026-11.zip">`);
    await assert.rejects(
      readRegistryPage(server.url("/"), asking),
      says(/only zips with other names \(providers-2026-11\.zip\)/),
    );
  });

  test("is requested again after a server error, and may redirect", async () => {
    await using server = await FileServer.start();
    using asking = testRequestContext();
    server.page("/new/NPI_Files.html", PAGE);
    server.faults.set("/old", [
      refuse(502),
      refuse(301, { location: "/older" }),
    ]);
    server.faults.set("/older", [
      refuse(308, { location: "new/NPI_Files.html" }),
    ]);
    const [full] = await readRegistryPage(server.url("/old"), asking);
    assert.equal(
      full?.url.pathname,
      "/new/NPPES_Data_Dissemination_November_2026_V2.zip",
    );
    assert.deepEqual(asking.waits, [1000]);
  });

  test("is refused if its redirects form a loop or leave HTTP", async () => {
    await using server = await FileServer.start();
    using asking = testRequestContext();
    server.faults.set("/a", Array(9).fill(refuse(302, { location: "/a" })));
    await assert.rejects(
      readRegistryPage(server.url("/a"), asking),
      says(/redirects more than 5 times/),
    );
    for (const location of ["file:///etc/passwd", "https://"]) {
      server.faults.set("/b", [refuse(302, { location })]);
      await assert.rejects(
        readRegistryPage(server.url("/b"), asking),
        says(/Only redirects to https are followed, and to http/),
      );
    }
  });

  test("is read only up to a size limit", async () => {
    await using server = await FileServer.start();
    using asking = testRequestContext();
    server.files.set("/", { bytes: Buffer.alloc(5 << 20, 32) });
    await assert.rejects(
      readRegistryPage(server.url("/"), asking),
      says(/is larger than 4 MB, so it is not a page of links/),
    );
  });

  test("fails for an unknown host, without the URL's password in the message", async () => {
    const server = await FileServer.start();
    const page = server.url("/");
    await server[Symbol.asyncDispose]();
    using asking = testRequestContext({ retries: 0 });
    page.username = "operator";
    page.password = "secret";
    await assert.rejects(
      readRegistryPage(page, asking),
      says(
        /^The connection to http:\/\/127\.0\.0\.1:\d+\/ failed \(ECONNREFUSED\)/,
      ),
    );
  });

  test("is requested through the environment's proxy", async () => {
    const asked: (string | undefined)[] = [];
    const proxy = createServer((request, response) => {
      asked.push(request.url);
      response.end(PAGE);
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const address = proxy.address();
    assert.ok(address !== null && typeof address === "object");
    const http_proxy = `http://127.0.0.1:${address.port}`;
    using asking = testRequestContext({ proxy: { http_proxy } });
    const page = new URL("http://registry.example/NPI_Files.html");
    assert.equal((await readRegistryPage(page, asking)).length, 4);
    assert.deepEqual(asked, [page.href]);
    proxy.close();
  });
});

test("a folder offers its files", async () => {
  using folder = temporaryFolder();
  using asking = testRequestContext();
  const name = "NPPES_Data_Dissemination_110926_111526_Weekly.zip";
  writeFileSync(join(folder.path, name), "");
  writeFileSync(join(folder.path, "notes.txt"), "");
  mkdirSync(join(folder.path, "older"));
  for (const source of [folder.path, pathToFileURL(folder.path).href]) {
    const [file, ...others] = await readRegistryPage(
      parseSource(source),
      asking,
    );
    assert.equal(file?.name, name);
    assert.equal(file.url.href, pathToFileURL(join(folder.path, name)).href);
    assert.deepEqual(others, []);
  }
  await assert.rejects(
    readRegistryPage(parseSource(join(folder.path, "notes.txt")), asking),
    says(/Cannot read .*notes\.txt as a folder/),
  );
});

test("a source is an http or https URL, or a folder", () => {
  assert.equal(parseSource("https://mirror.example/x").protocol, "https:");
  assert.equal(parseSource("downloads").protocol, "file:");
  for (const text of ["ftp://mirror.example/", "https://", "s3://bucket/x"])
    assert.throws(() => parseSource(text), says(/is not a source of files/));
});

test("the newest version of NUCC's CSVs is offered", async () => {
  await using server = await FileServer.start();
  using asking = testRequestContext();
  server.page(
    "/csv",
    `<a href="/images/stories/CSV/nucc_taxonomy_91.csv">9.1</a>
    <a href="/images/stories/CSV/nucc_taxonomy_261.csv">26.1</a>
    <a href="/images/stories/CSV/nucc_taxonomy_251.csv">25.1</a>
    <a href="/images/stories/PDF/taxonomy_261.pdf">PDF</a>`,
  );
  const { name, url, version } = await readTaxonomyPage(
    server.url("/csv"),
    asking,
  );
  assert.deepEqual([name, version], ["nucc_taxonomy_261.csv", 261]);
  assert.equal(url.pathname, "/images/stories/CSV/nucc_taxonomy_261.csv");
  server.page("/csv", "<p>Licensed users only</p>");
  await assert.rejects(
    readTaxonomyPage(server.url("/csv"), asking),
    says(/has no taxonomy file/),
  );
});

test("the version of the taxonomy in use is read from a snapshot's description of its source", () => {
  assert.equal(
    taxonomyVersionOf("NUCC's taxonomy file nucc_taxonomy_251.csv"),
    251,
  );
  assert.equal(
    taxonomyVersionOf("the built-in table of common specialties"),
    null,
  );
});

test("the official pages are https URLs of CMS and NUCC", () => {
  for (const [page, host] of [
    [REGISTRY_PAGE, "download.cms.gov"],
    [TAXONOMY_PAGE, "www.nucc.org"],
  ] as const) {
    const { hostname, protocol } = parseSource(page);
    assert.deepEqual([protocol, hostname], ["https:", host]);
  }
});
