import { Kysely, PostgresDialect, sql } from "kysely";
import { AccountsDatabaseError, type DatabasePlace } from "./database.ts";
import type { Tables } from "./tables.ts";
import { migrateToLatest, newerDatabase, readSchemaState } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import { NodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { SqliteFile } from "./sqlite-file.ts";
import { readServer } from "./postgresql-fault.ts";
import { openConnections, type PoolLimits } from "./postgresql-pool.ts";
import type { Purpose } from "./server-hosts.ts";

/** Called with a sentence if another process migrates the database, before waiting for it. */
export type OnWait = (message: string) => void;

/**
 * Opens and migrates the accounts database. Any number of processes may do so at once. Throws AccountsDatabaseError.
 */
export function openDatabase(
  place: DatabasePlace,
  onWait?: OnWait,
): Promise<Kysely<Tables>> {
  return place.kind === "sqlite"
    ? openSqlite(place.file)
    : openPostgresql(place.url, onWait);
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
  try {
    const state = await readSchemaState(db, MIGRATIONS);
    if (state === "too_new") throw newerDatabase(path);
    if (state === "older") {
      const { readOnly } = file;
      if (readOnly !== null)
        throw new AccountsDatabaseError(readOnly.message, { cause: readOnly });
      await migrateSqlite(db, path);
    }
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

async function migrateSqlite(db: Kysely<Tables>, path: string): Promise<void> {
  const done = await migrateToLatest(db, {
    migrations: MIGRATIONS,
    name: path,
    // A file's write lock is awaited for some seconds only.
    onWait: () => undefined,
  });
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

/**
 * Connects to an existing PostgreSQL database and migrates it, unless its schema is one on which this program works.
 * Throws AccountsDatabaseError.
 */
export async function openPostgresql(
  url: string,
  onWait: OnWait = () => undefined,
): Promise<Kysely<Tables>> {
  const db = connectPostgresql(url, LIMITS);
  try {
    const state = await readSchemaState(db, MIGRATIONS);
    const { name } = readServer(url);
    if (state === "too_new") throw newerDatabase(name);
    if (state === "older") await migratePostgresql(url, name, onWait);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

async function migratePostgresql(
  url: string,
  name: string,
  onWait: OnWait,
): Promise<void> {
  await using db = connectPostgresql(url, MIGRATION_LIMITS);
  let hasWaited = false;
  await migrateToLatest(db, {
    migrations: MIGRATIONS,
    name,
    onWait() {
      if (!hasWaited)
        onWait(`Waiting for another process that migrates ${name}.`);
      hasWaited = true;
    },
  });
}

/** A server's database, connected on first use. Throws AccountsDatabaseError if the URL is malformed. */
export function connectPostgresql(
  url: string,
  limits: PoolLimits,
  purpose: Purpose = "write",
): Kysely<Tables> {
  const pool = openConnections(readServer(url, purpose), limits);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
