import { Kysely, PostgresDialect } from "kysely";
import type { OnWait } from "./database.ts";
import { migrateToLatest, newerDatabase, readSchemaState } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import { readServer } from "./postgresql-fault.ts";
import { openConnections, type PoolLimits } from "./postgresql-pool.ts";
import type { Tables } from "./tables.ts";

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
 * `setting` is what gives the URL, DATABASE_URL by default. Throws AccountsDatabaseError.
 */
export async function openPostgresql(
  url: string,
  onWait: OnWait = () => undefined,
  setting?: string,
): Promise<Kysely<Tables>> {
  const db = connectPostgresql(url, LIMITS, setting);
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
        onWait(`Waiting for another process that is migrating ${name}.`);
      hasWaited = true;
    },
  });
}

/** A server's database, connected on first use. Throws AccountsDatabaseError if the URL is malformed. */
export function connectPostgresql(
  url: string,
  limits: PoolLimits,
  setting?: string,
): Kysely<Tables> {
  const pool = openConnections(readServer(url, setting), limits);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
