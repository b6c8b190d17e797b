import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { sql } from "kysely";
import { openAccounts } from "../../../src/accounts/accounts.ts";
import type { DatabasePlace } from "../../../src/accounts/database/database.ts";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import { recordUse } from "../../support/app/accounts-installation.ts";
import { BUILT_IN_PLANS } from "../../../src/accounts/plans.ts";
import { atPace } from "../../support/pure/pace.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../../support/postgresql/postgresql.ts";
import {
  argv,
  fails,
  runProgram,
  succeeded,
} from "../../support/program/program.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";

const ADA = "ada@clinic.example";
const EVE = "eve@clinic.example";
const NOVEMBER_MS = Date.UTC(2026, 10, 20, 12);

/** The program over one installation, with its accounts; both go with the test. */
async function commands(kind: "SQLite" | "PostgreSQL") {
  const owned = new DisposableStack();
  const folder = owned.use(temporaryFolder());
  const place: DatabasePlace =
    kind === "PostgreSQL"
      ? await (await postgresqlOfRun()).makeDatabase()
      : { kind: "sqlite", file: join(folder.path, "accounts.sqlite") };
  const environment = {
    DATA_DIR: folder.path,
    ...(place.kind === "postgresql" ? { DATABASE_URL: place.url } : {}),
  };
  const context = { now: () => NOVEMBER_MS };
  const run = (...args: string[]) => runProgram(args, { environment, context });
  return {
    folder: folder.path,
    place,
    run,
    /** What a command prints that must succeed. */
    async done(...args: string[]): Promise<string> {
      const out = await succeeded(run(...args));
      return out;
    },
    async json(...args: string[]) {
      const out = await succeeded(run(...args, "--json"));
      return JSON.parse(out);
    },
    [Symbol.dispose]: () => owned[Symbol.dispose](),
  };
}

/** Writes down use as a service does. */
async function use(
  place: DatabasePlace,
  accountId: number,
  keyId: number,
  count: number,
): Promise<void> {
  await recordUse(place, accountId, NOVEMBER_MS, [
    { keyId, hour: NOVEMBER_MS, operation: "search", count },
  ]);
}

