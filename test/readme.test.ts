import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { LOADED_COMMANDS } from "./support/program/loaded-commands.ts";
import { ProgramProcess, temporaryFolder } from "./support/program/program.ts";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");

suite("the README", () => {
  test("shows requests that find something in the demo, and the answer that the demo gives", async () => {
    using folder = temporaryFolder();
    await using program = new ProgramProcess(["start"], {
      DATA_DIR: folder.path,
      PORT: "0",
      WORKERS: "1",
      PORTAL: "off",
    });
    await program.printed(/Press Ctrl-C to stop/);
    const [key = ""] = /pd_live_\w{36}/.exec(program.out) ?? [];
    const [, url = ""] = /Listening on (http:\S+)/.exec(program.out) ?? [];
    const paths = [...README.matchAll(/curl .*?:8080(\/v1\/[^\s"]+)/g)].map(
      ([, path = ""]) => path,
    );
    assert.equal(paths.length, 4);
    const answers = await Promise.all(
      paths.map(async (path) => {
        const response = await fetch(`${url}${path}`, {
          headers: { authorization: `Bearer ${key}` },
        });
        return { path, status: response.status, text: await response.text() };
      }),
    );
    for (const { path, status, text } of answers) {
      assert.equal(status, 200, path);
      assert.ok(!text.startsWith('{"data":[]'), path);
    }
    const [, shown = ""] = /```json\n([\s\S]*?)```/.exec(README) ?? [];
    assert.deepEqual(JSON.parse(answers.at(-1)?.text ?? ""), JSON.parse(shown));
  });

  test("names every command", () => {
    for (const { isHidden, words } of LOADED_COMMANDS) {
      if (isHidden === true) continue;
      const [first = "", second = ""] = words;
      const row = README.split("\n").find((line) =>
        line.startsWith(`| \`${first}`),
      );
      assert.ok(row?.includes(second), words.join(" "));
    }
  });
});
