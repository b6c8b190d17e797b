import { Kysely, PostgresDialect } from "kysely";
import type { OnWait } from "./database.ts";
import { migrateToLatest, openMigrated } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import { readServer } from "./postgresql-fault.ts";
import { openConnections, type PoolLimits } from "./postgresql-pool.ts";
import type { Tables } from "./tables.ts";

/** For one process, except what requests wait for. */
const LIMITS: PoolLimits = { most: 4, answerWithinMs: 5_000 };
/** A migration may wait for another process's, and take long. */
const MIGRATION_LIMITS: PoolLimits = { most: 1, answerWithinMs: null };

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
  const { name } = readServer(url);
  return openMigrated(db, name, async () => {
    await using migrating = connectPostgresql(url, MIGRATION_LIMITS);
    let hasWaited = false;
    await migrateToLatest(migrating, {
      migrations: MIGRATIONS,
      name,
      onWait() {
        if (!hasWaited)
          onWait(`Waiting for another process that is migrating ${name}.`);
        hasWaited = true;
      },
    });
  });
}

/** Opens a server's database, connected on first use. Throws AccountsDatabaseError if the URL is malformed. */
export function connectPostgresql(
  url: string,
  limits: PoolLimits,
  setting?: string,
): Kysely<Tables> {
  const pool = openConnections(readServer(url, setting), limits);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
