import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { suite, test } from "node:test";
import { unknownVariables } from "./support/program/known-variables.ts";
import { LOADED_COMMANDS } from "./support/program/loaded-commands.ts";

const PROJECT = fileURLToPath(new URL("..", import.meta.url));
/** The lines of shell code in the documents, by document; continued lines are joined. */
const SCRIPTS = globSync("{README,docs/*}.md", { cwd: PROJECT }).flatMap(
  (path) =>
    [
      ...readFileSync(`${PROJECT}/${path}`, "utf8").matchAll(
        /^ *```sh\n([^]*?)^ *```/gm,
      ),
    ].map(([, script = ""]) => ({
      path,
      script: script.replaceAll(/\\\n\s*/g, ""),
    })),
);
/** Those that commands of the documents use themselves, and one of the Compose file. */
const OF_THE_DOCUMENTS = new Set(
  "API_KEY BASE CURSOR DB ETAG PROVIDER_DIRECTORY_KEY PROVIDER_DIRECTORY_URL RESTORED SITE SNAPSHOT URL".split(
    " ",
  ),
);

test("the table of commands names every command", () => {
  const operating = readFileSync(`${PROJECT}/docs/operating.md`, "utf8");
  for (const { isHidden, words } of LOADED_COMMANDS) {
    if (isHidden === true) continue;
    const [first = "", second = ""] = words;
    const row = operating
      .split("\n")
      .find((line) => line.startsWith(`| \`${first}`));
    assert.ok(row?.includes(second), words.join(" "));
  }
});

suite("the documents' shell commands", () => {
  test("set variables that the program reads", () => {
    const names = SCRIPTS.flatMap(({ script }) =>
      [...script.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]+)=/g)].map(
        ([, name = ""]) => name,
      ),
    ).filter(
      (name) => !OF_THE_DOCUMENTS.has(name) && !name.startsWith("OTEL_"),
    );
    assert.ok(names.length > 40);
    assert.deepEqual(unknownVariables(names), []);
  });

  test("call the program's commands, with options that these have", () => {
    const calls = SCRIPTS.flatMap(({ path, script }) =>
      [
        ...script.matchAll(
          /(?:bin\/provider-directory|^as_directory) ([^#|"\n][^#|\n]*)/gm,
        ),
      ].map(([, call = ""]) => ({ path, call })),
    );
    assert.ok(calls.length > 40);
    for (const { path, call } of calls) {
      const words = call.trim().split(/\s+/);
      const command = LOADED_COMMANDS.find((each) =>
        each.words.every((word, index) => word === words[index]),
      );
      assert.ok(command !== undefined, `${path}: ${call}`);
      const options = new Set(command.settings.map(({ flag }) => flag));
      for (const [option] of call.matchAll(/(?<=\s--)[a-z-]+/g))
        assert.ok(options.has(option), `${path}: ${call}`);
    }
  });

  // systemd takes the rest of a line for the value.
  test("make files of variables that have no comment after a value", () => {
    const files = SCRIPTS.flatMap(({ script }) =>
      script.startsWith("DATA_DIR=")
        ? [script]
        : Array.from(
            script.matchAll(/<<'END'\n([^]*?)^END$/gm),
            ([, file = ""]) => file,
          ),
    );
    assert.equal(files.length, 4);
    for (const file of files) assert.doesNotMatch(file, /^[^#\n]+#/m);
  });
});
