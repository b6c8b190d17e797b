import { PostgresAdapter, sql, type Kysely } from "kysely";

/**
 * Quota is prepaid from `api_usage` itself, and changed keys have a feed, on both databases. Programs of before go on:
 * what they lease (`leased`) counts as used. In SQLite they lease nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ["last_taken", "last_quota"])
    await db.schema
      .alterTable("api_usage")
      .addColumn(column, "bigint", (added) => added.notNull().defaultTo(0))
      .execute();
  // Only programs before read by it; without it PostgreSQL needs no new index entry for each change.
  await db.schema.dropIndex("api_usage_updated").execute();
  if (db.getExecutor().adapter instanceof PostgresAdapter) return;
  await db.schema
    .alterTable("api_usage")
    .addColumn("leased", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("api_key_change")
    .addColumn("number", "integer", (column) =>
      column.primaryKey().autoIncrement(),
    )
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("changed_at", "bigint", (column) =>
      column
        .notNull()
        .defaultTo(sql`(CAST(unixepoch('subsec') * 1000 AS integer))`),
    )
    .execute();
  for (const statement of FEED) await sql.raw(statement).execute(db);
}

/** Triggers, so that no change of a key is missing from the feed, whichever program makes it. */
const FEED = [
  ["insert_key", "INSERT ON api_key", "VALUES (NEW.hash)"],
  ["delete_key", "DELETE ON api_key", "VALUES (OLD.hash)"],
  [
    "update_key",
    "UPDATE OF account_id, expires_at, revoked_at ON api_key",
    "VALUES (NEW.hash)",
  ],
  [
    "update_account",
    "UPDATE OF plan, suspended_at ON api_account",
    "SELECT hash FROM api_key WHERE account_id = NEW.id",
  ],
].map(
  ([name, event, values]) =>
    `CREATE TRIGGER api_note_${name} AFTER ${event} BEGIN INSERT INTO api_key_change (hash) ${values}; END`,
);
