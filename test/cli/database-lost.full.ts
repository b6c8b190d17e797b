import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { suite, test } from "node:test";
import { openAccounts, type Accounts } from "../../src/accounts/accounts.ts";
import { shownKey } from "../../src/accounts/keys/keys.ts";
import { BUILT_IN_PLANS } from "../../src/accounts/plans.ts";
import { LOADED_COMMANDS } from "../support/program/loaded-commands.ts";
import { DATABASE_URL } from "../../src/cli/settings/settings.ts";
import { rounds } from "../support/pure/full-run.ts";
import { issueKey } from "../support/app/accounts-installation.ts";
import { cuttingProxy } from "../support/app/servers/cutting-proxy.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../support/postgresql/postgresql.ts";
import { argv, runProgram } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";

const ADA = "ada@clinic.example";

/** The full run cuts after each message; the other one after every third, of which each command has another first. */
const STEP = rounds(1, 3);

/** The arguments of each command that uses accounts; "KEY" becomes the prefix of an existing key. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  "keys create": ["--email", "eve@clinic.example"],
  "keys list": [],
  "keys revoke": ["KEY"],
  "keys rename": ["KEY", "--name", "intake"],
  "keys rotate": ["KEY"],
  "accounts list": [],
  "accounts show": [ADA],
  "accounts set-plan": [ADA, "paid"],
  "accounts suspend": [ADA],
  "accounts resume": [ADA],
  "accounts disable-2fa": [ADA],
  "accounts delete": [ADA],
  "accounts audit": [],
  fleet: [],
};
/** These go on until they are stopped; test/server/database-wait.full.ts has what they do. */
const SERVICES = ["serve", "start"];
/** test/fleet/publications.full.ts has what they do. */
const PUBLISHERS = ["update", "publish"];
/** It copies a file only, and says so. */
const OF_FILES = ["accounts backup"];

/** One sentence, and nothing of the program's inside. */
const SENTENCE =
  /^provider-directory: The accounts database cannot be (?:reached|used) \(PostgreSQL at [^)]+\): [^\n]*\.\n$/;

/** A key that works, as commands point at it: another one where the command before ended the one that was there. */
async function activeKey(accounts: Accounts): Promise<string> {
  await accounts.users.create(ADA);
  const listed = await accounts.keys.list({ email: ADA });
  assert.ok(listed.outcome === "listed");
  const active = listed.keys.find(({ state }) => state === "active");
  if (active !== undefined) return shownKey(active);
  return (await issueKey(accounts, ADA)).slice(0, 12);
}

suite("PostgreSQL goes away during a command", { skip: NO_POSTGRESQL }, () => {
  const names = LOADED_COMMANDS.filter(({ settings }) =>
    settings.includes(DATABASE_URL),
  )
    .map(({ words }) => words.join(" "))
    .filter(
      (name) => ![...SERVICES, ...PUBLISHERS, ...OF_FILES].includes(name),
    );

  test("every command over accounts is tried", () => {
    assert.deepEqual(new Set(names), new Set(Object.keys(ARGUMENTS)));
  });

  for (const [index, name] of names.entries())
    test(`${name} says so in one sentence and exits with 1, whichever message is the last`, async () => {
      using folder = temporaryFolder();
      const postgresql = await postgresqlOfRun();
      const place = await postgresql.makeDatabase();
      await using accounts = await openAccounts({
        place,
        plans: BUILT_IN_PLANS,
        clock: Date.now,
        random: randomBytes,
        actor: "test",
      });
      for (let messages = 1 + (index % STEP); ; messages += STEP) {
        const key = await activeKey(accounts);
        const args = (ARGUMENTS[name] ?? []).map((each) =>
          each === "KEY" ? key : each,
        );
        await using proxy = await cuttingProxy(place.url, messages);
        const ended = await runProgram(
          [...name.split(" "), ...args, "--data-dir", folder.path],
          { environment: { DATABASE_URL: proxy.url } },
        );
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

  test("accounts migrate copies nothing, and says why", async () => {
    using folder = temporaryFolder();
    const here = ["--data-dir", folder.path];
    await runProgram(["keys", "create", "--email", ADA, ...here]);
    const postgresql = await postgresqlOfRun();
    const { url } = await postgresql.makeDatabase();
    for (let messages = 1; ; messages += STEP) {
      await using proxy = await cuttingProxy(url, messages);
      const ended = await runProgram(
        argv`accounts migrate --to ${proxy.url} ${here}`,
      );
      if (ended.code === 0) {
        assert.ok(messages > 10, String(messages));
        return;
      }
      assert.match(ended.err, SENTENCE);
      assert.equal(ended.out, "");
    }
  });
});
