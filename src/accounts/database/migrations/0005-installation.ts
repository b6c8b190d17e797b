import type { Kysely } from "kysely";

/** Adds secrets shared by all processes on the database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("api_installation")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
}
