import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { AccountsDatabaseUnavailableError } from "../../src/accounts/database/database.ts";
import { BUILT_IN_PLANS } from "../../src/accounts/plans.ts";
import {
  openServiceAccounts,
  retryUntilAvailable,
} from "../../src/server/open-service-accounts.ts";
import { cuttingProxy } from "../support/app/servers/cutting-proxy.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfFile,
} from "../support/postgresql/postgresql.ts";
import { ProgramProcess } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";

const BILLING = {
  secretKey: "sk_test_nobody",
  apiUrl: null,
  webhookSecret: "whsec_nobody",
  prices: { paid: "price_paid" },
};

const AWAY = /The accounts database cannot be reached \(PostgreSQL at [^)]+\)/;

/** The service as a process over a database, whose server is stopped. */
async function serveWithout(dataDir: string, wait: string) {
  const postgresql = await postgresqlOfFile();
  const { url } = await postgresql.makeDatabase();
  await postgresql.stop();
  const program = new ProgramProcess(["serve"], {
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    DATABASE_WAIT: wait,
    PORT: "0",
    WORKERS: "1",
  });
  return {
    postgresql,
    program,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await postgresql.resume();
    },
  };
}

test("an attempt that takes longer than the wait is retried too", async () => {
  let attempts = 0;
  const opened = await retryUntilAvailable(
    async () => {
      if (++attempts > 1) return "opened";
      await sleep(30);
      throw new AccountsDatabaseUnavailableError("It is away.");
    },
    {
      waitMs: 10,
      stop: new AbortController().signal,
      onAway: () => undefined,
    },
  );
  assert.equal(opened, "opened");
});

suite(
  "a service that starts while PostgreSQL is away",
  { skip: NO_POSTGRESQL },
  () => {
    test("says so at once, and serves once PostgreSQL is up", async () => {
      using folder = temporaryFolder();
      await using running = await serveWithout(folder.path, "60");
      const { postgresql, program } = running;
      await program.printed(AWAY);
      await program.printed(/Retrying for 60 s\./);
      assert.doesNotMatch(program.err, /Listening/);
      await postgresql.resume();
      const [, url = ""] = await program.printed(/Listening on (http:\S+)/);
      assert.equal((await fetch(`${url}/healthz`)).status, 200);
      assert.equal(program.err.match(/cannot be reached/g)?.length, 1);
      assert.match(
        program.out,
        /"level":40.+"msg":"waiting for the accounts database"/,
      );
    });

    test("waits too if PostgreSQL goes away between two queries of the start", async () => {
      const { url } = await (await postgresqlOfFile()).makeEmptyDatabase();
      let waits = 0;
      for (let messages = 1; ; messages++) {
        await using proxy = await cuttingProxy(url, messages);
        let heard = 0;
        const opened = await retryUntilAvailable(
          () =>
            openServiceAccounts(
              {
                place: { kind: "postgresql", url: proxy.url },
                plans: BUILT_IN_PLANS,
                clock: Date.now,
                random: randomBytes,
              },
              BILLING,
              pino({ level: "silent" }),
            ),
          {
            waitMs: 60_000,
            stop: new AbortController().signal,
            onAway() {
              heard++;
              proxy.mend();
            },
          },
        );
        assert.ok(opened !== null);
        const { isCut } = proxy;
        proxy.mend();
        assert.deepEqual(await opened.accounts.unconfiguredPlans(), []);
        await opened.accounts[Symbol.asyncDispose]();
        assert.ok(heard <= 1);
        waits += heard;
        if (heard === 0 && !isCut) break;
      }
      assert.ok(waits >= 8, String(waits));
    });

    test("exits with 1 and the reason if that takes too long", async () => {
      using folder = temporaryFolder();
      await using running = await serveWithout(folder.path, "1");
      const { code, err } = await running.program.ended();
      assert.equal(code, 1);
      const lines = err.trimEnd().split("\n");
      assert.equal(lines.length, 2, err);
      assert.match(lines[0] ?? "", /Retrying for 1 s\.$/);
      assert.match(
        lines[1] ?? "",
        /Start the server, or correct DATABASE_URL\.$/,
      );
    });

    test("exits with 0 if it is stopped meanwhile", async () => {
      using folder = temporaryFolder();
      await using running = await serveWithout(folder.path, "60");
      const { program } = running;
      await program.printed(AWAY);
      program.kill("SIGTERM");
      const { code, err } = await program.ended();
      assert.equal(code, 0, err);
    });

    test("does not wait if the server is up but lacks the database", async () => {
      using folder = temporaryFolder();
      const { url } = await (await postgresqlOfFile()).makeEmptyDatabase();
      await using program = new ProgramProcess(["serve"], {
        DATA_DIR: folder.path,
        DATABASE_URL: url.replace(/\/[^/]+$/, "/nowhere"),
        PORT: "0",
      });
      const { code, err } = await program.ended();
      assert.equal(code, 1);
      assert.match(err, /database "nowhere" does not exist/);
      assert.doesNotMatch(err, /tried again/);
    });
  },
);
