import { Kysely, PostgresDialect, sql } from "kysely";
import { AccountsDatabaseError, type DatabasePlace } from "./database.ts";
import type { Tables } from "./tables.ts";
import { isMigrated, migrateToLatest } from "./migrations.ts";
import { NodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { SqliteFile } from "./sqlite-file.ts";
import { describeServer, faultOfServer } from "./postgresql-fault.ts";
import { openConnections, type PoolLimits } from "./postgresql-pool.ts";

/**
 * Opens and migrates the accounts database. Any number of processes may do so at once. Throws AccountsDatabaseError.
 */
export function openDatabase(place: DatabasePlace): Promise<Kysely<Tables>> {
  return place.kind === "sqlite"
    ? openSqlite(place.file)
    : openPostgresql(place.url);
}

/** The database for a library that writes its own queries. */
export interface AccountsDatabase {
  readonly db: Kysely<Tables>;
  readonly type: "sqlite" | "postgres";
}

/** Opens the accounts database for a library. Throws AccountsDatabaseError. */
export async function openForLibrary(
  place: DatabasePlace,
): Promise<AccountsDatabase> {
  const type = place.kind === "sqlite" ? "sqlite" : "postgres";
  return { db: await openDatabase(place), type };
}

/**
 * Opens a database file, creating it (readable only by its owner) if it is missing. On a full or read-only disk it is
 * opened for reading, and becomes writable as soon as that is possible. Throws AccountsDatabaseError.
 */
export async function openSqlite(path: string): Promise<Kysely<Tables>> {
  const file = await SqliteFile.open(path);
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(file) });
  const { readOnly } = file;
  if (readOnly === null) await migrate(db, path);
  else if (!(await isMigrated(db))) {
    await db.destroy();
    throw new AccountsDatabaseError(readOnly.message, { cause: readOnly });
  }
  return db;
}

async function migrate(db: Kysely<Tables>, path: string): Promise<void> {
  const done = await migrateToLatest(db, path);
  // Once, clears what was deleted before `secure_delete` was on. A new database has nothing to clear.
  if (done.has("0009-deleted-addresses") && !done.has("0001-accounts"))
    await sql`VACUUM`.execute(db).catch(() => undefined);
}

/** For one process, except what requests wait for. */
const LIMITS: PoolLimits = {
  most: 4,
  connectWithinMs: 5_000,
  answerWithinMs: 5_000,
};
/** A migration may wait for another process's, and take long. */
const MIGRATION_LIMITS: PoolLimits = {
  most: 1,
  connectWithinMs: 5_000,
  answerWithinMs: null,
};

/** Connects to an existing PostgreSQL database and migrates it. Throws AccountsDatabaseError. */
export async function openPostgresql(url: string): Promise<Kysely<Tables>> {
  const name = describeServer(url);
  const migrating = connectPostgresql(url, MIGRATION_LIMITS);
  try {
    await migrating.selectNoFrom((select) => select.lit(1).as("one")).execute();
  } catch (error) {
    await migrating.destroy();
    throw faultOfServer(error, name);
  }
  await migrateToLatest(migrating, name);
  await migrating.destroy();
  return connectPostgresql(url, LIMITS);
}

/** A server's database, connected on first use. */
export function connectPostgresql(
  url: string,
  limits: PoolLimits,
): Kysely<Tables> {
  const pool = openConnections(url, limits);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
