import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { LOADED_COMMANDS } from "../support/program/loaded-commands.ts";
import { unknownVariables } from "../support/fleet/known-variables.ts";

const GUIDE = readFileSync(
  new URL("../../docs/fleet.md", import.meta.url),
  "utf8",
);
const SCRIPTS = [...GUIDE.matchAll(/^```sh\n([^]*?)^```/gm)].map(
  ([, script = ""]) => script,
);
/** Those that the guide's commands use themselves. */
const OF_THE_GUIDE = new Set(["RESTORED"]);

suite("docs/fleet.md", () => {
  test("variables that it sets are settings of the program", () => {
    const names = SCRIPTS.flatMap((script) =>
      [...script.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]+)=/g)].map(
        ([, name = ""]) => name,
      ),
    ).filter((name) => !OF_THE_GUIDE.has(name));
    assert.ok(names.length > 20);
    assert.deepEqual(unknownVariables(names), []);
  });

  test("commands that it shows are commands of the program", () => {
    const shown = SCRIPTS.flatMap((script) =>
      [...script.matchAll(/bin\/provider-directory ([a-z]+(?: [a-z]+)?)/g)].map(
        ([, words = ""]) => words,
      ),
    );
    assert.ok(shown.length > 5);
    for (const words of shown)
      assert.ok(
        LOADED_COMMANDS.some(
          (command) => command.words.join(" ") === words.trim(),
        ),
        words,
      );
  });

  // systemd takes the rest of a line for the value.
  test("files of variables have no comment after a value", () => {
    const files = SCRIPTS.filter((script) => script.startsWith("DATA_DIR="));
    assert.equal(files.length, 1);
    for (const file of files) assert.doesNotMatch(file, /^[^#\n]+#/m);
  });
});
