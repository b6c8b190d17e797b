import { Kysely, PostgresDialect } from "kysely";
import { Client } from "pg";
import {
  AccountsDatabaseAwayError,
  AccountsDatabaseError,
} from "./database.ts";
import { migrateToLatest } from "./migrate-to-latest.ts";
import {
  isConnectionLost,
  openPool,
  poolWithoutBroken,
  type PoolLimits,
} from "./postgresql-pool.ts";
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
    throw faultOf(error, name);
  }
  await migrateToLatest(migrating, name);
  await migrating.destroy();
  return over(url, LIMITS);
}

/** A server and its database by a name that holds no password: `PostgreSQL at db.example:5432/accounts`. */
export function describeServer(url: string): string {
  const { database, host, port } = new Client({ connectionString: url });
  return `PostgreSQL at ${host.startsWith("/") ? host : `${host}:${port}`}/${database ?? ""}`;
}

function over(url: string, limits: PoolLimits): Kysely<Tables> {
  const pool = poolWithoutBroken(openPool(url, limits));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

function faultOf(error: unknown, name: string): AccountsDatabaseError {
  // Of a name with several addresses Node reports all failures in one, without a message.
  const first: unknown =
    error instanceof AggregateError ? error.errors[0] : error;
  const reason = first instanceof Error ? first.message : String(first);
  return isConnectionLost(error)
    ? new AccountsDatabaseAwayError(
        `The accounts' database cannot be reached (${name}): ${reason}. Start it, or correct DATABASE_URL.`,
        { cause: error },
      )
    : new AccountsDatabaseError(
        `The accounts' database cannot be used (${name}): ${reason}. Correct DATABASE_URL, or what the server has.`,
        { cause: error },
      );
}