for (const kind of ["SQLite", "PostgreSQL"] as const) {
  const skip = kind === "PostgreSQL" ? NO_POSTGRESQL : false;
  suite(`provider-directory accounts on ${kind}`, { skip }, () => {
    test("list and show print plan, status, quota, use and keys, for users and for scripts", async () => {
      using program = await commands(kind);
      assert.match(await program.done("accounts", "list"), /No accounts yet\./);
      await program.done("keys", "create", "--email", EVE, "--plan", "paid");
      const key = (
        await program.done("keys", "create", "--email", ADA, "--name", "forms")
      ).trim();
      await use(program.place, 2, 2, 40);
      const [ada, eve] = await program.json("accounts", "list");
      assert.deepEqual(ada, {
        email: ADA,
        plan: "free",
        status: "active",
        quota: 1_000,
        used: 40,
        remaining: 960,
        created_at: "2026-11-20T12:00:00.000Z",
        suspended_at: null,
        active_keys: 1,
      });
      assert.deepEqual([eve.email, eve.quota, eve.used], [EVE, 25_000, 0]);
      const shown = await program.json("accounts", "show", ADA.toUpperCase());
      assert.deepEqual(shown.used_for, { search: 40 });
      assert.equal(shown.keys.length, 1);
      assert.equal(shown.keys[0].name, "forms");
      assert.equal(shown.keys[0].used_this_month, 40);
      assert.equal(JSON.stringify(shown).includes(key), false);
      const text = await program.done("accounts", "show", ADA);
      assert.match(text, /used +40 of 1,000 this month \(search 40\)/);
      assert.match(
        await program.done("accounts", "list"),
        /^ACCOUNT +PLAN +STATUS +KEYS +USED +QUOTA\nada@clinic\.example +free +active +1 +40 +1,000\n/,
      );
    });

    test("suspend, resume and set-plan change an account, and the audit log says who did it", async () => {
      using program = await commands(kind);
      await program.done("keys", "create", "--email", ADA);
      assert.equal(
        await program.done("accounts", "suspend", ADA),
        `${ADA} is suspended, plan free.\n`,
      );
      assert.equal(
        (await program.json("accounts", "resume", ADA)).status,
        "active",
      );
      assert.equal(
        await program.done("accounts", "set-plan", ADA, "paid"),
        `${ADA} is active, plan paid.\n`,
      );
      assert.equal(
        await program.done("accounts", "disable-2fa", ADA),
        `Two-factor authentication was not on.\n${ADA} is active, plan paid.\n`,
      );
      const entries = await program.json("accounts", "audit");
      const operator = `operator ${userInfo().username}`;
      assert.deepEqual(
        entries.map((entry: Record<string, unknown>) => [
          entry["actor"],
          entry["action"],
          entry["email"],
        ]),
        [
          [`${operator}: keys create`, "account_created", ADA],
          [`${operator}: keys create`, "key_created", ADA],
          [`${operator}: accounts suspend`, "account_suspended", ADA],
          [`${operator}: accounts resume`, "account_resumed", ADA],
          [`${operator}: accounts set-plan`, "plan_set", ADA],
        ],
      );
      assert.equal(entries.at(-1).detail, "from free to paid");
      assert.match(
        await program.done("accounts", "audit", "--email", ADA),
        /^TIME +WHO +WHAT +ACCOUNT +DETAIL\n2026-11-20 12:00:00 UTC +operator /,
      );
    });

    test("delete removes the user and keeps only anonymous totals", async () => {
      using program = await commands(kind);
      await program.done(
        "keys",
        "create",
        "--email",
        ADA,
        "--name",
        "Ada Byron",
      );
      await program.done("keys", "create", "--email", EVE);
      await use(program.place, 1, 1, 30);
      await use(program.place, 2, 2, 12);
      assert.equal(
        await program.done("accounts", "delete", ADA),
        `Deleted ${ADA} and its keys.\n`,
      );
      await program.done("accounts", "delete", EVE);
      assert.deepEqual(await program.json("accounts", "list"), []);
      assert.deepEqual(await program.json("keys", "list"), []);
      const entries = await program.json("accounts", "audit");
      const text = JSON.stringify(entries);
      for (const trace of [ADA, EVE, "Byron"])
        assert.equal(text.includes(trace), false, trace);
      assert.equal(entries.at(-1).action, "account_deleted");
      await using db = await openDatabase(program.place);
      const [sums, ...others] = await db
        .selectFrom("api_usage")
        .select(["account_id", "used"])
        .execute();
      assert.deepEqual(
        [{ ...sums }, others],
        [{ account_id: 0, used: 42 }, []],
      );
      const [parts, ...more] = await db
        .selectFrom("api_usage_hour")
        .select(["key_id", "operation", "used"])
        .execute();
      assert.deepEqual(
        [{ ...parts }, more],
        [{ key_id: 0, operation: "search", used: 42 }, []],
      );
      if (program.place.kind === "sqlite")
        for (const name of readdirSync(program.folder)) {
          const bytes = readFileSync(join(program.folder, name));
          for (const trace of [ADA, EVE, "Byron"])
            assert.equal(bytes.includes(trace), false, `${trace} in ${name}`);
        }
      // The address is free again; its new account is another one, in the same month.
      const deleted = await program.json("accounts", "show", ADA);
      assert.deepEqual([deleted.status, deleted.used], ["deleted", 30]);
      await program.done("keys", "create", "--email", ADA);
      const account = await db
        .selectFrom("api_account")
        .select("id")
        .executeTakeFirst();
      assert.equal(account?.id, 3);
      assert.equal((await program.json("accounts", "show", ADA)).used, 30);
    });

    test("a suspension outlives the account, and resume lifts it", async () => {
      using program = await commands(kind);
      await program.done("keys", "create", "--email", ADA);
      await program.done("accounts", "suspend", ADA);
      await program.done("accounts", "delete", ADA);
      assert.match(
        await program.done("accounts", "show", ADA),
        /status +deleted .*, suspended since /,
      );
      assert.equal(
        await program.done("accounts", "resume", ADA),
        `The account ${ADA} was deleted. Its suspension is lifted: a new account with this address will be active.\n`,
      );
      const suspended = await program.json("accounts", "suspend", ADA);
      assert.deepEqual(
        [suspended.status, suspended.suspended_at],
        ["deleted", "2026-11-20T12:00:00.000Z"],
      );
      await program.done("keys", "create", "--email", ADA);
      const { status } = await program.json("accounts", "show", ADA);
      assert.equal(status, "suspended");
    });

    test("refuses a missing account with one sentence", async () => {
      using program = await commands(kind);
      await program.done("keys", "create", "--email", EVE);
      for (const args of [
        ["show", ADA],
        ["suspend", ADA],
        ["resume", ADA],
        ["delete", "nonsense"],
        ["set-plan", ADA, "paid"],
        ["audit", "--email", ADA],
      ]) {
        await fails(
          program.run("accounts", ...args),
          1,
          /^provider-directory: No account .*\. Run accounts list to see all accounts\.\n$/,
        );
      }
      const { code, err } = await program.run(
        ...argv`accounts set-plan ${EVE} gold`,
      );
      assert.equal(code, 2);
      assert.match(err, /Unknown plan "gold"\. Choose free or paid\./);
      assert.equal((await program.run("accounts", "show")).code, 2);
    });
  });
}

