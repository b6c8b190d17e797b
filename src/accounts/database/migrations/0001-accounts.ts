import { type Kysely, PostgresAdapter, type CreateTableBuilder } from "kysely";

/** Adds a primary key `id` that the database generates and never reuses. */
export function withId<Table extends string>(
  db: Kysely<unknown>,
  table: CreateTableBuilder<Table>,
): CreateTableBuilder<Table, "id"> {
  const isPostgresql = db.getExecutor().adapter instanceof PostgresAdapter;
  return table.addColumn("id", "integer", (column) =>
    isPostgresql
      ? column.primaryKey().generatedByDefaultAsIdentity()
      : column.primaryKey().autoIncrement(),
  );
}

/** Adds accounts, their keys and usage. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await withId(db, db.schema.createTable("api_account"))
    .addColumn("email", "text", (column) => column.notNull().unique())
    .addColumn("plan", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("suspended_at", "bigint")
    .execute();

  await withId(db, db.schema.createTable("api_key"))
    .addColumn("account_id", "integer", (column) =>
      column.notNull().references("api_account.id").onDelete("cascade"),
    )
    .addColumn("hash", "text", (column) => column.notNull().unique())
    .addColumn("prefix", "text", (column) => column.notNull())
    .addColumn("last_four", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .addColumn("last_used_at", "bigint")
    .execute();
  await db.schema
    .createIndex("api_key_account")
    .on("api_key")
    .column("account_id")
    .execute();
  await db.schema
    .createIndex("api_key_prefix")
    .on("api_key")
    .column("prefix")
    .execute();

  // No foreign key: counts written after an account was deleted must not fail everyone else's batch.
  await db.schema
    .createTable("api_usage")
    .addColumn("account_id", "integer", (column) => column.notNull())
    .addColumn("month", "text", (column) => column.notNull())
    .addColumn("used", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("api_usage_key", ["account_id", "month"])
    .execute();
  await db.schema
    .createIndex("api_usage_updated")
    .on("api_usage")
    .column("updated_at")
    .execute();
}
