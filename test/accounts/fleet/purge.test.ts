import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Client } from "pg";
import {
  START_MS,
  accountOf,
  installOnPostgresql,
  installOver,
  issueKey,
  takeOne,
} from "../../support/service/accounts-installation.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../../support/servers/postgresql.ts";

const ADA = "ada@clinic.example";
/** So many that to compare each with each takes longer than a statement may. */
const ACCOUNTS = 60_000;

async function connect(url: string) {
  const client = new Client(url);
  await client.connect();
  return {
    query: (sql: string) => client.query<{ count: string }>(sql),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

suite("the hourly clean-up on PostgreSQL", { skip: NO_POSTGRESQL }, () => {
  test("takes no longer if the accounts don't fit into work_mem", async () => {
    const { url } = await (await postgresqlOfRun()).makeDatabase();
    await using client = await connect(url);
    await client.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET work_mem = ''64kB''', current_database()); END $$`,
    );
    await client.query(`
INSERT INTO api_account (email, plan, created_at) SELECT n || '@clinic.example', 'free', 0 FROM generate_series(1, ${ACCOUNTS}) n`);
    await client.query(`
INSERT INTO api_usage (account_id, month, used, viewed, updated_at)
SELECT n, '2026-11', 1, 0, ${START_MS} FROM generate_series(1, ${ACCOUNTS + 1}) n`);
    await client.query("ANALYZE");
    await using installation = await installOver({ kind: "postgresql", url });
    await installation.accounts.purge(START_MS);
    const { rows } = await client.query(
      "SELECT count(*) FROM api_usage WHERE account_id <> 0",
    );
    assert.deepEqual(rows, [{ count: String(ACCOUNTS) }]);
  });

  test("keeps no usage from being written if it fails", async () => {
    await using installation = await installOnPostgresql();
    const { place } = installation;
    assert.ok(place.kind === "postgresql");
    await using client = await connect(place.url);
    const key = await issueKey(installation.accounts, ADA);
    const { flusher, gate } = await installation.startProcess();
    await client.query("ALTER TABLE attempt RENAME TO attempt_away");
    try {
      const account = await accountOf(gate, key, START_MS);
      await takeOne(gate, account, START_MS);
      const { counted } = await flusher.flush();
      assert.equal(counted, 1);
    } finally {
      await client.query("ALTER TABLE attempt_away RENAME TO attempt");
    }
  });
});
