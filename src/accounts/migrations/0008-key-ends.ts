import type { Kysely } from "kysely";

/** Keys that end by themselves: for how long each was made to work. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("api_key")
    .addColumn("lifetime_ms", "bigint")
    .execute();
}
