import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import {
  guideDocument,
  pictureSize,
} from "../../src/build/portal/guide-document.ts";
import type {
  GuideBlock,
  GuideSpan,
  GuideText,
} from "../../src/site/guide-document.ts";
import { PAGE_PATHS } from "../../src/site/page-paths.ts";
import { GUIDE_PAGES } from "../../src/site/guide-pages.ts";

/** The paths of the portal's other pages. */
const PAGES: ReadonlySet<string> = new Set(Object.values(PAGE_PATHS));
const DOCS = new URL("../../docs/", import.meta.url);
const DOCUMENTS = new Map(
  readdirSync(DOCS)
    .filter((name) => name.endsWith(".md"))
    .map((name) => [
      name.slice(0, -".md".length),
      read(readFileSync(new URL(name, DOCS), "utf8")),
    ]),
);

function read(markdown: string) {
  return guideDocument(markdown, (file) =>
    pictureSize(fileURLToPath(new URL(file, DOCS))),
  );
}

test("every document is a page of the guide under its own title, and every page has a document", () => {
  assert.deepEqual(
    GUIDE_PAGES.map(({ name, title }) => `${name}: ${title}`).sort(),
    [...DOCUMENTS].map(([name, { title }]) => `${name}: ${title}`).sort(),
  );
});

test("every link of the guide, and every section that it lists, leads to a heading", () => {
  const wrong: string[] = [];
  let followed = 0;
  for (const [name, { blocks }] of DOCUMENTS) {
    const listed = GUIDE_PAGES.find((page) => page.name === name)?.sections;
    const hrefs = [
      ...blocks.flatMap(textsOf).flatMap(linksIn),
      ...(listed ?? []).map(({ id }) => `#${id}`),
    ].filter((href) => !href.startsWith("https://") && !PAGES.has(href));
    for (const href of hrefs) {
      followed++;
      const [path = "", id] = href.split("#");
      const target = DOCUMENTS.get(path.replace("/guide/", "") || name);
      const ids = target?.blocks.map((each) =>
        each.kind === "heading" ? each.id : null,
      );
      if (ids === undefined || (id !== undefined && !ids.includes(id)))
        wrong.push(`${name}: ${href}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(followed > 80, `${followed} links`);
});

test("a document becomes headings, texts, lists, tables and code", () => {
  const { blocks, title } = read(
    [
      "# The `x` of it",
      "",
      "## One `GET /v1/{npi}`",
      "",
      "A **bold** [way](errors.md#all-codes) & a [file](../src/x.ts), _so_ <https://a.example>.",
      "",
      "- [here](#one)",
      "",
      "| n | size |",
      "| - | ---: |",
      "| `a\\|b` | 1 |",
      "",
      "## One",
      "",
      "## One",
    ].join("\n"),
  );
  assert.equal(title, "The x of it");
  assert.deepEqual(blocks, [
    {
      kind: "heading",
      level: 2,
      id: "one-get-v1npi",
      text: ["One ", { kind: "code", code: "GET /v1/{npi}" }],
    },
    {
      kind: "paragraph",
      text: [
        "A ",
        { kind: "strong", text: ["bold"] },
        " ",
        { kind: "link", href: "/guide/errors#all-codes", text: ["way"] },
        " & a ",
        "file",
        ", ",
        { kind: "em", text: ["so"] },
        " ",
        {
          kind: "link",
          href: "https://a.example",
          text: ["https://a.example"],
        },
        ".",
      ],
    },
    {
      kind: "list",
      isOrdered: false,
      items: [
        [
          {
            kind: "paragraph",
            text: [{ kind: "link", href: "#one", text: ["here"] }],
          },
        ],
      ],
    },
    {
      kind: "table",
      label: "Table: One GET /v1/{npi}",
      columns: [
        { title: ["n"], isNumber: false },
        { title: ["size"], isNumber: true },
      ],
      rows: [[[{ kind: "code", code: "a|b" }], ["1"]]],
    },
    { kind: "heading", level: 2, id: "one", text: ["One"] },
    { kind: "heading", level: 2, id: "one-1", text: ["One"] },
  ]);
});

test("the path of a page, as code, becomes a link to it; other code doesn't", () => {
  const { blocks } = read("# X\n\nAt `/sign-up`, not `/v1`.");
  assert.deepEqual(blocks, [
    {
      kind: "paragraph",
      text: [
        "At ",
        {
          kind: "link",
          href: "/sign-up",
          text: [{ kind: "code", code: "/sign-up" }],
        },
        ", not ",
        { kind: "code", code: "/v1" },
        ".",
      ],
    },
  ]);
});

test("a paragraph with only a picture of the project is shown", () => {
  const { blocks } = read("# X\n\n![The explorer](pictures/explorer.png)");
  assert.deepEqual(blocks, [
    {
      kind: "picture",
      file: "pictures/explorer.png",
      text: "The explorer",
      size: { width: 1280, height: 760 },
    },
  ]);
  for (const other of [
    "![X](https://a.example/x.png)",
    "![X](../x.png)",
    "text ![X](pictures/explorer.png)",
    "![X](pictures/absent.png)",
  ])
    assert.throws(() => read(`# X\n\n${other}`), other);
});

test("consecutive code in several languages becomes one sample", () => {
  const { blocks } = read(
    ["# X", code("sh"), code("ts"), code("sh"), code("json")].join("\n\n"),
  );
  assert.deepEqual(
    blocks.map((block) =>
      block.kind === "samples"
        ? block.samples.map(({ language }) => language)
        : block.kind === "code" && block.language,
    ),
    [["sh", "ts"], "sh", "json"],
  );
});

test("content that a page can't show stops the build", () => {
  for (const part of [
    "<b>bold</b>",
    "<script>alert(1)</script>",
    "![picture](x.png)",
    "#### deep",
    "> said",
  ])
    assert.throws(() => read(`# X\n\n${part}\n`), Error, part);
  assert.throws(() => read("No title.\n"), /must start with its title/);
});

function textsOf(block: GuideBlock): GuideText[] {
  switch (block.kind) {
    case "heading":
    case "paragraph":
      return [block.text];
    case "list":
      return block.items.flat().flatMap(textsOf);
    case "table":
      return [...block.columns.map(({ title }) => title), ...block.rows.flat()];
    default:
      return [];
  }
}

function linksIn(text: GuideText): string[] {
  return text.flatMap((span: GuideSpan) => {
    if (typeof span === "string" || span.kind === "code") return [];
    const inside = linksIn(span.text);
    return span.kind === "link" ? [span.href, ...inside] : inside;
  });
}

function code(language: string): string {
  return `\`\`\`${language}\n${language}\n\`\`\`\n`;
}
