import type { Kysely } from "kysely";

/** Keys that end by themselves: for how long each was made to work, and when its owner was told of the end. Owners read the audit log of their account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("api_key")
    .addColumn("lifetime_ms", "bigint")
    .execute();
  await db.schema
    .alterTable("api_key")
    .addColumn("end_told_at", "bigint")
    .execute();
  await db.schema
    .createIndex("api_audit_account")
    .on("api_audit")
    .columns(["account_id", "id"])
    .execute();
}
