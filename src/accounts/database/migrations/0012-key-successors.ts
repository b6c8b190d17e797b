import type { Kysely } from "kysely";

/** Adds the key that replaced a rotated key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("api_key")
    .addColumn("replaced_by", "integer")
    .execute();
}
