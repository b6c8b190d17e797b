import { PostgresAdapter, sql, type Kysely } from "kysely";

/**
 * What several processes share over one PostgreSQL database: nodes and publications, leases of the monthly quota, and
 * the feed of changed keys. A SQLite database has one service, which needs none of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await db.schema
    .createTable("fleet_node")
    .addColumn("process", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("version", "text", (column) => column.notNull())
    .addColumn("started_at", "bigint", (column) => column.notNull())
    .addColumn("seen_at", "bigint", (column) => column.notNull())
    .addColumn("held_epoch", "bigint")
    .addColumn("served_epoch", "bigint")
    .addColumn("problem", "text")
    .execute();
  await db.schema
    .createTable("fleet_publication")
    .addColumn("epoch", "bigint", (column) => column.primaryKey())
    .addColumn("snapshot", "text", (column) => column.notNull())
    .addColumn("manifest", "text", (column) => column.notNull())
    .addColumn("publisher", "text", (column) => column.notNull())
    .addColumn("published_at", "bigint", (column) => column.notNull())
    .addColumn("activated_at", "bigint")
    .execute();

  await db.schema
    .alterTable("api_flush")
    .addColumn("skipped", sql`int[]`, (column) =>
      column.notNull().defaultTo("{}"),
    )
    .execute();
  await db.schema
    .alterTable("api_usage")
    .addColumn("leased", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("api_lease")
    .addColumn("account_id", "integer", (column) => column.notNull())
    .addColumn("month", "text", (column) => column.notNull())
    .addColumn("process", "text", (column) => column.notNull())
    .addColumn("remaining", "bigint", (column) => column.notNull())
    .addColumn("folded", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("granted", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("number", "bigint", (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("api_lease_key", [
      "account_id",
      "month",
      "process",
    ])
    .execute();
  await db.schema
    .createIndex("api_lease_process")
    .on("api_lease")
    .column("process")
    .execute();

  await db.schema
    .createTable("api_key_change")
    .addColumn("number", "bigserial", (column) => column.primaryKey())
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("changed_at", "bigint", (column) =>
      column
        .notNull()
        .defaultTo(sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`),
    )
    .addColumn("transaction", sql`xid8`, (column) =>
      column.notNull().defaultTo(sql`pg_current_xact_id()`),
    )
    .execute();
  await db.schema
    .createIndex("api_key_change_transaction")
    .on("api_key_change")
    .column("transaction")
    .execute();
  for (const statement of FEED) await sql.raw(statement).execute(db);
}

/** Triggers, so that no change of a key is missing from the feed, whichever program makes it. */
const FEED = [
  `CREATE FUNCTION api_note_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO api_key_change (hash) VALUES (CASE WHEN TG_OP = 'DELETE' THEN OLD.hash ELSE NEW.hash END);
  RETURN NULL;
END $$`,
  `CREATE TRIGGER api_key_change
AFTER INSERT OR DELETE OR UPDATE OF account_id, expires_at, revoked_at ON api_key
FOR EACH ROW EXECUTE FUNCTION api_note_key_change()`,
  `CREATE FUNCTION api_note_account_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO api_key_change (hash) SELECT hash FROM api_key WHERE account_id = NEW.id;
  RETURN NULL;
END $$`,
  `CREATE TRIGGER api_key_change
AFTER UPDATE OF plan, suspended_at ON api_account
FOR EACH ROW EXECUTE FUNCTION api_note_account_change()`,
];
