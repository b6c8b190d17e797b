import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { BUILT_IN_PLANS } from "../../src/accounts/plans.ts";
import { LOADED_COMMANDS } from "../support/program/loaded-commands.ts";
import type { Setting } from "../../src/settings/setting.ts";
import { formatCount } from "../../src/cli/output/format.ts";

const DOCUMENT = readFileSync(
  new URL("../../docs/configuration.md", import.meta.url),
  "utf8",
);

interface Row {
  option: string;
  variable: string;
  defaultValue: string;
  commands: string;
}

/** The table of settings, row by row. */
const ROWS: Row[] = DOCUMENT.split("\n")
  .filter((line) => line.startsWith("| `--"))
  .map((line) => {
    const [, option = "", variable = "", defaultValue = "", commands = ""] =
      line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
    return { option, variable, defaultValue, commands };
  });

function byOption(a: { option: string }, b: { option: string }): number {
  return a.option.localeCompare(b.option);
}

/** True if a list has a command, or the group of a command. */
function isNamed(words: readonly string[], list: string): boolean {
  return [words.join(" "), words[0]].some((name) =>
    list.includes(`\`${name}\``),
  );
}

const SETTINGS: ReadonlySet<Setting<unknown>> = new Set(
  LOADED_COMMANDS.flatMap(({ settings }) => settings),
);

suite("docs/configuration.md", () => {
  test("has a row for each setting, with its variable and its default, and no other rows", () => {
    const expected = [...SETTINGS].map(
      ({ defaultText, flag, placeholder, variable }) => ({
        option: `\`--${flag}${placeholder === null ? "" : ` ${placeholder}`}\``,
        variable: `\`${variable}\``,
        defaultValue: defaultText,
      }),
    );
    assert.deepEqual(
      ROWS.map(({ defaultValue, option, variable }) => ({
        option,
        variable,
        defaultValue,
      })).sort(byOption),
      expected.sort(byOption),
    );
  });

  test("names the commands that take each setting, and no others", () => {
    for (const { commands, option } of ROWS) {
      const setting = [...SETTINGS].find(({ flag }) =>
        new RegExp(`^\`--${flag}[ \`]`).test(option),
      );
      assert.ok(setting !== undefined, option);
      const [included = "", excluded = ""] = commands.split("; not ");
      const isAll = included === "all";
      for (const { isHidden, settings, words } of LOADED_COMMANDS) {
        if (isHidden === true) continue;
        assert.equal(
          (isAll || isNamed(words, included)) && !isNamed(words, excluded),
          settings.includes(setting),
          `${option} and ${words.join(" ")}`,
        );
      }
    }
  });

  test("no two settings share an option or a variable", () => {
    assert.equal(
      new Set([...SETTINGS].map(({ flag }) => flag)).size,
      SETTINGS.size,
    );
    assert.equal(
      new Set([...SETTINGS].map(({ variable }) => variable)).size,
      SETTINGS.size,
    );
  });

  test("shows the plans as they are", () => {
    for (const {
      burstPerSecond,
      monthlyQuota,
      name,
    } of BUILT_IN_PLANS.values()) {
      const row = new RegExp(
        `^\\| \`${name}\` +\\| ${formatCount(monthlyQuota)} +\\| ${burstPerSecond} +\\|$`,
        "m",
      );
      assert.match(DOCUMENT, row);
    }
  });
});
