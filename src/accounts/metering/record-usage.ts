import { sql, type Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import { retryCollisions } from "../database/transact.ts";
import { monthLabel } from "./month.ts";
import type { KeyPart } from "./key-parts.ts";
import type { KeyUse } from "./key-uses.ts";
import { usageOf } from "./usage-store.ts";
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
 * Writes a batch to PostgreSQL in one statement, unless it is already written. Returns the sums of its accounts, in the
 * order of `deltas`; null for those that another transaction has locked, which are not written. Rows are locked as in
 * `LeaseStore`. What was taken from leases is no longer leased; a lease that was folded meanwhile is unfolded.
 */
export async function recordUsage(
  db: Kysely<Tables>,
  batch: UsageBatch,
  nowMs: number,
): Promise<(UsageTotal | null)[]> {
  const written = await retryCollisions(() => writeUsage(db, batch, nowMs));
  const { deltas, number, writer } = batch;
  if (written !== null)
    return deltas.map(({ accountId, month }, index) => {
      const sums = written.get(index + 1);
      return sums === undefined ? null : { accountId, month, ...sums };
    });
  const before = await db
    .selectFrom("api_flush")
    .select("skipped")
    .where("writer", "=", writer)
    .where("number", "=", number)
    .executeTakeFirst();
  const skipped = new Set(before?.skipped);
  const totals = await usageOf(db, deltas);
  return totals.map((total, index) => (skipped.has(index + 1) ? null : total));
}

/** An account's counts in a month. */
type Sums = Pick<UsageTotal, "used" | "leasedElsewhere">;

/** Returns sums by their position in `deltas`, from 1; null if the batch is already written. */
async function writeUsage(
  db: Kysely<Tables>,
  { deltas, number, parts, uses, writer }: UsageBatch,
  nowMs: number,
): Promise<Map<number | null, Sums> | null> {
  const { rows } = await sql<Sums & { position: number | null }>`
WITH counted AS MATERIALIZED (
  SELECT * FROM unnest(
    ${deltas.map(({ accountId }) => accountId)}::int[],
    ${deltas.map(({ month }) => monthLabel(month))}::text[],
    ${deltas.map(({ count }) => count)}::bigint[],
    ${deltas.map(({ leased = 0 }) => leased)}::bigint[]
  ) WITH ORDINALITY AS counted (account_id, month, used, leased, position)
), locked AS MATERIALIZED (
  SELECT sums.account_id, sums.month FROM api_usage sums JOIN counted USING (account_id, month)
  ORDER BY sums.account_id, sums.month FOR UPDATE OF sums SKIP LOCKED
), skipped AS MATERIALIZED (
  SELECT position::int FROM counted
  WHERE (account_id, month) IN (SELECT account_id, month FROM api_usage)
    AND NOT EXISTS (
      SELECT FROM locked WHERE locked.account_id = counted.account_id AND locked.month = counted.month
    )
), claimed AS (
  INSERT INTO api_flush (writer, number, written_at, skipped)
  SELECT ${writer}, ${number}::bigint, ${nowMs}::bigint, coalesce(array_agg(position), '{}') FROM skipped
  ON CONFLICT (writer) DO UPDATE
  SET number = excluded.number, written_at = excluded.written_at, skipped = excluded.skipped
  WHERE api_flush.number < excluded.number
  RETURNING writer
), written AS MATERIALIZED (
  SELECT counted.* FROM claimed, counted WHERE position NOT IN (SELECT position FROM skipped)
), lease AS MATERIALIZED (
  SELECT lease.account_id, lease.month, lease.folded, lease.remaining, least(written.leased, lease.remaining + lease.folded) AS taken
  FROM api_lease lease JOIN written USING (account_id, month)
  WHERE lease.process = ${writer}
  FOR UPDATE OF lease
), leases AS (
  UPDATE api_lease SET remaining = api_lease.remaining + lease.folded - lease.taken, folded = 0
  FROM lease
  WHERE api_lease.account_id = lease.account_id AND api_lease.month = lease.month AND api_lease.process = ${writer}
), sums AS (
  INSERT INTO api_usage AS sums (account_id, month, used, leased, updated_at)
  SELECT account_id, month, written.used - coalesce(lease.folded, 0),
    coalesce(lease.folded - lease.taken, 0), ${nowMs}::bigint
  FROM written LEFT JOIN lease USING (account_id, month) ORDER BY account_id, month
  ON CONFLICT (account_id, month) DO UPDATE SET
    used = sums.used + excluded.used,
    leased = sums.leased + excluded.leased, updated_at = excluded.updated_at
  RETURNING account_id, month, used, leased
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
SELECT position, sums.used,
  sums.leased - coalesce(lease.remaining + lease.folded - lease.taken, 0) AS "leasedElsewhere"
FROM claimed LEFT JOIN (
  sums JOIN written USING (account_id, month) LEFT JOIN lease USING (account_id, month)
) ON true`.execute(db);
  return rows.length === 0
    ? null
    : new Map(rows.map(({ position, ...sums }) => [position, sums]));
}
