import { setTimeout as sleep } from "node:timers/promises";
import { PostgresAdapter, sql, type Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** How long readers are waited for that still need what was deleted: half a second. */
const ATTEMPTS = 25;
const PAUSE_MS = 20;

/**
 * Makes what was deleted leave the database, after the transaction that deleted it. In SQLite, which overwrites what is
 * deleted (`secure_delete`), the write-ahead log with the older pages is emptied. PostgreSQL gives up the dead rows, whose
 * place is written over as it is used again. Where that cannot be done now, the hourly clean-up does it, or the server.
 */
export async function scrub(db: Kysely<Tables>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    const vacuum = sql`VACUUM "user", session, account, "twoFactor", verification, api_account, api_key, api_billing_customer, api_subscription`;
    await vacuum.execute(db).catch(() => undefined);
    return;
  }
  for (let attempts = 1; attempts <= ATTEMPTS; attempts++) {
    const checkpoint = sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`;
    const done = await checkpoint.execute(db).catch(() => null);
    if (done?.rows[0]?.busy === 0) return;
    await sleep(PAUSE_MS);
  }
}
