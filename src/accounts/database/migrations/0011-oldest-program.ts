import type { Kysely } from "kysely";

/** Adds the oldest program that can run on the schema after a migration: two versions can serve during an upgrade. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("api_migration")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("oldest_program", "text", (column) => column.notNull())
    .execute();
}
