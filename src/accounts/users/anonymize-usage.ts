import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Tables } from "../database/tables.ts";

/** The account id and key id under which the usage of deleted ones is summed. */
const DELETED = 0;

/** The time by which usage may be recorded late; older rows are not searched each time. */
const LATEST_MS = 7 * 86_400_000;

/**
 * Adds the usage of an account and its keys to the anonymous sums of deleted accounts. Without an account, adds usage
 * recorded after deletions: keys keep working for a moment, and usage is written later.
 */
export async function anonymizeUsage(
  db: Kysely<Tables>,
  nowMs: number,
  accountId: number | null,
): Promise<void> {
  const sinceMs = nowMs - LATEST_MS;
  // Not `NOT IN`, for which PostgreSQL compares each row with each account once they don't fit into `work_mem`.
  await anonymizeHours(
    db,
    accountId === null
      ? sql`hour >= ${sinceMs} AND key_id <> ${DELETED}
        AND NOT EXISTS (SELECT 1 FROM api_key WHERE api_key.id = api_usage_hour.key_id)`
      : sql`key_id IN (SELECT id FROM api_key WHERE account_id = ${accountId})`,
  );
  const isOfAccount =
    accountId === null
      ? sql`updated_at >= ${sinceMs} AND account_id <> ${DELETED}
        AND NOT EXISTS (SELECT 1 FROM api_account WHERE api_account.id = api_usage.account_id)`
      : sql`account_id = ${accountId}`;
  await sql`
INSERT INTO api_usage (account_id, month, used, updated_at)
SELECT ${DELETED}, month, sum(used), ${nowMs} FROM api_usage WHERE ${isOfAccount} GROUP BY month
ON CONFLICT (account_id, month) DO UPDATE SET used = api_usage.used + excluded.used`.execute(
    db,
  );
  await sql`DELETE FROM api_usage WHERE ${isOfAccount}`.execute(db);
}

/** Adds the usage of some keys to the same sums; the account's own sum stays. */
export function anonymizeKeyUsage(
  db: Kysely<Tables>,
  keyIds: readonly number[],
): Promise<void> {
  return anonymizeHours(db, sql`key_id IN (${sql.join(keyIds)})`);
}

async function anonymizeHours(
  db: Kysely<Tables>,
  isMatch: RawBuilder<unknown>,
): Promise<void> {
  await sql`
INSERT INTO api_usage_hour (key_id, hour, operation, used)
SELECT ${DELETED}, hour, operation, sum(used) FROM api_usage_hour WHERE ${isMatch} GROUP BY hour, operation
ON CONFLICT (key_id, hour, operation) DO UPDATE SET used = api_usage_hour.used + excluded.used`.execute(
    db,
  );
  await sql`DELETE FROM api_usage_hour WHERE ${isMatch}`.execute(db);
}
