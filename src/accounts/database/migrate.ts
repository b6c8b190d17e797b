import { setTimeout as sleep } from "node:timers/promises";
import { sql, type Kysely, type Transaction } from "kysely";
import { AccountsDatabaseError } from "./database.ts";
import { MIGRATIONS, type Migrations } from "./migrations.ts";
import { type Tables, isPostgresql } from "./tables.ts";

/**
 * The migrations that ran, in the table of Kysely's migrator, which earlier versions used. Since the eleventh, the
 * oldest program that can run on the schema after each is stored too, by the name of the program's newest migration.
 */
type MigrationTables = {
  kysely_migration: { name: string; timestamp: string };
  api_migration: { name: string; oldest_program: string };
};

/** PostgreSQL's advisory lock of migrations: the same as that of Kysely's migrator. */
const LOCK = 3_853_314_791_062_309_107n;

/** The time that another process's migration is awaited, in milliseconds. */
const LOCK_WITHIN_MS = 600_000;

/**
 * The time that a migration waits for a lock on a table before it pauses and tries again. Other statements queue behind
 * it meanwhile, so it gives up sooner than they do.
 */
const TABLE_LOCK_WITHIN_MS = 1_500;
const ATTEMPTS = 20;
const PAUSE_MS = 500;

/** PostgreSQL's codes: a lock was not granted in time; there is no such table. */
const LOCK_NOT_AVAILABLE = "55P03";
const UNDEFINED_TABLE = "42P01";

export interface MigrateOptions {
  readonly migrations: Migrations;
  /** Names the database in messages. */
  readonly name: string;
  /** Called if another process migrates the database, before waiting for it. */
  readonly onWait: () => void;
}

/** The schema of a database, for a program with some migrations. */
export type SchemaState =
  | "current"
  /** Migrations are to be run. */
  | "older"
  /** Migrations of newer programs were run, after which this program still works. */
  | "newer"
  | "too_new";

/** Reads the state of the schema. Rejects if the database does not answer. */
export async function readSchemaState(
  db: Kysely<Tables>,
  migrations: Migrations,
): Promise<SchemaState> {
  const tables = db.withTables<MigrationTables>();
  const done = await orEmpty(
    tables.selectFrom("kysely_migration").select("name").execute(),
  );
  const names = new Set(done.map(({ name }) => name));
  const known = Object.keys(migrations);
  const isComplete = known.every((name) => names.has(name));
  const newer = [...names].filter((name) => !(name in migrations));
  if (newer.length === 0) return isComplete ? "current" : "older";
  if (!isComplete) return "too_new";
  const rows = await orEmpty(
    tables.selectFrom("api_migration").selectAll().execute(),
  );
  const oldest = new Map(rows.map((row) => [row.name, row.oldest_program]));
  const newest = known.toSorted().at(-1) ?? "";
  return newer.every((name) => (oldest.get(name) ?? name) <= newest)
    ? "newer"
    : "too_new";
}

/**
 * Migrates a database to the schema of `migrations`: completely or not at all, one process at a time (SQLite's write
 * lock, PostgreSQL's advisory lock). A newer schema on which this program works stays as it is. Returns the names of
 * the migrations that ran. Throws AccountsDatabaseError.
 */
export async function migrateToLatest(
  db: Kysely<Tables>,
  options: MigrateOptions,
): Promise<ReadonlySet<string>> {
  try {
    for (let attempts = 1; ; attempts++) {
      try {
        return await db.transaction().execute((trx) => migrate(trx, options));
      } catch (error) {
        if (attempts === ATTEMPTS || !hasCode(error, LOCK_NOT_AVAILABLE))
          throw error;
        await sleep(PAUSE_MS);
      }
    }
  } catch (error) {
    if (error instanceof AccountsDatabaseError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new AccountsDatabaseError(
      `Cannot migrate the accounts database ${options.name} to the schema of this version: ${reason}`,
      { cause: error },
    );
  }
}

/**
 * Migrates a database that was just opened with `migrateOlder`, if its schema is older, and closes it if it cannot be
 * used. Throws AccountsDatabaseError.
 */
export async function openMigrated(
  db: Kysely<Tables>,
  name: string,
  migrateOlder: () => Promise<void>,
): Promise<Kysely<Tables>> {
  try {
    const state = await readSchemaState(db, MIGRATIONS);
    if (state === "too_new") throw newerDatabase(name);
    if (state === "older") await migrateOlder();
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Makes the error for a database whose schema this program does not know. */
function newerDatabase(name: string): AccountsDatabaseError {
  return new AccountsDatabaseError(
    `The accounts database ${name} was written by a newer version of this program. Run that version, or restore an older backup.`,
  );
}

async function migrate(
  db: Transaction<Tables>,
  { migrations, name, onWait }: MigrateOptions,
): Promise<ReadonlySet<string>> {
  if (isPostgresql(db)) await lock(db, name, onWait);
  await db.schema
    .createTable("kysely_migration")
    .ifNotExists()
    .addColumn("name", "varchar(255)", (column) =>
      column.notNull().primaryKey(),
    )
    .addColumn("timestamp", "varchar(255)", (column) => column.notNull())
    .execute();
  const tables = db.withTables<MigrationTables>();
  const done = await tables
    .selectFrom("kysely_migration")
    .select("name")
    .execute();
  const names = new Set(done.map((row) => row.name));
  const known = Object.keys(migrations).toSorted();
  const pending = known.filter((each) => !names.has(each));
  // Another process may have migrated it since its state was read.
  if (pending.length === 0) return new Set();
  if (names.size > known.length - pending.length) throw newerDatabase(name);
  for (const each of pending) {
    await migrations[each]?.up(db);
    const timestamp = new Date().toISOString();
    await tables
      .insertInto("kysely_migration")
      .values({ name: each, timestamp })
      .execute();
  }
  const rows = pending.map((each) => ({
    name: each,
    oldest_program: migrations[each]?.oldestProgram ?? each,
  }));
  await tables.insertInto("api_migration").values(rows).execute();
  return new Set(pending);
}

/**
 * Takes the lock until the transaction ends, however it ends: a lock of the session would stay with a pooler's
 * connection. The timeouts end with the transaction too.
 */
async function lock(
  db: Transaction<Tables>,
  name: string,
  onWait: () => void,
): Promise<void> {
  await sql`SET LOCAL statement_timeout = 0`.execute(db);
  await sql`SET LOCAL lock_timeout = ${sql.lit(LOCK_WITHIN_MS)}`.execute(db);
  const { rows } = await sql<{
    taken: boolean;
  }>`SELECT pg_try_advisory_xact_lock(${sql.lit(LOCK)}) AS taken`.execute(db);
  if (rows[0]?.taken !== true) {
    onWait();
    try {
      await sql`SELECT pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(db);
    } catch (error) {
      if (!hasCode(error, LOCK_NOT_AVAILABLE)) throw error;
      throw new AccountsDatabaseError(
        `Another process has been migrating the accounts database ${name} for ${LOCK_WITHIN_MS / 60_000} minutes. Wait for it, or end its connection.`,
        { cause: error },
      );
    }
  }
  await sql`SET LOCAL lock_timeout = ${sql.lit(TABLE_LOCK_WITHIN_MS)}`.execute(
    db,
  );
}

/** Returns the rows of a table; none if it is missing. */
async function orEmpty<Row>(rows: Promise<Row[]>): Promise<Row[]> {
  try {
    return await rows;
  } catch (error) {
    const isMissing =
      hasCode(error, UNDEFINED_TABLE) ||
      (error instanceof Error && error.message.startsWith("no such table"));
    if (isMissing) return [];
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
