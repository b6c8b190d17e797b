import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import manifest from "../package.json" with { type: "json" };

test("the changelog's newest version is the package's, with the day of its release", () => {
  const file = new URL("../CHANGELOG.md", import.meta.url);
  const headings = readFileSync(file, "utf8")
    .match(/^## .*$/gm)
    ?.filter((heading) => heading !== "## Unreleased");
  const [, version, date = ""] =
    /^## (\S+) – (\d{4}-\d\d-\d\d)$/.exec(headings?.[0] ?? "") ?? [];
  assert.equal(version, manifest.version);
  assert.ok(!Number.isNaN(Date.parse(date)), date);
});
