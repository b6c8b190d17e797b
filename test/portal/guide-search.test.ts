import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { guideDocument } from "../../src/build/portal/guide-document.ts";
import type { GuideDocument } from "../../src/site/guide-document.ts";
import {
  findSections,
  sectionsOf,
  type MarkedText,
} from "../../src/portal/guide/guide-search.ts";
import { GUIDE_PAGES } from "../../src/site/guide-pages.ts";

const SIZE = { width: 1, height: 1 };
const DOCUMENT: GuideDocument = {
  title: "Keys",
  blocks: [
    { kind: "paragraph", text: ["How to ", { kind: "code", code: "rotate" }] },
    { kind: "heading", level: 2, id: "limits", text: ["Limits"] },
    {
      kind: "list",
      isOrdered: false,
      items: [[{ kind: "paragraph", text: ["Ten keys at most"] }]],
    },
    { kind: "heading", level: 3, id: "ends", text: ["When a key ends"] },
    { kind: "code", language: "sh", code: "keys revoke pd_live_aB3x" },
    {
      kind: "table",
      label: "Table",
      columns: [],
      rows: [[["Limits"], [`far ${"and ".repeat(100)}away`]]],
    },
  ],
};
const SECTIONS = sectionsOf(
  { name: "keys", title: "Keys", about: "", audience: "developers" },
  DOCUMENT,
);

test("each heading is a section with its anchor; lists, tables, and code belong to it", () => {
  assert.deepEqual(
    SECTIONS.map(({ heading, href }) => [heading, href]),
    [
      ["Keys", "/guide/keys"],
      ["Limits", "/guide/keys#limits"],
      ["When a key ends", "/guide/keys#ends"],
    ],
  );
  assert.deepEqual(found("revoke"), ["/guide/keys#ends"]);
  assert.deepEqual(found("rotate"), ["/guide/keys"]);
});

test("a section contains every word, in any case and number; headings come first", () => {
  assert.deepEqual(found("LIMIT"), ["/guide/keys#limits", "/guide/keys#ends"]);
  assert.deepEqual(found("ten limits"), ["/guide/keys#limits"]);
  assert.deepEqual(found("ten away"), []);
  assert.deepEqual(found("   "), []);
  assert.deepEqual(found("nothing"), []);
});

test("an excerpt is short, starts near a match, and marks what was searched for", () => {
  const [match] = findSections(SECTIONS, "away");
  const shown = (match?.excerpt ?? []).map(({ text }) => text).join("");
  assert.ok(shown.length < 200, shown);
  assert.deepEqual(marks(match?.excerpt), ["away"]);
  assert.deepEqual(marks(findSections(SECTIONS, "limits")[0]?.heading), [
    "Limit",
  ]);
});

test("the field's usual terms lead to the sections about them", () => {
  const guide = GUIDE_PAGES.flatMap((page) =>
    sectionsOf(
      page,
      guideDocument(documentText(page.name), () => SIZE),
    ),
  );
  const best = (query: string) => findSections(guide, query)[0]?.href;
  assert.equal(best("pagination"), "/guide/http-api#pagination-and-totals");
  assert.equal(best("rate limit"), "/guide/http-api#quotas-and-rate-limits");
  assert.equal(best("response headers"), "/guide/http-api#response-headers");
});

test("a query of any length and form is searched in bounded time", () => {
  for (const query of ["a".repeat(10_000), "a ".repeat(10_000), "(.*)+$", "İ"])
    assert.ok(found(query).length <= SECTIONS.length, query.slice(0, 10));
});

function documentText(name: string): string {
  const path = new URL(`../../docs/${name}.md`, import.meta.url);
  return readFileSync(path, "utf8");
}

function found(query: string): string[] {
  return findSections(SECTIONS, query).map(({ href }) => href);
}

function marks(text: MarkedText | undefined): string[] {
  return (text ?? [])
    .filter(({ isMatch }) => isMatch)
    .map(({ text: piece }) => piece);
}
