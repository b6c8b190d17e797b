import { PostgresAdapter, sql, type Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** PostgreSQL's time in epoch milliseconds: nodes' clocks may differ. */
export const DATABASE_NOW = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/** True if a database is on a PostgreSQL server, not in a SQLite file. */
export function isPostgresql(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
