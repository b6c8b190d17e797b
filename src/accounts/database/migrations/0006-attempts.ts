import type { Kysely } from "kysely";

/**
 * Gives attempts a kind and an end, so that the rows of each kind can be bounded. They replace the library's limits,
 * which had a row for each path. Old counts are short-lived and dropped.
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
