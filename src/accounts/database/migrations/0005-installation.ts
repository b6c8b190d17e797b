import type { Kysely } from "kysely";

/** What every process over the database has in common: secrets that are made once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("api_installation")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
}
