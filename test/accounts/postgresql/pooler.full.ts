import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { suite, test } from "node:test";
import { sql } from "kysely";
import { openAccounts } from "../../../src/accounts/accounts.ts";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import { connectPostgresql } from "../../../src/accounts/database/open-postgresql.ts";
import { BUILT_IN_PLANS } from "../../../src/accounts/plans.ts";
import {
  NO_PGBOUNCER,
  startPgbouncer,
} from "../../support/postgresql/pgbouncer.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfFile,
} from "../../support/postgresql/postgresql.ts";
import {
  issueKey,
  takeOne,
  verdictOf,
} from "../../support/app/accounts-installation.ts";
import { startMetering } from "../../support/app/metering-process.ts";
import { until } from "../../support/pure/until.ts";

const skip = NO_POSTGRESQL || NO_PGBOUNCER;

for (const mode of ["transaction", "session"] as const)
  suite(`PgBouncer in ${mode} mode`, { skip }, () => {
    test("processes migrate a new database at the same moment, and accounts, keys and usage work", async () => {
      const server = await postgresqlOfFile();
      await using pooler = await startPgbouncer(server, { mode });
      const place = pooler.through(await server.makeEmptyDatabase());
      const opened = await Promise.all(
        Array.from({ length: 4 }, () => openDatabase(place)),
      );
      for (const db of opened) await db.destroy();
      await using accounts = await openAccounts({
        place,
        plans: BUILT_IN_PLANS,
        clock: Date.now,
        random: randomBytes,
        actor: "test",
      });
      await using metering = await startMetering({
        accounts,
        plans: BUILT_IN_PLANS,
        onError(error) {
          throw error;
        },
      });
      const gate = metering.openGate();
      const key = await issueKey(accounts, "ada@clinic.example");
      const verdict = await verdictOf(gate, key, Date.now());
      assert.ok(verdict.status === "valid");
      assert.equal(await takeOne(gate, verdict.account, Date.now()), "taken");
      await metering.keeper.quota.recall(null);
      assert.equal(await metering.keeper.flusher.flush(), 1);
      assert.equal(await accounts.usage.thisMonth(verdict.account.id), 1);
    });

    test("no setting of a session is left to the pooler's other clients", async () => {
      const server = await postgresqlOfFile();
      await using pooler = await startPgbouncer(server, { mode, poolSize: 1 });
      const place = pooler.through(await server.makeDatabase());
      {
        await using db = await openDatabase(place);
        await db.transaction().execute(async (trx) => {
          assert.equal(await timeoutOf(trx), "5s");
        });
      }
      await using db = await openDatabase(place);
      assert.equal(await timeoutOf(db), "0");
      const { rows } = await sql<{
        count: number;
      }>`SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'`.execute(db);
      assert.deepEqual(rows, [{ count: 0 }]);
    });

    test("a pooler whose server is away is reported in seconds, and works when it is back", async () => {
      const server = await postgresqlOfFile();
      await using pooler = await startPgbouncer(server, { mode });
      const place = pooler.through(await server.makeDatabase());
      await using db = await openDatabase(place);
      await server.stop();
      const startedMs = performance.now();
      try {
        await assert.rejects(openDatabase(place), {
          name: "AccountsDatabaseUnavailableError",
          message: /cannot be reached \(PostgreSQL at [^)]+\)/,
        });
        await assert.rejects(() =>
          db.selectFrom("api_key").selectAll().execute(),
        );
        assert.ok(performance.now() - startedMs < 60_000);
      } finally {
        await server.resume();
      }
      await until("the pooler to connect again", () =>
        db
          .selectFrom("api_key")
          .selectAll()
          .execute()
          .then(
            () => true,
            () => false,
          ),
      );
    });

    test("a statement behind a lock ends in time", async () => {
      const server = await postgresqlOfFile();
      await using pooler = await startPgbouncer(server, { mode });
      const place = await server.makeDatabase();
      await using direct = await openDatabase(place);
      const limits = { most: 1, answerWithinMs: 300 };
      await using db = connectPostgresql(pooler.through(place).url, limits);
      await direct.transaction().execute(async (trx) => {
        await sql`LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE`.execute(trx);
        // By the client, then by the server.
        await assert.rejects(
          () => db.selectFrom("api_key").selectAll().execute(),
          /Query read timeout/,
        );
        await assert.rejects(
          () =>
            db
              .transaction()
              .execute((all) =>
                all.selectFrom("api_key").selectAll().execute(),
              ),
          /canceling statement due to statement timeout/,
        );
      });
      assert.deepEqual(
        await db.selectFrom("api_key").selectAll().execute(),
        [],
      );
    });
  });

test(
  "without a pooler, the server ends statements outside of transactions too",
  { skip },
  async () => {
    const place = await (await postgresqlOfFile()).makeDatabase();
    await using db = await openDatabase(place);
    assert.equal(await timeoutOf(db), "5s");
  },
);

async function timeoutOf(db: Parameters<typeof timeouts>[0]): Promise<string> {
  const { rows } = await timeouts(db);
  return rows[0]?.statement_timeout ?? "";
}

function timeouts(db: Awaited<ReturnType<typeof openDatabase>>) {
  return sql<{ statement_timeout: string }>`SHOW statement_timeout`.execute(db);
}
