import { sql, type Kysely, type RawBuilder } from "kysely";
import { type Tables, DATABASE_NOW, isPostgresql } from "../database/tables.ts";
import type { KeyRow } from "./keys.ts";
import { hashWords, type KeyTable } from "./key-table.ts";

/** The time that changes are kept. */
const KEPT_MS = 86_400_000;
/** Rows read at once. */
const PAGE = 20_000;

/** The state of the feed. */
interface FeedState {
  /** A snapshot of PostgreSQL's transactions (`pg_snapshot`), or the last change in SQLite. */
  position: string;
  /** The server and database that answered. */
  server: string;
  /** The database's time in epoch milliseconds. */
  now: number;
}

interface ChangeRow extends FeedState {
  number: number | null;
  hash: string | null;
  id: number | null;
  account_id: number | null;
  expires_at: number | null;
  revoked_at: number | null;
  plan: string | null;
  suspended_at: number | null;
}

/**
 * Keeps a table of all keys current: it reads all of them at first, then what changed (`api_key_change`, written by
 * triggers). On PostgreSQL changes are read by transaction, not by time or number: a reading has what the snapshot of
 * the one before did not show, so a transaction that commits late is not missed. In SQLite transactions commit one
 * after the other, in the order of their numbers. Call `read` one at a time.
 */
export class KeyFeed {
  readonly #db: Kysely<Tables>;
  readonly #table: KeyTable;
  readonly #planNumber: (name: string) => number;
  readonly #isPostgresql: boolean;
  /** The end of the last reading; null before the first. */
  #read: FeedState | null = null;
  /** The number of readings of all keys. */
  #readings = 0;

  constructor(
    db: Kysely<Tables>,
    table: KeyTable,
    planNumber: (name: string) => number,
  ) {
    this.#db = db;
    this.#table = table;
    this.#planNumber = planNumber;
    this.#isPostgresql = isPostgresql(db);
  }

  /**
   * Reads what changed into the table. Returns the accounts whose keys or plan changed; null if it read all keys,
   * because it is the first time, or because changes may be missing: another server answered, which may lack the last
   * changes of the one before, or the last reading is too long ago. Rejects if the database fails; the next reading
   * then has it all. `onAnswer` is called for each page.
   */
  async read(
    onAnswer: () => void = () => undefined,
  ): Promise<ReadonlySet<number> | null> {
    const accounts = new Set<number>();
    let state: FeedState | null = null;
    for (let number = 0; ;) {
      const rows = await this.#changes(number);
      onAnswer();
      const [first] = rows;
      if (first === undefined) throw new Error("The feed of keys has no row.");
      // What is committed while further pages are read is in the next reading.
      state ??= first;
      const before = this.#read;
      if (
        before === null ||
        first.server !== before.server ||
        first.now - before.now >= KEPT_MS / 2
      ) {
        await this.#readAll(onAnswer);
        this.#read = first;
        return null;
      }
      for (const row of rows) {
        const account = this.#apply(row);
        if (account !== null) accounts.add(account);
      }
      if (rows.length < PAGE) {
        this.#read = state;
        return accounts;
      }
      number = rows.at(-1)?.number ?? number;
    }
  }

