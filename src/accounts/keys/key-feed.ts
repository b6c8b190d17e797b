import { sql, type Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import { DATABASE_NOW } from "../fleet/database-now.ts";
import type { KeyRow } from "./key-store.ts";

/** How long changes are kept. */
const KEPT_MS = 86_400_000;
/** How far back the first poll reads, and the first one on another server: longer than a replica lags behind. */
export const LOOK_BACK_MS = 900_000;
/** Changes read at once; more count as a gap. */
const MAX_CHANGES = 20_000;

/** What changed since the last poll. */
export interface FeedPoll {
  /** The changed keys as they are now; null for deleted ones. */
  readonly changes: ReadonlyMap<string, KeyRow | null>;
  /** Changes may be missing: forget all keys. */
  readonly hasGap: boolean;
  /** Another server answered than the last time; also at first. */
  readonly isNewServer: boolean;
}

interface ChangeRow {
  horizon: string;
  server: string;
  number: number | null;
  transaction: string | null;
  hash: string | null;
  id: number | null;
  account_id: number | null;
  expires_at: number | null;
  revoked_at: number | null;
  plan: string | null;
  suspended_at: number | null;
}

/**
 * The feed of changed keys in PostgreSQL (`api_key_change`, written by triggers). It is read by transaction, not by time
 * or number: every transaction that wasn't complete at the last poll is read again, so one that commits late is not
 * missed. Call `poll` one at a time.
 */
export class KeyFeed {
  readonly #db: Kysely<Tables>;
  /** Where the next poll starts; null at first. */
  #horizon: string | null = null;
  /** When the server started: a replacement started at another time. */
  #server = "";
  /** The changes at or after the horizon that were read, with their transactions. */
  #seen = new Map<number, bigint>();
  #polledMs = Number.NEGATIVE_INFINITY;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Reads what changed, in one statement. Rejects if the database fails; the next poll then reads it. */
  async poll(): Promise<FeedPoll> {
    const startMs = performance.now();
    const isFirst = this.#horizon === null;
    let rows = await this.#read(startMs);
    // A replacement may lack transactions that its predecessor had, and give their numbers to others.
    const isNewServer = rows[0]?.server !== this.#server;
    if (!isFirst && isNewServer) {
      this.#horizon = null;
      this.#seen.clear();
      rows = await this.#read(startMs);
    }
    const [{ horizon, server } = { horizon: "0", server: "" }] = rows;
    const hasGap =
      rows.length > MAX_CHANGES ||
      (!isFirst && startMs - this.#polledMs >= KEPT_MS / 2);
    const changes = new Map<string, KeyRow | null>();
    for (const row of rows) {
      if (row.number === null || row.hash === null || row.transaction === null)
        continue;
      changes.set(row.hash, keyRowOf(row));
      this.#seen.set(row.number, BigInt(row.transaction));
    }
    const first = BigInt(horizon);
    for (const [number, transaction] of this.#seen)
      if (transaction < first) this.#seen.delete(number);
    // The rest of too many is skipped too, except what the horizon brings again.
    this.#horizon = horizon;
    this.#server = server;
    this.#polledMs = startMs;
    return { changes, hasGap, isNewServer };
  }

  async #read(nowMs: number): Promise<ChangeRow[]> {
    // After a silence, on a replacement too, back to before it.
    const silentMs = Number.isFinite(this.#polledMs)
      ? nowMs - this.#polledMs
      : 0;
    const since =
      this.#horizon === null
        ? sql`change.changed_at >= ${DATABASE_NOW} - ${Math.round(LOOK_BACK_MS + silentMs)}::bigint`
        : sql`change.transaction >= ${this.#horizon}::xid8 AND change.number <> ALL (${[...this.#seen.keys()]}::bigint[])`;
    const { rows } = await sql<ChangeRow>`
SELECT feed.horizon, feed.server, change.*
FROM (
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon, pg_postmaster_start_time()::text AS server
) AS feed
LEFT JOIN (
  SELECT change.number, change.transaction::text, change.hash,
    key.id, key.account_id, key.expires_at, key.revoked_at, account.plan, account.suspended_at
  FROM api_key_change change
  LEFT JOIN api_key key ON key.hash = change.hash
  LEFT JOIN api_account account ON account.id = key.account_id
  WHERE ${since}
  ORDER BY change.number LIMIT ${sql.lit(MAX_CHANGES + 1)}
) AS change ON true`.execute(this.#db);
    return rows;
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
