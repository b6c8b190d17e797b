import { Kysely, PostgresDialect } from "kysely";
import { migrateToLatest } from "./migrate-to-latest.ts";
import { describeServer, faultOfServer } from "./postgresql-fault.ts";
import { openConnections, type PoolLimits } from "./postgresql-pool.ts";
import type { Tables } from "./tables.ts";

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
  const migrating = over(url, MIGRATION_LIMITS);
  try {
    await migrating.selectNoFrom((select) => select.lit(1).as("one")).execute();
  } catch (error) {
    await migrating.destroy();
    throw faultOfServer(error, name);
  }
  await migrateToLatest(migrating, name);
  await migrating.destroy();
  return over(url, LIMITS);
}

function over(url: string, limits: PoolLimits): Kysely<Tables> {
  const pool = openConnections(url, limits);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
