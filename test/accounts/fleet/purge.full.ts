import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Client } from "pg";
import {
  START_MS,
  accountOf,
  installOver,
  issueKey,
  takeOne,
} from "../../support/app/accounts-installation.ts";
import { installOnPostgresql } from "../../support/postgresql/on-both.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../../support/postgresql/postgresql.ts";

const HOUR_MS = 3_600_000;
/** When another try is made. */
const AGAIN_MS = 300_000;
const VANISHED =
  "INSERT INTO fleet_node (process, name, version, started_at, seen_at) VALUES ('gone', '', '1', 0, 0)";
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

  test("is done by one node in an hour", async () => {
    await using installation = await installOnPostgresql();
    const { place } = installation;
    assert.ok(place.kind === "postgresql");
    await using client = await connect(place.url);
    for (const process of ["first", "second"]) {
      await client.query(VANISHED.replace("gone", process));
      const { flusher } = (await installation.startProcess()).keeper;
      await flusher.flush();
    }
    const nodes = () => client.query("SELECT process FROM fleet_node");
    const { rows: inHour } = await nodes();
    installation.clock.nowMs += HOUR_MS;
    const { flusher } = (await installation.startProcess()).keeper;
    await flusher.flush();
    const { rows: inNext } = await nodes();
    assert.deepEqual([inHour, inNext], [[{ process: "second" }], []]);
  });

  test("is done by another node if the one that tried failed", async () => {
    await using installation = await installOnPostgresql();
    const { place } = installation;
    assert.ok(place.kind === "postgresql");
    await using client = await connect(place.url);
    await client.query(VANISHED);
    const nodes = async () => {
      const { rows } = await client.query(
        "SELECT count(*)::text AS count FROM fleet_node",
      );
      return rows[0]?.count;
    };
    await client.query("ALTER TABLE attempt RENAME TO attempt_away");
    const failing = await installation.startProcess();
    await failing.keeper.flusher.flush();
    await client.query("ALTER TABLE attempt_away RENAME TO attempt");
    const { flusher } = (await installation.startProcess()).keeper;
    await flusher.flush();
    assert.equal(await nodes(), "1", "one node tries at a time");
    installation.clock.nowMs += AGAIN_MS;
    await flusher.flush();
    assert.equal(await nodes(), "0");
  });

  test("keeps no usage from being written if it fails", async () => {
    await using installation = await installOnPostgresql();
    const { place } = installation;
    assert.ok(place.kind === "postgresql");
    await using client = await connect(place.url);
    const key = await issueKey(installation.accounts, ADA);
    const { gate, keeper } = await installation.startProcess();
    await client.query("ALTER TABLE attempt RENAME TO attempt_away");
    try {
      const account = await accountOf(gate, key, START_MS);
      await takeOne(gate, account, START_MS);
      assert.equal(await keeper.flusher.flush(), 1);
    } finally {
      await client.query("ALTER TABLE attempt_away RENAME TO attempt");
    }
  });
});
