import { PostgresAdapter, type Kysely } from "kysely";

/**
 * Adds lifetimes of keys and when their owner was notified; an index for the log of one account; better-auth's tables
 * of the second factor.
 */
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

  const isPostgresql = db.getExecutor().adapter instanceof PostgresAdapter;
  const moment = isPostgresql ? "timestamptz" : "text";
  const truth = isPostgresql ? "boolean" : "integer";
  await db.schema
    .alterTable("user")
    .addColumn("twoFactorEnabled", truth)
    .execute();
  await db.schema
    .createTable("twoFactor")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("secret", "text", (column) => column.notNull())
    .addColumn("backupCodes", "text", (column) => column.notNull())
    .addColumn("userId", "text", (column) =>
      column.notNull().unique().references("user.id").onDelete("cascade"),
    )
    .addColumn("verified", truth)
    .addColumn("failedVerificationCount", "integer")
    .addColumn("lockedUntil", moment)
    .execute();
}
