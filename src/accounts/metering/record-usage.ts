import { sql, type Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import { monthLabel, monthOfLabel } from "./month.ts";
import type { KeyPart } from "./key-parts.ts";
import type { KeyUse } from "./key-uses.ts";
import type { UsageDelta, UsageTotal } from "./usage-table.ts";

/** Counts that a process has not yet written. */
export interface UsageBatch {
  /** Identifies the process; new at each start. */
  readonly writer: string;
  /** Numbers the process's batches, from 1. A retried batch keeps its number. */
  readonly number: number;
  readonly deltas: readonly UsageDelta[];
  readonly uses: readonly KeyUse[];
  readonly parts: readonly KeyPart[];
}

/**
 * Writes a batch to PostgreSQL in one statement, unless it is already written, and returns the sums of its accounts;
 * none if it was written before. Rows are locked as in `LeaseStore`. What was taken from leases is no longer leased; a
 * lease that was folded meanwhile is unfolded.
 */
export async function recordUsage(
  db: Kysely<Tables>,
  { deltas, number, parts, uses, writer }: UsageBatch,
  nowMs: number,
): Promise<UsageTotal[]> {
  const { rows } = await sql<{
    account_id: number;
    month: string;
    used: number;
    viewed: number;
  }>`
WITH claimed AS (
  INSERT INTO api_flush (writer, number, written_at) VALUES (${writer}, ${number}, ${nowMs})
  ON CONFLICT (writer) DO UPDATE SET number = excluded.number, written_at = excluded.written_at
  WHERE api_flush.number < excluded.number
  RETURNING writer
), counted AS MATERIALIZED (
  SELECT counted.* FROM claimed, unnest(
    ${deltas.map(({ accountId }) => accountId)}::int[],
    ${deltas.map(({ month }) => monthLabel(month))}::text[],
    ${deltas.map(({ count }) => count)}::bigint[],
    ${deltas.map(({ pages = 0 }) => pages)}::bigint[],
    ${deltas.map(({ leased = 0 }) => leased)}::bigint[]
  ) AS counted (account_id, month, used, viewed, leased)
), locked AS MATERIALIZED (
  SELECT sums.account_id, sums.month FROM api_usage sums JOIN counted USING (account_id, month)
  ORDER BY sums.account_id, sums.month FOR UPDATE OF sums
), lease AS MATERIALIZED (
  SELECT lease.account_id, lease.month, lease.folded, least(counted.leased, lease.remaining + lease.folded) AS taken
  FROM api_lease lease JOIN locked USING (account_id, month) JOIN counted USING (account_id, month)
  WHERE lease.process = ${writer}
  FOR UPDATE OF lease
), leases AS (
  UPDATE api_lease SET remaining = api_lease.remaining + lease.folded - lease.taken, folded = 0
  FROM lease
  WHERE api_lease.account_id = lease.account_id AND api_lease.month = lease.month AND api_lease.process = ${writer}
), sums AS (
  INSERT INTO api_usage AS sums (account_id, month, used, viewed, leased, updated_at)
  SELECT account_id, month, counted.used - coalesce(lease.folded, 0), counted.viewed,
    coalesce(lease.folded - lease.taken, 0), ${nowMs}::bigint
  FROM counted LEFT JOIN lease USING (account_id, month) ORDER BY account_id, month
  ON CONFLICT (account_id, month) DO UPDATE SET
    used = sums.used + excluded.used, viewed = sums.viewed + excluded.viewed,
    leased = sums.leased + excluded.leased, updated_at = excluded.updated_at
  RETURNING account_id, month, used, viewed
), hours AS (
  INSERT INTO api_usage_hour AS hours (key_id, hour, operation, used)
  SELECT part.* FROM claimed, unnest(
    ${parts.map(({ keyId }) => keyId)}::int[],
    ${parts.map(({ hour }) => hour)}::bigint[],
    ${parts.map(({ operation }) => operation)}::text[],
    ${parts.map(({ count }) => count)}::bigint[]
  ) AS part (key_id, hour, operation, used)
  ORDER BY 1, 2, 3
  ON CONFLICT (key_id, hour, operation) DO UPDATE SET used = hours.used + excluded.used
), keys AS (
  UPDATE api_key SET last_used_at = used.at
  FROM (
    SELECT key.id, used.at FROM claimed, api_key key JOIN unnest(
      ${uses.map(({ keyId }) => keyId)}::int[],
      ${uses.map(({ second }) => second * 1000)}::bigint[]
    ) AS used (id, at) USING (id)
    ORDER BY key.id FOR NO KEY UPDATE OF key
  ) AS used
  WHERE api_key.id = used.id AND (api_key.last_used_at IS NULL OR api_key.last_used_at < used.at)
)
SELECT account_id, month, used, viewed FROM sums`.execute(db);
  return rows.map(({ account_id, month, used, viewed }) => ({
    accountId: account_id,
    month: monthOfLabel(month),
    used,
    viewed,
  }));
}
