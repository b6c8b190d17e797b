import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
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
  const rows = [...read("DEPENDENCIES.md").matchAll(/^\| ([^|]+?) +\|/gm)];
  const listed = rows
    .flatMap(([, names = ""]) => names.replaceAll("`", "").split(", "))
    .filter((name) => name !== "package" && !name.startsWith("---"));
  const { dependencies, optionalDependencies } = manifest;
  assert.deepEqual(
    listed.sort(),
    Object.keys({ ...dependencies, ...optionalDependencies }).sort(),
  );
});

test("the index of decisions has each with its title, date and status", () => {
  const index = [
    ...read("docs/adr/README.md").matchAll(
      /^\| +(\d+) \| \[(.+?)\]\((.+?)\) +\| (\S+) +\| (.+?) +\|$/gm,
    ),
  ].map(([, number, title, file, date, status]) => ({
    file,
    title: `${number}. ${title}`,
    date,
    status,
  }));
  const files = readdirSync(new URL("../docs/adr/", import.meta.url))
    .filter((name) => /^\d{4}-/.test(name))
    .sort();
  assert.deepEqual(
    index.map(({ file }) => file),
    files,
  );
  for (const { file, ...row } of index) {
    const text = read(`docs/adr/${file}`);
    const [, title, date, status] =
      /^# (.+)\n\nDate: (\S+?)(?:, amended[^.]*)?\. Status: (\w+)/.exec(text) ??
      [];
    assert.deepEqual(
      { title, date, status },
      { ...row, status: row.status?.split(/\W/)[0] },
    );
  }
});
