import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { COMMANDS } from "../../src/cli/commands.ts";
import { DATABASE_URL } from "../../src/cli/settings.ts";
import { cuttingProxy } from "../support/cutting-proxy.ts";
import { NO_POSTGRESQL, postgresqlOfFile } from "../support/postgresql.ts";
import { runProgram, temporaryFolder } from "../support/program.ts";

const ADA = "ada@clinic.example";

/** What each command that works on accounts is given; "KEY" is the beginning of a key that is there. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  "keys create": ["--email", "eve@clinic.example"],
  "keys list": [],
  "keys revoke": ["KEY"],
  "keys rotate": ["KEY"],
  "accounts list": [],
  "accounts show": [ADA],
  "accounts set-plan": [ADA, "paid"],
  "accounts suspend": [ADA],
  "accounts resume": [ADA],
  "accounts delete": [ADA],
  "accounts audit": [],
};
/** These go on until they are stopped; test/server/database-wait.test.ts has what they do. */
const SERVICES = ["serve", "start"];
/** It copies a file only, and says so. */
const OF_FILES = ["accounts backup"];

/** One sentence, and nothing of the program's inside. */
const SENTENCE =
  /^provider-directory: The accounts' database cannot be (?:reached|used) \(PostgreSQL at [^)]+\): [^\n]*\.\n$/;

suite(
  "PostgreSQL that goes away in the middle of a command",
  { skip: NO_POSTGRESQL },
  () => {
    const names = COMMANDS.filter(({ settings }) =>
      settings.includes(DATABASE_URL),
    )
      .map(({ words }) => words.join(" "))
      .filter((name) => ![...SERVICES, ...OF_FILES].includes(name));

    test("every command over accounts is tried", () => {
      assert.deepEqual(new Set(names), new Set(Object.keys(ARGUMENTS)));
    });

    for (const name of names)
      test(`${name} says so in a sentence and ends with 1, whichever message is the last`, async () => {
        using folder = temporaryFolder();
        const postgresql = await postgresqlOfFile();
        const { url } = await postgresql.makeDatabase();
        const run = (args: readonly string[], over: string) =>
          runProgram([...args, "--data-dir", folder.path], {
            environment: { DATABASE_URL: over },
          });
        const made = await run(["keys", "create", "--email", ADA], url);
        assert.equal(made.code, 0, made.err);
        const args = (ARGUMENTS[name] ?? []).map((each) =>
          each === "KEY" ? made.out.slice(0, 12) : each,
        );
        for (let messages = 1; ; messages++) {
          await using proxy = await cuttingProxy(url, messages);
          const ended = await run([...name.split(" "), ...args], proxy.url);
          if (!proxy.isCut) {
            assert.equal(ended.code, 0, ended.err);
            assert.ok(messages > 5, String(messages));
            return;
          }
          // The last message may be the end of a connection of which all is done.
          if (ended.code === 0) continue;
          assert.match(ended.err, SENTENCE);
          assert.equal(ended.code, 1);
          assert.equal(ended.out, "");
        }
      });

    test("accounts migrate carries over nothing then, and says why", async () => {
      using folder = temporaryFolder();
      const here = ["--data-dir", folder.path];
      await runProgram(["keys", "create", "--email", ADA, ...here]);
      const postgresql = await postgresqlOfFile();
      const { url } = await postgresql.makeDatabase();
      for (let messages = 1; ; messages++) {
        await using proxy = await cuttingProxy(url, messages);
        const ended = await runProgram([
          "accounts",
          "migrate",
          "--to",
          proxy.url,
          ...here,
        ]);
        if (ended.code === 0) {
          assert.ok(messages > 10, String(messages));
          return;
        }
        assert.match(ended.err, SENTENCE);
        assert.equal(ended.out, "");
      }
    });
  },
);
