import type { Kysely } from "kysely";

/**
 * Attempts know their kind and when they end, so that each kind's rows can be bounded. They replace the library's own
 * limits, which had a row for each path. What was counted before is for the moment, and is dropped.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable("rateLimit").execute();
  await db.schema.dropTable("attempt").execute();
  await db.schema
    .createTable("attempt")
    .addColumn("of", "text", (column) => column.primaryKey())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("count", "integer", (column) => column.notNull())
    .addColumn("ends_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("attempt_kind")
    .on("attempt")
    .columns(["kind", "ends_at"])
    .execute();
}
