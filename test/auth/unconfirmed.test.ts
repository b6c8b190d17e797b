import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { install } from "../support/app/accounts-installation.ts";
import { installOnPostgresql } from "../support/postgresql/on-both.ts";
import { PASSWORD, startAuthService } from "../support/app/auth-service.ts";
import { NO_POSTGRESQL } from "../support/postgresql/postgresql.ts";
import { runProgram } from "../support/program/program.ts";

const EVE = "eve@clinic.example";

for (const [kind, make, skip] of [
  ["SQLite", install, false],
  ["PostgreSQL", installOnPostgresql, NO_POSTGRESQL],
] as const) {
  /** A service with Eve's unconfirmed sign-up, and its operator's commands. */
  const start = async () => {
    const service = await startAuthService({ install: make });
    const { folder, place } = service.http.installation;
    const environment = {
      DATA_DIR: folder,
      ...(place.kind === "postgresql" ? { DATABASE_URL: place.url } : {}),
    };
    await service.browser().signUp(EVE);
    const { link } = await service.mail.mailTo(EVE);
    return {
      service,
      link,
      run: (...args: string[]) => runProgram(args, { environment }),
      [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
    };
  };

  suite(
    `operators and an address that was never confirmed, on ${kind}`,
    {
      skip,
    },
    () => {
      test("show it, and that there is no account yet", async () => {
        await using running = await start();
        const { run } = running;
        const shown = await run("accounts", "show", " Eve@Clinic.example ");
        assert.equal(shown.code, 0, shown.err);
        assert.match(
          shown.out,
          /^eve@clinic\.example\n {2}status {3}unconfirmed/,
        );
        const { out } = await run("accounts", "show", EVE, "--json");
        const { created_at, ...facts } = JSON.parse(out);
        assert.ok(Math.abs(Date.now() - Date.parse(created_at)) < 60_000);
        assert.deepEqual(facts, {
          email: EVE,
          plan: null,
          status: "unconfirmed",
          quota: 0,
          used: 0,
          remaining: 0,
          suspended_at: null,
          customer: null,
          subscription: null,
          used_for: {},
          keys: [],
        });
      });

      test("delete it: the mailed link stops working, and the address can sign up again", async () => {
        await using running = await start();
        const { link, run, service } = running;
        const deleted = await run("accounts", "delete", EVE);
        assert.equal(deleted.code, 0, deleted.err);
        assert.equal(
          deleted.out,
          `Deleted ${EVE}, a sign-up that was never confirmed.\n`,
        );
        const eve = service.browser();
        await eve.confirm(link);
        assert.equal((await eve.get("/account")).statusCode, 401);
        assert.equal((await eve.signIn(EVE)).statusCode, 401);
        const again = await run("accounts", "delete", EVE);
        assert.equal(again.code, 1);
        assert.match(again.err, /No account eve@clinic\.example/);
        const log = await run("accounts", "audit", "--json");
        const entry = JSON.parse(log.out).at(-1);
        assert.equal(entry.action, "sign_up_removed");
        assert.equal(log.out.includes(EVE), false);
        await eve.signUp(EVE);
        await eve.confirm((await service.mail.mailTo(EVE, 2)).link);
        assert.equal((await eve.signIn(EVE)).statusCode, 200);
      });

      test("suspend it: confirming it leads to a suspended account, until it is resumed", async () => {
        await using running = await start();
        const { link, run, service } = running;
        const suspended = await run("accounts", "suspend", EVE);
        assert.equal(suspended.code, 0, suspended.err);
        assert.equal(suspended.out, `${EVE} is suspended, plan free.\n`);
        const eve = service.browser();
        await eve.confirm(link);
        assert.equal((await eve.signIn(EVE)).statusCode, 200);
        const account = await eve.get("/account");
        assert.equal(account.json().data.status, "suspended");
        const resumed = await run("accounts", "resume", EVE);
        assert.equal(resumed.code, 0, resumed.err);
        assert.equal((await eve.get("/account")).json().data.status, "active");
      });

      test("delete it with the account that was created for the address", async () => {
        await using running = await start();
        const { run, service } = running;
        await run("keys", "create", "--email", EVE);
        const deleted = await run("accounts", "delete", EVE, "--json");
        assert.deepEqual(JSON.parse(deleted.out), {
          email: EVE,
          status: "deleted",
          customer_left: null,
        });
        const answer = await service.browser().signIn(EVE, PASSWORD);
        assert.equal(answer.statusCode, 401);
        assert.equal((await run("accounts", "show", EVE)).code, 1);
      });
    },
  );
}
