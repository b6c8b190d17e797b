import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { LOADED_COMMANDS } from "./support/program/loaded-commands.ts";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the README names every command", () => {
  for (const { isHidden, words } of LOADED_COMMANDS) {
    if (isHidden === true) continue;
    const [first = "", second = ""] = words;
    const row = README.split("\n").find((line) =>
      line.startsWith(`| \`${first}`),
    );
    assert.ok(row?.includes(second), words.join(" "));
  }
});
