import type { Kysely } from "kysely";

/** Adds explorer pages that an account viewed in a month, in addition to answers to its keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("api_usage")
    .addColumn("viewed", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
}
