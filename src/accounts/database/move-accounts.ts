import { sql, type Kysely, type Transaction } from "kysely";
import { audit } from "../audit.ts";
import { openSqlite } from "./open-database.ts";
import { openPostgresql } from "./open-postgresql.ts";
import type { Tables } from "./tables.ts";

/**
 * The tables to copy, referenced ones first. Short-lived data stays behind: flush numbers, counts of attempts, mailed
 * links.
 */
const TABLES = [
  "user",
  "session",
  "account",
  "twoFactor",
  "api_account",
  "api_key",
  "api_usage",
  "api_usage_hour",
  "api_deleted_address",
  "api_audit",
  "api_billing_customer",
  "api_subscription",
  "api_billing_event",
  "api_installation",
] as const satisfies readonly (keyof Tables)[];
/** Tables with generated ids. */
const NUMBERED = ["api_account", "api_key", "api_audit"] as const;

/** Starting a service on the target already writes rows here; the source's replace them. */
const MADE_AT_START = "api_installation";

/** Rows in one statement. */
const BATCH = 500;

export interface MoveOptions {
  /** The SQLite database; it stays as it is. */
  readonly file: string;
  /** The PostgreSQL database. */
  readonly url: string;
  /** The option or variable that gives its URL, for messages. */
  readonly setting: string;
  /** The actor in the audit log. */
  readonly actor: string;
  /** Epoch milliseconds, for the audit log. */
  readonly nowMs: number;
}

export type MoveOutcome =
  /** The numbers of accounts and keys that were copied, with everything else. */
  | {
      readonly outcome: "moved";
      readonly accounts: number;
      readonly keys: number;
    }
  /** The target already has accounts, and was not changed. */
  | { readonly outcome: "not_empty" };

/**
 * Copies an installation's accounts from SQLite to PostgreSQL, completely or not at all. The source is locked against
 * writes meanwhile. Throws AccountsDatabaseError if either cannot be opened.
 */
export async function moveAccounts({
  actor,
  file,
  nowMs,
  setting,
  url,
}: MoveOptions): Promise<MoveOutcome> {
  await using source = await openSqlite(file);
  await using target = await openPostgresql(url, undefined, setting);
  return await source.transaction().execute((from) =>
    target.transaction().execute(async (into): Promise<MoveOutcome> => {
      await sql`LOCK TABLE ${sql.join(TABLES.map((name) => sql.table(name)))} IN EXCLUSIVE MODE`.execute(
        into,
      );
      for (const table of TABLES)
        if (table !== MADE_AT_START && (await hasRows(into, table)))
          return { outcome: "not_empty" };
      await into.deleteFrom(MADE_AT_START).execute();
      const rows = new Map<keyof Tables, number>();
      for (const table of TABLES)
        rows.set(table, await copy(from, into, table));
      for (const table of NUMBERED) await continueIds(from, into, table);
      const accounts = rows.get("api_account") ?? 0;
      const keys = rows.get("api_key") ?? 0;
      const by = { actor, clock: () => nowMs };
      const detail = `${accounts} accounts, ${keys} keys`;
      await audit(by, into, "accounts_migrated", null, detail);
      return { outcome: "moved", accounts, keys };
    }),
  );
}

async function hasRows(
  db: Kysely<Tables>,
  table: (typeof TABLES)[number],
): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select((select) => select.lit(1).as("one"))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function copy(
  from: Transaction<Tables>,
  into: Transaction<Tables>,
  table: (typeof TABLES)[number],
): Promise<number> {
  let copied = 0;
  let batch: object[] = [];
  for await (const row of from.selectFrom(table).selectAll().stream(BATCH)) {
    batch.push(row);
    if (batch.length === BATCH) await write();
  }
  if (batch.length > 0) await write();
  return copied;

  async function write(): Promise<void> {
    const columns = Object.keys(batch[0] ?? {});
    const values = batch.map(
      (row) =>
        sql`(${sql.join(columns.map((name) => Reflect.get(row, name)))})`,
    );
    await sql`INSERT INTO ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))}) VALUES ${sql.join(values)}`.execute(
      into,
    );
    copied += batch.length;
    batch = [];
  }
}

/** Makes the target continue the source's ids, including those of deleted rows. */
async function continueIds(
  from: Transaction<Tables>,
  into: Transaction<Tables>,
  table: (typeof NUMBERED)[number],
): Promise<void> {
  const { rows } = await sql<{
    seq: number;
  }>`SELECT seq FROM sqlite_sequence WHERE name = ${table}`.execute(from);
  const last = rows[0]?.seq ?? 0;
  if (last > 0)
    await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(
      into,
    );
}
