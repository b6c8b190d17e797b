import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { sql } from "kysely";
import { migrateToLatest } from "../../../src/accounts/database/migrate.ts";
import {
  MIGRATIONS,
  type Migration,
} from "../../../src/accounts/database/migrations.ts";
import {
  openDatabase,
  openSqlite,
} from "../../../src/accounts/database/open-database.ts";
import { connectPostgresql } from "../../../src/accounts/database/open-postgresql.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../../support/postgresql/postgresql.ts";
import { ProgramProcess, runProgram } from "../../support/program/program.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";
import { until } from "../../support/pure/until.ts";
import { portalCheckout } from "../../support/program/portal-checkout.ts";

const skip = NO_POSTGRESQL;
const LIMITS = { most: 2, answerWithinMs: null };
const NEWEST = Object.keys(MIGRATIONS).toSorted().at(-1) ?? "";

/** Adds a column, as the next version's program would. */
const EXPAND: Migration = {
  oldestProgram: NEWEST,
  async up(db) {
    await sql`ALTER TABLE api_key ADD COLUMN note text NOT NULL DEFAULT ''`.execute(
      db,
    );
  },
};
/** Removes what this program uses. */
const CONTRACT: Migration = {
  async up(db) {
    await sql`ALTER TABLE api_key DROP COLUMN name`.execute(db);
  },
};

async function migrate(
  db: Parameters<typeof migrateToLatest>[0],
  added: Readonly<Record<string, Migration>>,
) {
  const migrations = { ...MIGRATIONS, ...added };
  return migrateToLatest(db, { migrations, name: "it", onWait() {} });
}

const TOO_NEW = {
  name: "AccountsDatabaseError",
  message:
    /was written by a newer version of this program\. Run that version, or restore an older backup\.$/,
};

test("a newer SQLite database is opened if its migrations allow it, and refused if not", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "accounts.sqlite");
  await using newer = await openSqlite(file);
  await migrate(newer, { "8001-expand": EXPAND });
  await using db = await openSqlite(file);
  assert.deepEqual(await db.selectFrom("api_key").selectAll().execute(), []);
  await migrate(newer, { "8001-expand": EXPAND, "8002-contract": CONTRACT });
  await assert.rejects(openSqlite(file), TOO_NEW);
});

suite("two versions on one PostgreSQL database", { skip }, () => {
  test("this version serves next to the next one, whichever starts first", async () => {
    const place = await (await postgresqlOfRun()).makeEmptyDatabase();
    using folder = temporaryFolder();
    using next = portalCheckout();
    appendFileSync(
      join(next.path, "src/accounts/database/migrations.ts"),
      `
Object.assign(MIGRATIONS, { "8001-expand": {
  oldestProgram: ${JSON.stringify(NEWEST)},
  async up(db) {
    await db.schema.alterTable("api_key").addColumn("note", "text", (column) => column.notNull().defaultTo("")).execute();
  },
} });`,
    );
    const serve = (name: string, root?: string) =>
      new ProgramProcess(
        ["serve"],
        {
          DATA_DIR: join(folder.path, name),
          DATABASE_URL: place.url,
          PORT: "0",
          WORKERS: "1",
          PORTAL: "off",
        },
        root && join(root, "bin", "provider-directory"),
      );
    await using first = serve("first");
    const [, firstUrl = ""] = await first.printed(/Listening on (http:\S+)/);
    await using second = serve("second", next.path);
    const [, secondUrl = ""] = await second.printed(/Listening on (http:\S+)/);
    await using third = serve("third");
    const [, thirdUrl = ""] = await third.printed(/Listening on (http:\S+)/);
    await using db = connectPostgresql(place.url, LIMITS);
    const { rows } = await sql<{
      name: string;
    }>`SELECT name FROM kysely_migration WHERE name > ${NEWEST}`.execute(db);
    assert.deepEqual(rows, [{ name: "8001-expand" }]);
    const created = await runProgram(
      ["keys", "create", "--email", "ada@clinic.example"],
      { environment: { DATABASE_URL: place.url } },
    );
    const [key = ""] = /pd_live_\S+/.exec(created.out) ?? [];
    assert.notEqual(key, "", created.out + created.err);
    for (const url of [firstUrl, secondUrl, thirdUrl]) {
      const answer = await fetch(`${url}/v1/providers/1234567893`, {
        headers: { authorization: `Bearer ${key}` },
      });
      // The key is let in; there is no data.
      assert.match(await answer.text(), /"code":"data_not_loaded"/, url);
    }
  });

  test("this version refuses a schema that no longer has what it uses", async () => {
    const place = await (await postgresqlOfRun()).makeDatabase();
    await using db = connectPostgresql(place.url, LIMITS);
    await migrate(db, { "8001-expand": EXPAND, "8002-contract": CONTRACT });
    await assert.rejects(openDatabase(place), TOO_NEW);
  });

  test("who waits for another process's migration says so, and goes on when it is done", async () => {
    const place = await (await postgresqlOfRun()).makeEmptyDatabase();
    await using other = connectPostgresql(place.url, LIMITS);
    const done = Promise.withResolvers<void>();
    const slow = other.transaction().execute(async (db) => {
      await sql`SELECT pg_advisory_xact_lock(3853314791062309107)`.execute(db);
      await done.promise;
    });
    await using program = new ProgramProcess(["accounts", "list"], {
      DATABASE_URL: place.url,
    });
    await program.printed(
      /^provider-directory: Waiting for another process that is migrating PostgreSQL at [^\n]+\.\n/,
    );
    done.resolve();
    await slow;
    const { code, err } = await program.ended();
    assert.equal(code, 0, err);
    assert.equal(err.split("\n").length, 2, err);
  });

  test("a migration lets others pass while a long transaction uses a table, and then goes on", async () => {
    const place = await (await postgresqlOfRun()).makeDatabase();
    await using db = connectPostgresql(place.url, LIMITS);
    await using others = connectPostgresql(place.url, LIMITS);
    const done = Promise.withResolvers<void>();
    // Otherwise the transaction of a failed test would never end.
    using _ended = { [Symbol.dispose]: () => done.resolve() };
    const inUse = Promise.withResolvers<void>();
    const long = others.transaction().execute(async (trx) => {
      await trx.selectFrom("api_key").selectAll().execute();
      inUse.resolve();
      await done.promise;
    });
    await inUse.promise;
    const migrated = migrate(db, { "8001-expand": EXPAND });
    const waiting = async () => {
      const { rows } =
        await sql`SELECT FROM pg_locks WHERE NOT granted AND relation = 'api_key'::regclass`.execute(
          others,
        );
      return rows.length > 0;
    };
    await until("the migration to wait", waiting);
    // It waits behind the migration, for less time than statements may take.
    assert.deepEqual(
      await others.selectFrom("api_key").selectAll().execute(),
      [],
    );
    done.resolve();
    await long;
    assert.deepEqual(await migrated, new Set(["8001-expand"]));
  });
});
