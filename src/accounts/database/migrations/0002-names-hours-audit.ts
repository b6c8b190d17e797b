import type { Kysely } from "kysely";
import { withId } from "./0001-accounts.ts";

/** Adds names of keys, usage by hour, key and operation, batch numbers, and the audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("api_key")
    .addColumn("name", "text", (column) => column.notNull().defaultTo(""))
    .execute();

  // No foreign key here either, and none below: see api_usage.
  await db.schema
    .createTable("api_usage_hour")
    .addColumn("key_id", "integer", (column) => column.notNull())
    .addColumn("hour", "bigint", (column) => column.notNull())
    .addColumn("operation", "text", (column) => column.notNull())
    .addColumn("used", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("api_usage_hour_key", [
      "key_id",
      "hour",
      "operation",
    ])
    .execute();
  await db.schema
    .createIndex("api_usage_hour_hour")
    .on("api_usage_hour")
    .column("hour")
    .execute();

  await db.schema
    .createTable("api_flush")
    .addColumn("writer", "text", (column) => column.primaryKey())
    .addColumn("number", "bigint", (column) => column.notNull())
    .addColumn("written_at", "bigint", (column) => column.notNull())
    .execute();

  await withId(db, db.schema.createTable("api_audit"))
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("actor", "text", (column) => column.notNull())
    .addColumn("action", "text", (column) => column.notNull())
    .addColumn("account_id", "integer")
    .addColumn("detail", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("api_audit_at")
    .on("api_audit")
    .column("at")
    .execute();
}
