import assert from "node:assert/strict";
import { test } from "node:test";
import { linksOf } from "../../src/update/http/links.ts";

const PAGE = new URL("https://download.example/nppes/NPI_Files.html");

function hrefs(html: string, page = PAGE): string[] {
  return linksOf(html, page).map(({ href }) => href);
}

test("finds links however HTML writes them", () => {
  const expected = ["https://download.example/nppes/a.zip"];
  for (const html of [
    `<a href="./a.zip">a</a>`,
    `<A id='DDSMTH.ZIP.D' HREF='./a.zip'>a</A>`,
    `<a class=x href=a.zip>a</a>`,
    `<a\n\ttitle="a > b"\n\thref = "/nppes/a.zip"\n>a</a>`,
    `<a href="https://download.example/nppes/&#x61;&#46;zip">a</a>`,
    `<a href=" //download.example/nppes/a.zip ">a</a>`,
  ])
    assert.deepEqual(hrefs(html), expected, html);
  assert.deepEqual(hrefs(`<a href="a?b=1&amp;c=2">`), [
    "https://download.example/nppes/a?b=1&c=2",
  ]);
});

test("ignores comments and other attributes", () => {
  assert.deepEqual(
    hrefs(
      `<!-- <a href="a.zip"> --><a data-href="b.zip">b</a><!-- <a href="c.zip">`,
    ),
    [],
  );
});

test("follows links to other hosts, but never away from HTTP or from TLS", () => {
  const html = `<a href="http://other.example/a.zip"><a href="https://other.example/b.zip">
    <a href="file:///etc/passwd"><a href="javascript:x"><a href="ftp://other.example/c.zip"><a href="https://">`;
  assert.deepEqual(hrefs(html), ["https://other.example/b.zip"]);
  assert.deepEqual(hrefs(html, new URL("http://download.example/")), [
    "http://other.example/a.zip",
    "https://other.example/b.zip",
  ]);
});
