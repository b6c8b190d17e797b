import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { Kysely, sql } from "kysely";
import { MIGRATIONS } from "../../src/accounts/database/migrations.ts";
import { nodeSqliteDialect } from "../../src/accounts/database/node-sqlite-dialect.ts";
import { connectPostgresql } from "../../src/accounts/database/open-postgresql.ts";
import { SqliteFile } from "../../src/accounts/database/sqlite-file.ts";
import type { DatabasePlace } from "../../src/accounts/database/database.ts";
import type { Tables } from "../../src/accounts/database/tables.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../support/postgresql/postgresql.ts";
import {
  accountOf,
  installOver,
  START_MS,
  takeTimes,
} from "../support/app/accounts-installation.ts";

const FIXTURE = join(import.meta.dirname, "../fixtures/release-1.0.0");
const LIMITS = { most: 2, connectWithinMs: 5_000, answerWithinMs: 5_000 };
/** The newest migration of release 1.0.0. */
const RELEASED = "0009-deleted-addresses";
/** What the fixture's account has used of the free plan's month. */
const USED = 1;

function releasedKey(): string {
  return JSON.parse(readFileSync(join(FIXTURE, "user.json"), "utf8")).key;
}

/** The accounts database of the fixture, as the program of release 1.0.0 left it. */
function unpack(folder: string): string {
  const file = join(folder, "accounts.sqlite");
  const packed = readFileSync(join(FIXTURE, "data/accounts.sqlite.gz"));
  writeFileSync(file, gunzipSync(packed));
  return file;
}

/** The same rows in PostgreSQL, in the tables of release 1.0.0. */
async function fillPostgresql(url: string, file: string) {
  await using db = connectPostgresql(url, LIMITS);
  await sql`CREATE TABLE kysely_migration (name text PRIMARY KEY, timestamp text NOT NULL)`.execute(
    db,
  );
  for (const [name, migration] of Object.entries(MIGRATIONS)) {
    if (name > RELEASED) break;
    await migration.up(db);
    await sql`INSERT INTO kysely_migration VALUES (${name}, '')`.execute(db);
  }
  using released = new DatabaseSync(file);
  for (const table of ["api_account", "api_key", "api_usage", "api_usage_hour"])
    for (const row of released.prepare(`SELECT * FROM ${table}`).all()) {
      // Its user isn't copied.
      delete row["user_id"];
      const columns = Object.keys(row).map((name) => sql.ref(name));
      await sql`INSERT INTO ${sql.table(table)} (${sql.join(columns)}) VALUES (${sql.join(Object.values(row))})`.execute(
        db,
      );
    }
}

/**
 * A session of a program of before, which runs on while a newer one migrates the database. Its statements are 1.0.0's.
 */
function earlierProgram(db: Kysely<Tables>) {
  return {
    async counts() {
      const { rows } = await sql`
SELECT account_id AS id, month AS at, used FROM api_usage
UNION ALL SELECT key_id, CAST(hour AS text), used FROM api_usage_hour`.execute(
        db,
      );
      return rows;
    },
    /** Writes answers; returns the new sum. */
    async flush(answers: number) {
      const { rows } = await sql<{ used: number }>`
INSERT INTO api_usage (account_id, month, used, viewed, updated_at) VALUES (1, '2026-11', ${answers}, 0, ${START_MS})
ON CONFLICT (account_id, month) DO UPDATE SET used = api_usage.used + excluded.used,
  viewed = api_usage.viewed + excluded.viewed, updated_at = ${START_MS} RETURNING used`.execute(
        db,
      );
      return rows[0]?.used;
    },
    revoke: () =>
      sql`UPDATE api_key SET revoked_at = ${START_MS} WHERE id = 1`.execute(db),
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

async function upgrade(place: DatabasePlace, db: Kysely<Tables>) {
  await using earlier = earlierProgram(db);
  const before = await earlier.counts();
  assert.equal(before.length, 2);
  await using installation = await installOver(place);
  const { accounts } = installation;
  const process = await installation.startProcess();
  const { gate } = process;
  assert.deepEqual(await earlier.counts(), before);
  const key = releasedKey();
  const account = await accountOf(gate, key, START_MS);
  assert.equal(gate.quota(account, START_MS).remaining, 1_000 - USED);

  await earlier.flush(900);
  assert.equal(await takeTimes(gate, account, 200, START_MS), 100 - USED);
  await process.write();
  assert.equal(await accounts.usage.thisMonth(1), 1_000);
  assert.equal(await earlier.flush(5), 1_005);

  await earlier.revoke();
  await process.hear();
  const revoked = { status: "unknown", reason: "revoked" };
  assert.deepEqual(gate.verify(key, START_MS), revoked);
}

const NAME =
  "keeps its counts and keys, and the program of before goes on: what it writes counts, and a key it revokes is revoked";

suite("a database of release 1.0.0 upgrades by itself", () => {
  test(`in SQLite: ${NAME}`, async () => {
    using folder = temporaryFolder();
    const file = unpack(folder.path);
    const dialect = nodeSqliteDialect(await SqliteFile.open(file));
    await upgrade({ kind: "sqlite", file }, new Kysely({ dialect }));
  });

  test(`in PostgreSQL: ${NAME}`, { skip: NO_POSTGRESQL }, async () => {
    using folder = temporaryFolder();
    const place = await (await postgresqlOfRun()).makeEmptyDatabase();
    await fillPostgresql(place.url, unpack(folder.path));
    await upgrade(place, connectPostgresql(place.url, LIMITS));
  });
});
