import { Kysely, PostgresDialect, sql } from "kysely";
import { AccountsDatabaseError, type DatabasePlace } from "./database.ts";
import type { Tables } from "./tables.ts";
import { isMigrated, migrateToLatest } from "./migrations.ts";
import { NodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { SqliteFile } from "./sqlite-file.ts";
import { describeServer, faultOfServer } from "./postgresql-fault.ts";
import { openConnections, type PoolLimits } from "./postgresql-pool.ts";

/**
 * Opens the accounts' database for reading and writing, brought to the newest form. Any number of processes may do so at
 * once. Throws AccountsDatabaseError.
 */
export function openDatabase(place: DatabasePlace): Promise<Kysely<Tables>> {
  return place.kind === "sqlite"
    ? openSqlite(place.file)
    : openPostgresql(place.url);
}

/** The database as a library takes it that makes its own queries. */
export interface AccountsDatabase {
  readonly db: Kysely<Tables>;
  readonly type: "sqlite" | "postgres";
}

/** Opens the accounts' database for such a library. Throws AccountsDatabaseError. */
export async function openForLibrary(
  place: DatabasePlace,
): Promise<AccountsDatabase> {
  const type = place.kind === "sqlite" ? "sqlite" : "postgres";
  return { db: await openDatabase(place), type };
}

/**
 * Opens a database file, made (readable only by its owner) when it is not there. Where its disk is full or cannot be
 * written, it can be read, and written as soon as that is possible. Throws AccountsDatabaseError.
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
  // What was deleted before deletions were overwritten goes too, once. A new database has none.
  if (done.has("0009-deleted-addresses") && !done.has("0001-accounts"))
    await sql`VACUUM`.execute(db).catch(() => undefined);
}

/** Of one process for all that is not on the way of a request. */
const LIMITS: PoolLimits = {
  most: 4,
  connectWithinMs: 5_000,
  answerWithinMs: 5_000,
};
/** A migration may wait for another process's, and take its time. */
const MIGRATION_LIMITS: PoolLimits = {
  most: 1,
  connectWithinMs: 5_000,
  answerWithinMs: null,
};

/** Connects to a PostgreSQL server, whose database has to be there. Throws AccountsDatabaseError. */
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

/** A server's database, which is connected to when it is first asked. */
export function connectPostgresql(
  url: string,
  limits: PoolLimits,
): Kysely<Tables> {
  const pool = openConnections(url, limits);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