suite("provider-directory accounts backup", () => {
  test("copies a database during writes; the copy is complete and can replace it", async () => {
    using program = await commands("SQLite");
    const target = join(program.folder, "copy.sqlite");
    await program.done("keys", "create", "--email", ADA);
    await using accounts = await openAccounts({
      place: program.place,
      plans: BUILT_IN_PLANS,
      clock: Date.now,
      random: randomBytes,
      actor: "test",
    });
    let number = 0;
    await using writing = atPace(1, async () => {
      await accounts.users.create(`${number++}@clinic.example`);
    });
    assert.match(
      await program.done("accounts", "backup", target),
      /^Backed up the accounts in /,
    );
    await writing.end();
    assert.equal((statSync(target).mode & 0o777).toString(8), "600");
    await fails(
      program.run("accounts", "backup", target),
      1,
      /already exists\. Choose another name\./,
    );
    await accounts[Symbol.asyncDispose]();

    await program.done("accounts", "delete", ADA);
    const file = join(program.folder, "accounts.sqlite");
    for (const companion of ["-wal", "-shm"])
      rmSync(file + companion, { force: true });
    copyFileSync(target, file);
    assert.equal((await program.json("accounts", "show", ADA)).keys.length, 1);
  });

  test("leaves nothing behind if it fails, and names PostgreSQL's own tool", async () => {
    using program = await commands("SQLite");
    const target = join(program.folder, "copy.sqlite");
    const none = await program.run("accounts", "backup", target);
    assert.match(none.err, /No accounts in /);
    assert.equal(existsSync(join(program.folder, "accounts.sqlite")), false);
    writeFileSync(
      join(program.folder, "accounts.sqlite"),
      "no database ".repeat(1_000),
    );
    const damaged = await program.run("accounts", "backup", target);
    assert.deepEqual([damaged.code, damaged.out], [1, ""]);
    assert.deepEqual(readdirSync(program.folder), ["accounts.sqlite"]);
    const nowhere = join(program.folder, "nowhere", "copy.sqlite");
    const missing = await program.run("accounts", "backup", nowhere);
    assert.equal(missing.code, 1);
    assert.equal(
      missing.err,
      `provider-directory: No such file or folder (${nowhere}). Check the name.\n`,
    );
    await fails(
      program.run(
        ...argv`accounts backup ${target} --database-url postgres://db.example/accounts`,
      ),
      1,
      /Back them up with pg_dump: see docs\/deploying\.md/,
    );
  });
});

suite("provider-directory accounts migrate", { skip: NO_POSTGRESQL }, () => {
  test("copies accounts, working keys, use, audit log, and the sequence of ids", async () => {
    using from = await commands("SQLite");
    using to = await commands("PostgreSQL");
    const key = (await from.done("keys", "create", "--email", ADA)).trim();
    await from.done("keys", "create", "--email", EVE);
    await from.done("keys", "create", "--email", "gone@clinic.example");
    await use(from.place, 1, 1, 7);
    await from.done("accounts", "delete", "gone@clinic.example");
    const before = await from.json("accounts", "show", ADA);
    assert.ok(to.place.kind === "postgresql");
    const { url } = to.place;
    assert.match(
      await from.done("accounts", "migrate", "--to", url),
      /^Copied 2 accounts with 2 keys\. Now set DATABASE_URL/,
    );
    assert.deepEqual(await to.json("accounts", "show", ADA), before);
    assert.equal(
      (await to.json("accounts", "audit")).at(-1).action,
      "accounts_migrated",
    );
    await to.done("keys", "revoke", key);
    await to.done("keys", "create", "--email", "new@clinic.example");
    await using db = await openDatabase(to.place);
    const ids = await db
      .selectFrom("api_account")
      .select("id")
      .orderBy("id")
      .execute();
    assert.deepEqual(
      ids.map(({ id }) => id),
      [1, 2, 4],
    );
    assert.deepEqual(await from.json("accounts", "show", ADA), before);

    await fails(
      from.run("accounts", "migrate", "--to", url),
      1,
      /already has accounts, and was not changed/,
    );
    assert.equal((await to.json("accounts", "list")).length, 3);
  });

  test("is all or nothing", async () => {
    using from = await commands("SQLite");
    using to = await commands("PostgreSQL");
    await from.done("keys", "create", "--email", ADA);
    await using db = await openDatabase(to.place);
    // A table that comes after others does not take its rows.
    await db.schema
      .alterTable("api_audit")
      .addCheckConstraint("none", sql`at < 0`)
      .execute();
    assert.ok(to.place.kind === "postgresql");
    await fails(
      from.run("accounts", "migrate", "--to", to.place.url),
      1,
      /violates check constraint "none"/,
    );
    assert.deepEqual(await to.json("accounts", "list"), []);
  });

  test("needs a source and a reachable target, and never prints the target's password", async () => {
    using from = await commands("SQLite");
    const url = "postgres://ada:hidden@127.0.0.1:1/accounts";
    assert.match(
      (await from.run("accounts", "migrate", "--to", url)).err,
      /No accounts in /,
    );
    await from.done("keys", "create", "--email", ADA);
    const { code, err } = await from.run("accounts", "migrate", "--to", url);
    assert.equal(code, 1);
    assert.match(err, /cannot be reached .*, or correct --to\.$/m);
    const wrong = await from.run(
      ...argv`accounts migrate --to mysql://a:hidden@b/c`,
    );
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /--to must start with postgres:\/\/\./);
    assert.equal((err + wrong.err).includes("hidden"), false);
  });
});
