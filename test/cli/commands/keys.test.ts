import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { cwd } from "node:process";
import { suite, test } from "node:test";
import { KEY_PATTERN } from "../../../src/contract/credentials.ts";
import {
  argv,
  fails,
  runProgram,
  succeeded,
} from "../../support/program/program.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";

/** The `keys` commands on a new data folder. */
function keys(environment: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const run = (...args: string[]) =>
    runProgram(["keys", ...args, "--data-dir", folder.path], { environment });
  return {
    folder: folder.path,
    run,
    /** A new key. */
    async create(...args: string[]): Promise<string> {
      const out = await succeeded(run("create", ...args));
      return out.trimEnd().split("\n").at(-1) ?? "";
    },
    /** The states of all keys. */
    async states(): Promise<unknown[]> {
      const listed: unknown = JSON.parse((await run("list", "--json")).out);
      assert.ok(Array.isArray(listed));
      return listed.map((key: { state: unknown }) => key.state);
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

suite("provider-directory keys create", () => {
  test("prints only the key on standard output, and everything else on standard error", async () => {
    using commands = keys();
    const { code, err, out } = await commands.run(
      ...argv`create --email Ada@Clinic.example`,
    );
    assert.equal(code, 0);
    assert.match(out, /^pd_live_[0-9A-Za-z]{36}\n$/);
    assert.equal(
      err,
      "Key for ada@clinic.example, plan free. It is shown only once:\n",
    );
  });

  test("refuses a name that is too long, and an eleventh key", async () => {
    using commands = keys();
    const email = ["--email", "ada@clinic.example"];
    await fails(
      commands.run("create", ...email, "--name", "x".repeat(61)),
      2,
      /--name must be one line of at most 60 characters/,
    );
    for (let number = 1; number <= 10; number++)
      await commands.create(...email);
    await fails(
      commands.run("create", ...email),
      1,
      /An account can have at most 10 active keys\. Revoke one/,
    );
  });

  test("sets when a key expires, in days or as a date", async () => {
    using commands = keys();
    const email = ["--email", "ada@clinic.example"];
    const now = Date.now();
    await commands.create(...email, "--expires", "90d");
    const day = new Date(now + 30 * 86_400_000).toISOString().slice(0, 10);
    const { err } = await commands.run("create", ...email, "--expires", day);
    assert.match(err, new RegExp(`plan free, until ${day} 00:00:00 UTC\\. `));
    const listed: unknown = JSON.parse(
      (await commands.run("list", "--json")).out,
    );
    assert.ok(Array.isArray(listed));
    const [inDays = 0, onDay] = listed.map(({ expires_at }) =>
      Date.parse(expires_at),
    );
    assert.ok(inDays >= now + 90 * 86_400_000);
    assert.ok(inDays <= Date.now() + 90 * 86_400_000);
    assert.equal(onDay, Date.parse(`${day}T00:00:00Z`));
    const { out } = await commands.run("list");
    assert.match(out, new RegExp(`active until ${day} 00:00:00 UTC`));
    for (const [given, problem] of [
      ["soon", /--expires must be a number of days such as 90d, or a date/],
      ["2020-01-01", /--expires must be in the future/],
      ["9999d", /--expires must be in the future, at most five years ahead/],
    ] as const) {
      await fails(
        commands.run(...argv`create ${email} --expires ${given}`),
        2,
        problem,
      );
    }
  });

  test("stores the key nowhere", async () => {
    using commands = keys();
    const key = await commands.create("--email", "ada@clinic.example");
    assert.match(key, KEY_PATTERN);
    for (const name of readdirSync(commands.folder)) {
      assert.equal(
        readFileSync(join(commands.folder, name)).includes(key),
        false,
        name,
      );
    }
  });

  test("a second key keeps the account's plan, unless another plan is given", async () => {
    using commands = keys();
    await commands.create("--email", "ada@clinic.example", "--plan", "paid");
    assert.match(
      (await commands.run("create", "--email", "ada@clinic.example")).err,
      /plan paid/,
    );
    const changed = await commands.run(
      ...argv`create --email ada@clinic.example --plan free`,
    );
    assert.match(
      changed.err,
      /^Changed the account's plan from paid to free\.\nKey for .*, plan free\./,
    );
  });

  test("takes configured plans", async () => {
    using commands = keys({
      PLANS: '{"team":{"monthlyQuota":5,"burstPerSecond":2}}',
    });
    assert.match(
      (
        await commands.run(
          ...argv`create --email ada@clinic.example --plan team`,
        )
      ).err,
      /plan team/,
    );
  });

  test("refuses an unknown plan and an invalid address in one sentence", async () => {
    using commands = keys();
    const plan = await commands.run(
      ...argv`create --email ada@clinic.example --plan gold`,
    );
    assert.deepEqual(
      [plan.code, plan.err],
      [2, 'provider-directory: Unknown plan "gold". Choose free or paid.\n'],
    );
    await fails(
      commands.run("create", "--email", "ada"),
      2,
      /^provider-directory: "ada" is not an email address/,
    );
  });
});

suite("provider-directory keys list", () => {
  test("shows enough of each key to select it, and never the key", async () => {
    using commands = keys();
    const key = await commands.create("--email", "ada@clinic.example");
    await commands.create("--email", "bea@clinic.example", "--plan", "paid");
    const { code, out } = await commands.run("list");
    const [heading, first, second, ...more] = out.trimEnd().split("\n");
    assert.equal(code, 0);
    assert.deepEqual(more, []);
    assert.match(
      heading ?? "",
      /^KEY +NAME +ACCOUNT +PLAN +STATE +CREATED +LAST USED +THIS MONTH$/,
    );
    assert.match(
      first ?? "",
      /^pd_live_\w{4}\.\.\.\w{4} +ada@clinic\.example +free +active +\d{4}-.* UTC +never +0$/,
    );
    assert.match(second ?? "", /bea@clinic\.example +paid/);
    assert.ok(first?.startsWith(`${key.slice(0, 12)}...${key.slice(-4)} `));
    assert.equal(out.includes(key), false);
  });

  test("lists one account, as JSON too", async () => {
    using commands = keys();
    await commands.create("--email", "ada@clinic.example");
    const key = await commands.create(
      "--email",
      "bea@clinic.example",
      "--name",
      "intake forms",
    );
    const listed: unknown = JSON.parse(
      (await commands.run("list", "--email", "bea@clinic.example", "--json"))
        .out,
    );
    assert.ok(Array.isArray(listed) && listed.length === 1);
    const { created_at: createdAt, ...rest } = listed[0];
    assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual(rest, {
      key: `${key.slice(0, 12)}...${key.slice(-4)}`,
      name: "intake forms",
      email: "bea@clinic.example",
      plan: "free",
      account_suspended: false,
      state: "active",
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
      used_this_month: 0,
    });
  });

  test("an empty folder has no keys, and says how to create one; a missing folder is not created", async () => {
    using commands = keys();
    assert.match(
      (await commands.run("list")).out,
      /No keys yet\. Create one with keys create/,
    );
    assert.equal((await commands.run("list", "--json")).out, "[]\n");
    const missing = relative(cwd(), join(commands.folder, "typo"));
    const { code, err } = await runProgram(
      argv`keys list --data-dir ${missing}`,
    );
    assert.equal(code, 1);
    assert.ok(
      err.startsWith(
        `provider-directory: There is no data folder ${resolve(missing)}. `,
      ),
      err,
    );
    assert.equal(readdirSync(commands.folder).includes("typo"), false);
  });

  test("names an account that does not exist", async () => {
    using commands = keys();
    assert.match(
      (await commands.run("list", "--email", "eve@clinic.example")).err,
      /No account eve@clinic\.example/,
    );
  });
});

suite("provider-directory keys revoke and rotate", () => {
  test("a key is revoked by its prefix; a second time, there is nothing to do, and rotating it fails", async () => {
    using commands = keys();
    const key = await commands.create("--email", "ada@clinic.example");
    const revoked = await commands.run("revoke", key.slice(0, 12));
    assert.deepEqual(
      [revoked.code, revoked.out],
      [
        0,
        `Revoked ${key.slice(0, 12)}...${key.slice(-4)} of ada@clinic.example.\n`,
      ],
    );
    assert.deepEqual(await commands.states(), ["revoked"]);
    const again = await commands.run("revoke", key.slice(0, 12));
    assert.deepEqual([again.code, again.err], [0, ""]);
    assert.match(again.out, /is already revoked\. Nothing to do\.\n$/);
    const json = await commands.run("revoke", key.slice(0, 12), "--json");
    assert.deepEqual([json.code, JSON.parse(json.out).state], [0, "revoked"]);
    await fails(
      commands.run("rotate", key.slice(0, 12)),
      1,
      /is already revoked\. Create a new key with keys create\.\n$/,
    );
  });

  test("refuses a selector without a key in one sentence", async () => {
    using commands = keys();
    await commands.create("--email", "ada@clinic.example");
    for (const [prefix, sentence] of [
      [
        "pd_live_0000",
        /^provider-directory: No key starts with pd_live_0000\. /,
      ],
      ["pd_live_", /Give at least the first 12 characters/],
      ["sk_test_1234", /A key starts with pd_live_/],
    ] as const) {
      for (const command of ["revoke", "rotate"]) {
        await fails(commands.run(command, prefix), 1, sentence);
      }
    }
    assert.deepEqual(await commands.states(), ["active"]);
  });

  test("finds only the account's own keys if an account is given", async () => {
    using commands = keys();
    const key = await commands.create("--email", "ada@clinic.example");
    await commands.create("--email", "bea@clinic.example");
    assert.equal(
      (
        await commands.run(
          "revoke",
          key.slice(0, 12),
          "--email",
          "bea@clinic.example",
        )
      ).code,
      1,
    );
    assert.deepEqual(await commands.states(), ["active", "active"]);
  });

  test("rotate prints the new key last, and how long the old one works", async () => {
    using commands = keys();
    const key = await commands.create("--email", "ada@clinic.example");
    const { code, err, out } = await commands.run(
      "rotate",
      key.slice(0, 12),
      "--overlap",
      "1h",
    );
    assert.equal(code, 0);
    assert.match(out, /^pd_live_[0-9A-Za-z]{36}\n$/);
    assert.notEqual(out.trim(), key);
    assert.match(
      err,
      /works until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\. The new key is shown only once:\n$/,
    );
    assert.deepEqual(await commands.states(), ["active", "active"]);
  });

  test("rename gives a key another name", async () => {
    using commands = keys();
    const key = await commands.create("--email", "ada@clinic.example");
    const prefix = key.slice(0, 12);
    const { code, out } = await commands.run(
      "rename",
      prefix,
      "--name",
      "intake forms",
    );
    assert.equal(code, 0);
    assert.match(out, /of ada@clinic\.example is now called intake forms\.\n$/);
    const unnamed = await commands.run("rename", prefix);
    assert.match(unnamed.out, /has no name now\.\n$/);
    const refused = await commands.run("rename", prefix, "--name", "a\nb");
    assert.equal(refused.code, 2);
  });

  test("rotate without an overlap ends the old key at once", async () => {
    using commands = keys();
    const key = await commands.create("--email", "ada@clinic.example");
    const { out } = await commands.run(
      "rotate",
      key.slice(0, 12),
      "--overlap",
      "0",
      "--json",
    );
    const { new_key: newKey, old } = JSON.parse(out);
    assert.match(newKey, KEY_PATTERN);
    assert.equal(old.state, "revoked");
    assert.deepEqual(await commands.states(), ["revoked", "active"]);
  });
});
