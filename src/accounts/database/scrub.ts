import { setTimeout as sleep } from "node:timers/promises";
import { sql, type Kysely } from "kysely";
import { isPostgresql } from "./dialect.ts";
import type { Tables } from "./tables.ts";

/** Waits half a second for readers that still need what was deleted. */
const ATTEMPTS = 25;
const PAUSE_MS = 20;

/**
 * Removes deleted bytes from the database, after the transaction that deleted them. SQLite overwrites them
 * (`secure_delete`), and the write-ahead log with the older pages is truncated. PostgreSQL vacuums dead rows, whose
 * space is then reused. If that fails now, the hourly clean-up or the server does it.
 */
export async function scrub(db: Kysely<Tables>): Promise<void> {
  if (isPostgresql(db)) {
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
