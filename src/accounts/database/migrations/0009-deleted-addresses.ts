import type { Kysely } from "kysely";

/**
 * Adds the table of what is kept of deleted accounts, so that their owners cannot reset the month or a suspension by
 * signing up again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("api_deleted_address")
    .addColumn("address", "text", (column) => column.primaryKey())
    .addColumn("deleted_at", "bigint", (column) => column.notNull())
    .addColumn("month", "text", (column) => column.notNull())
    .addColumn("used", "bigint", (column) => column.notNull())
    .addColumn("viewed", "bigint", (column) => column.notNull())
    .addColumn("suspended_at", "bigint")
    .addColumn("late_of", "integer")
    .execute();
}
