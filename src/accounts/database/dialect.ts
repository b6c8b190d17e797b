import { PostgresAdapter, type Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** Whether a database is on a PostgreSQL server, not in a SQLite file. */
export function isPostgresql(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
