import assert from "node:assert/strict";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import manifest from "../package.json" with { type: "json" };

const read = (path: string) =>
  readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

test("the changelog's newest version is the package's, with the day of its release", () => {
  const headings = read("CHANGELOG.md")
    .match(/^## .*$/gm)
    ?.filter((heading) => heading !== "## Unreleased");
  const [, version, date = ""] =
    /^## (\S+) – (\d{4}-\d\d-\d\d)$/.exec(headings?.[0] ?? "") ?? [];
  assert.equal(version, manifest.version);
  assert.ok(!Number.isNaN(Date.parse(date)), date);
});

test("DEPENDENCIES.md lists each runtime dependency, and nothing else", () => {
  const [used = ""] = read("DEPENDENCIES.md").split("## Considered");
  const listed = [...used.matchAll(/^- ([^:]+?):/gm)].flatMap(
    ([, names = ""]) => names.replaceAll(/[`*]/g, "").split(", "),
  );
  const { dependencies, optionalDependencies } = manifest;
  assert.deepEqual(
    listed.sort(),
    Object.keys({ ...dependencies, ...optionalDependencies }).sort(),
  );
});

test("the index of decisions has each once, in its area, with its title", () => {
  const areas = read("docs/adr/README.md").split(/^## /m).slice(1);
  assert.ok(areas.length > 1);
  const index = areas.flatMap((area) => {
    const decisions = [...area.matchAll(/^-\s+\[(.+?)\]\((.+?)\)$/gm)].map(
      ([, title, file = ""]) => ({ file, title }),
    );
    assert.deepEqual(decisions, decisions.toSorted(byFile));
    return decisions;
  });
  const files = readdirSync(new URL("../docs/adr/", import.meta.url))
    .filter((name) => /^\d{4}-/.test(name))
    .map((file) => {
      const [, title, number, date = ""] =
        /^# ((\d+)\. .+)\n\nDate: (\S+?)(?:, (?:amended|rewritten) \S+)?\.(?: Replaces|\n)/.exec(
          read(`docs/adr/${file}`),
        ) ?? [];
      assert.equal(number?.padStart(4, "0"), file.slice(0, 4), file);
      assert.ok(!Number.isNaN(Date.parse(date)), file);
      return { file, title };
    });
  assert.deepEqual(index.sort(byFile), files.sort(byFile));
});

function byFile(a: { file: string }, b: { file: string }): number {
  return a.file < b.file ? -1 : 1;
}

test("links between the project's documents lead to a file and a heading that exist", () => {
  const root = fileURLToPath(new URL("../", import.meta.url));
  const paths = globSync("{*,{.github,bench,docs,src}/**/*}.md", { cwd: root });
  assert.ok(paths.length > 40);
  const broken = paths.flatMap((path) =>
    [...prose(read(path)).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, file = "", heading]) => {
        const target = file === "" ? path : join(dirname(path), file);
        if (!existsSync(join(root, target))) return true;
        return heading !== undefined && !anchorsOf(read(target)).has(heading);
      })
      .map(([link]) => `${path}: ${link}`),
  );
  assert.deepEqual(broken, []);
});

test("links in the guide are named for what they lead to, not for a file", () => {
  const root = fileURLToPath(new URL("../", import.meta.url));
  const named = globSync("{README,SECURITY,docs/*}.md", { cwd: root }).flatMap(
    (path) =>
      [...prose(read(path)).matchAll(/\[`?[\w./-]+\.md`?\]\([^)]*\)/g)].map(
        ([link]) => `${path}: ${link}`,
      ),
  );
  assert.deepEqual(named, []);
});

/** A document without its fenced code. */
function prose(markdown: string): string {
  return markdown.replaceAll(/^ *```[^]*?^ *```/gm, "");
}

/** The headings of a document as links name them. */
function anchorsOf(markdown: string): Set<string> {
  return new Set(
    [...prose(markdown).matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

// The type checker finds them in sources; Prettier makes tables and quotations of them in documents.
test("no document has the marks of an unresolved merge", () => {
  const root = fileURLToPath(new URL("../", import.meta.url));
  const marked = globSync("{*,{docs,src,test,bench}/**/*,.github/**/*}.md", {
    cwd: root,
  }).filter((path) => /^(?:<{7} |(?:> ?){7})/m.test(read(path)));
  assert.deepEqual(marked, []);
});

test("npm test runs each test file once, by itself or in a group", () => {
  const root = join(import.meta.dirname, "..");
  const started = quoted(/set -- "[^$]*/.exec(read("test/run"))?.[0]).flatMap(
    (pattern) => globSync(pattern, { cwd: root }),
  );
  const run = started.flatMap((file) => {
    if (!file.endsWith(".group.ts")) return [file];
    const [, patterns] = /runTogether\(([^)]*)\)/.exec(read(file)) ?? [];
    return globSync(quoted(patterns), { cwd: join(root, "test") }).map((each) =>
      join("test", each),
    );
  });
  assert.deepEqual(
    run.sort(),
    globSync("test/**/*.test.ts", { cwd: root }).sort(),
  );
});

/** What is between double quotes. */
function quoted(text = ""): string[] {
  return [...text.matchAll(/"([^"]+)"/g)].map(([, each = ""]) => each);
}
