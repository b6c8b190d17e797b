import type { Kysely } from "kysely";

/** Adds customers, their subscriptions, and processed Stripe events. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("api_billing_customer")
    .addColumn("account_id", "integer", (column) =>
      column.primaryKey().references("api_account.id").onDelete("cascade"),
    )
    .addColumn("customer_id", "text", (column) => column.notNull().unique())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();

  await db.schema
    .createTable("api_subscription")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "integer", (column) =>
      column.notNull().references("api_account.id").onDelete("cascade"),
    )
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("price_id", "text")
    .addColumn("granted_plan", "text")
    .addColumn("period_end", "bigint")
    .addColumn("ends_at", "bigint")
    .addColumn("event_at", "bigint", (column) => column.notNull())
    .addColumn("version", "integer", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("api_subscription_account")
    .on("api_subscription")
    .column("account_id")
    .execute();

  await db.schema
    .createTable("api_billing_event")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("received_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("api_billing_event_received")
    .on("api_billing_event")
    .column("received_at")
    .execute();
}