  /** Reads all keys. What changes meanwhile is in the next reading of changes. */
  async #readAll(onAnswer: () => void): Promise<void> {
    const reading = ++this.#readings;
    for (let last = 0; ;) {
      const rows = await this.#db
        .selectFrom("api_key")
        .innerJoin("api_account", "api_account.id", "api_key.account_id")
        .select([
          "api_key.hash",
          "api_key.id",
          "api_key.account_id",
          "api_key.expires_at",
          "api_key.revoked_at",
          "api_account.plan",
          "api_account.suspended_at",
        ])
        .where("api_key.id", ">", last)
        .orderBy("api_key.id")
        .limit(PAGE)
        .execute();
      onAnswer();
      for (const row of rows) this.#put(row.hash, row, reading);
      if (rows.length < PAGE) break;
      last = rows.at(-1)?.id ?? last;
    }
    this.#table.deleteOthers(reading);
  }

  /** Returns the account whose key changed or was deleted, if that is known. */
  #apply(row: ChangeRow): number | null {
    const { account_id, hash, id, plan } = row;
    if (hash === null) return null;
    if (id === null || account_id === null || plan === null)
      return this.#table.delete(hashWords(hash));
    this.#put(hash, { ...row, id, account_id, plan }, this.#readings);
    return account_id;
  }

  #put(hash: string, row: KeyRow, reading: number): void {
    this.#table.put(hashWords(hash), row, this.#planNumber(row.plan), reading);
  }

  /**
   * Reads a page of changes after a number, each with its key as it is now; at least one row, with the feed's state.
   */
  async #changes(number: number): Promise<ChangeRow[]> {
    const { rows } = await sql<ChangeRow>`
SELECT feed.*, change.* FROM (${this.#isPostgresql ? POSTGRESQL_STATE : SQLITE_STATE}) AS feed
LEFT JOIN (
  SELECT change.number, change.hash, key.*
  FROM api_key_change AS change
  LEFT JOIN ${this.#isPostgresql ? POSTGRESQL_KEY : SQLITE_KEY}
  WHERE change.number > ${number} AND ${this.#unread()}
  ORDER BY change.number LIMIT ${sql.lit(PAGE)}
) AS change ON true`.execute(this.#db);
    return rows;
  }

  #unread(): RawBuilder<unknown> {
    if (this.#read === null) return sql`false`;
    const { position } = this.#read;
    if (!this.#isPostgresql) return sql`change.number > ${Number(position)}`;
    // What the snapshot showed is below `xmax`, and not in the list of transactions that were running.
    const [, xmax = "", running = ""] = position.split(":");
    const xip = running === "" ? [] : running.split(",");
    // The last condition is for changes restored from a server that was further.
    return sql`(change.transaction >= ${xmax}::xid8 OR change.transaction = ANY (${xip}::xid8[]))
    AND change.transaction < pg_snapshot_xmax(pg_current_snapshot())`;
  }
}

const SQLITE_KEY = sql`(
    SELECT key.hash AS key_hash, key.id, key.account_id, key.expires_at, key.revoked_at, account.plan, account.suspended_at
    FROM api_key AS key JOIN api_account AS account ON account.id = key.account_id
  ) AS key ON key.key_hash = change.hash`;

/**
 * The key of each change by itself: after many keys were deleted or made, PostgreSQL may believe that the tables have
 * few rows, and would compare each with each, for minutes.
 */
const POSTGRESQL_KEY = sql`LATERAL (
    SELECT key.id, key.account_id, key.expires_at, key.revoked_at, account.plan, account.suspended_at
    FROM api_key AS key, LATERAL (SELECT plan, suspended_at FROM api_account WHERE id = key.account_id LIMIT 1) AS account
    WHERE key.hash = change.hash LIMIT 1
  ) AS key ON true`;

/** The identity of the server: a replacement started at another time, and a restored table has another OID. */
const POSTGRESQL_STATE = sql`
SELECT pg_current_snapshot()::text AS position, ${DATABASE_NOW} AS now,
  concat_ws(' ', pg_postmaster_start_time(), pg_database.oid, 'api_key_change'::regclass::oid) AS server
FROM pg_database WHERE datname = current_database()`;

const SQLITE_STATE = sql`
SELECT CAST((SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'api_key_change') AS text) AS position,
  CAST(unixepoch('subsec') * 1000 AS integer) AS now, 'sqlite' AS server`;

/** Deletes changes past their retention. */
export async function purgeKeyChanges(db: Kysely<Tables>): Promise<void> {
  const now = isPostgresql(db)
    ? DATABASE_NOW
    : sql<number>`CAST(unixepoch('subsec') * 1000 AS integer)`;
  await db
    .deleteFrom("api_key_change")
    .where("changed_at", "<", sql<number>`${now} - ${sql.lit(KEPT_MS)}`)
    .execute();
}
