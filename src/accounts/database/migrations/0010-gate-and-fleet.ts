import { PostgresAdapter, sql, type Kysely } from "kysely";

/**
 * Adds what prepaying quota from `api_usage` needs, and a feed of changed keys. In PostgreSQL, which several nodes
 * share, also the nodes and what they publish.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgresql = db.getExecutor().adapter instanceof PostgresAdapter;
  for (const column of ["last_taken", "last_quota"])
    await db.schema
      .alterTable("api_usage")
      .addColumn(column, "bigint", (added) => added.notNull().defaultTo(0))
      .execute();
  // Nothing reads by it any more, and each change would need a new entry.
  await db.schema.dropIndex("api_usage_updated").execute();
  if (isPostgresql) await addFleet(db);
  await (isPostgresql ? addPostgresqlFeed(db) : addSqliteFeed(db));
}

async function addFleet(db: Kysely<unknown>): Promise<void> {
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
}

/** Makes triggers, so that no change of a key is missing from the feed, whichever program makes it. */
async function addPostgresqlFeed(db: Kysely<unknown>): Promise<void> {
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
  for (const statement of [
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
  ])
    await sql.raw(statement).execute(db);
}

/** Makes the same triggers in SQLite, where transactions end in the order of their numbers. */
async function addSqliteFeed(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("api_key_change")
    .addColumn("number", "integer", (column) =>
      column.primaryKey().autoIncrement(),
    )
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("changed_at", "bigint", (column) =>
      column
        .notNull()
        .defaultTo(sql`(CAST(unixepoch('subsec') * 1000 AS integer))`),
    )
    .execute();
  for (const [name, event, values] of [
    ["insert_key", "INSERT ON api_key", "VALUES (NEW.hash)"],
    ["delete_key", "DELETE ON api_key", "VALUES (OLD.hash)"],
    [
      "update_key",
      "UPDATE OF account_id, expires_at, revoked_at ON api_key",
      "VALUES (NEW.hash)",
    ],
    [
      "update_account",
      "UPDATE OF plan, suspended_at ON api_account",
      "SELECT hash FROM api_key WHERE account_id = NEW.id",
    ],
  ])
    await sql
      .raw(
        `CREATE TRIGGER api_note_${name} AFTER ${event} BEGIN INSERT INTO api_key_change (hash) ${values}; END`,
      )
      .execute(db);
}
