import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Tables } from "../database/tables.ts";
import { DATABASE_NOW } from "../fleet/database-now.ts";
import type { KeyRow } from "./key-store.ts";

/** How long changes are kept. */
const KEPT_MS = 86_400_000;
/** How far back the first poll reads, and the first one on another server: longer than a replica lags behind. */
export const LOOK_BACK_MS = 900_000;
/** Changes read at once. */
const PAGE = 20_000;

/** What changed since the last poll, or a part of it. */
export interface FeedPage {
  /** The changed keys as they are now; null for deleted ones. */
  readonly changes: ReadonlyMap<string, KeyRow | null>;
  /** There is more to read: poll again at once. */
  readonly hasMore: boolean;
  /** Once there is no more, every change that was committed before this time was read; epoch milliseconds. */
  readonly asOfMs: number;
  /** Changes may be missing: forget all keys. */
  readonly hasGap: boolean;
  /** Another server or database answered than the last time; also at first. */
  readonly isNewServer: boolean;
}

interface ChangeRow {
  snapshot: string;
  server: string;
  now: number;
  number: number | null;
  hash: string | null;
  id: number | null;
  account_id: number | null;
  expires_at: number | null;
  revoked_at: number | null;
  plan: string | null;
  suspended_at: number | null;
}

/** Where a reading of several pages is. */
interface Paging {
  /** Of the first page. */
  readonly snapshot: string;
  readonly asOfMs: number;
  /** The last change that was read. */
  readonly number: number;
}

/**
 * The feed of changed keys in PostgreSQL (`api_key_change`, written by triggers). It is read by transaction, not by
 * time or number: a poll reads what the snapshot of the poll before did not show, so a transaction that commits late is
 * not missed, and nothing is read twice. Call `poll` one at a time.
 */
export class KeyFeed {
  readonly #db: Kysely<Tables>;
  /** The snapshot (`pg_snapshot`) up to which everything was read; null at first. */
  #snapshot: string | null = null;
  #paging: Paging | null = null;
  /**
   * Which server and database answered. A replacement started at another time, and a restored table has another OID.
   */
  #server = "";
  /** When the last poll was, by the database's clock, which goes on while this machine is suspended. */
  #polledAt: number | null = null;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Reads what changed, in one statement. Rejects if the database fails; the next poll then reads it. */
  async poll(nowMs: number): Promise<FeedPage> {
    let rows = await this.#read();
    // A replacement may lack transactions that its predecessor had, and give their numbers to others.
    const isNewServer = rows[0]?.server !== this.#server;
    if (isNewServer && this.#polledAt !== null) {
      this.#snapshot = null;
      this.#paging = null;
      rows = await this.#read();
    }
    const [first] = rows;
    if (first === undefined) throw new Error("The feed of keys has no row.");
    const hasGap =
      this.#polledAt !== null && first.now - this.#polledAt >= KEPT_MS / 2;
    const changes = new Map<string, KeyRow | null>();
    for (const row of rows)
      if (row.hash !== null) changes.set(row.hash, keyRowOf(row));
    const { asOfMs, snapshot } = this.#paging ?? {
      asOfMs: nowMs,
      snapshot: first.snapshot,
    };
    const number = rows[PAGE - 1]?.number ?? null;
    if (number === null) this.#snapshot = snapshot;
    this.#paging = number === null ? null : { asOfMs, number, snapshot };
    this.#server = first.server;
    this.#polledAt = first.now;
    return { asOfMs, changes, hasGap, hasMore: number !== null, isNewServer };
  }

  async #read(): Promise<ChangeRow[]> {
    const { rows } = await sql<ChangeRow>`
SELECT feed.*, change.*
FROM (
  SELECT pg_current_snapshot()::text AS snapshot, ${DATABASE_NOW} AS now,
    concat_ws(' ', pg_postmaster_start_time(), pg_database.oid, 'api_key_change'::regclass::oid) AS server
  FROM pg_database WHERE datname = current_database()
) AS feed
LEFT JOIN (
  SELECT change.number, change.hash,
    key.id, key.account_id, key.expires_at, key.revoked_at, account.plan, account.suspended_at
  FROM api_key_change change
  LEFT JOIN api_key key ON key.hash = change.hash
  LEFT JOIN api_account account ON account.id = key.account_id
  WHERE change.number > ${this.#paging?.number ?? 0} AND ${this.#unread()}
  ORDER BY change.number LIMIT ${sql.lit(PAGE)}
) AS change ON true`.execute(this.#db);
    return rows;
  }

  #unread(): RawBuilder<unknown> {
    if (this.#snapshot === null) {
      // After a silence, on a replacement too, back to before it.
      const from = this.#polledAt ?? DATABASE_NOW;
      return sql`change.changed_at >= ${from}::bigint - ${sql.lit(LOOK_BACK_MS)}`;
    }
    // What the snapshot showed is below `xmax`, and not in the list of transactions that were running.
    const [, xmax = "", running = ""] = this.#snapshot.split(":");
    const xip = running === "" ? [] : running.split(",");
    // The last condition is for changes restored from a server that was further.
    return sql`(change.transaction >= ${xmax}::xid8 OR change.transaction = ANY (${xip}::xid8[]))
    AND change.transaction < pg_snapshot_xmax(pg_current_snapshot())`;
  }
}

/** Deletes changes past their retention. */
export async function purgeKeyChanges(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom("api_key_change")
    .where(
      "changed_at",
      "<",
      sql<number>`${DATABASE_NOW} - ${sql.lit(KEPT_MS)}`,
    )
    .execute();
}

function keyRowOf({
  account_id,
  expires_at,
  id,
  plan,
  revoked_at,
  suspended_at,
}: ChangeRow): KeyRow | null {
  if (id === null || account_id === null || plan === null) return null;
  return { id, account_id, plan, suspended_at, expires_at, revoked_at };
}
