import { sql, type Kysely } from "kysely";
import type { Operation } from "../../contract/operation.ts";
import { type Tables, isPostgresql } from "../database/tables.ts";
import { retryCollisions, transact } from "../database/transact.ts";
import type { KeyUse } from "./key-uses.ts";

/** Counted answers of a key in an hour, by operation. */
export interface KeyPart {
  readonly keyId: number;
  /** Start of the hour, in epoch milliseconds. */
  readonly hour: number;
  readonly operation: Operation;
  readonly count: number;
}

/** Counts that a process has not yet written. */
export interface UsageBatch {
  /** Identifies the process; new at each start. */
  readonly writer: string;
  /** Numbers the process's batches, from 1. A retried batch keeps its number. */
  readonly number: number;
  readonly uses: readonly KeyUse[];
  readonly parts: readonly KeyPart[];
}

/**
 * Writes a batch, completely or not at all, unless it is already written: if the connection is lost at the commit, its
 * result is unknown, and the batch is sent again. Rows are locked in one order, so processes can't deadlock.
 */
export async function recordUsage(
  db: Kysely<Tables>,
  batch: UsageBatch,
  nowMs: number,
): Promise<void> {
  if (isPostgresql(db)) {
    await retryCollisions(() => recordInOneStatement(db, batch, nowMs));
    return;
  }
  await transact(db, async (trx) => {
    if (!(await claimNumber(trx, batch, nowMs))) return;
    const { parts, uses } = batch;
    if (parts.length > 0)
      await sql`
INSERT INTO api_usage_hour AS hours (key_id, hour, operation, used)
VALUES ${rowsOf(parts, ({ count, hour, keyId, operation }) => [keyId, hour, operation, count])}
ON CONFLICT (key_id, hour, operation) DO UPDATE SET used = hours.used + excluded.used`.execute(
        trx,
      );
    if (uses.length > 0)
      await sql`
WITH used (id, at) AS (VALUES ${rowsOf(uses, ({ keyId, second }) => [keyId, second * 1000])})
UPDATE api_key SET last_used_at = used.at FROM used WHERE ${IS_LATER}`.execute(
        trx,
      );
  });
}

/** True for a use that is later than the last one that is recorded. */
const IS_LATER = sql`api_key.id = used.id AND (api_key.last_used_at IS NULL OR api_key.last_used_at < used.at)`;

/** Records a batch on PostgreSQL, without the round trips of a transaction: a hundred nodes do this every second. */
async function recordInOneStatement(
  db: Kysely<Tables>,
  { number, parts, uses, writer }: UsageBatch,
  nowMs: number,
): Promise<void> {
  await sql`
WITH claimed AS (
  INSERT INTO api_flush (writer, number, written_at) VALUES (${writer}, ${number}::bigint, ${nowMs}::bigint)
  ON CONFLICT (writer) DO UPDATE SET number = excluded.number, written_at = excluded.written_at
  WHERE api_flush.number < excluded.number
  RETURNING writer
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
)
UPDATE api_key SET last_used_at = used.at
FROM (
  SELECT key.id, used.at FROM claimed, api_key AS key JOIN unnest(
    ${uses.map(({ keyId }) => keyId)}::int[],
    ${uses.map(({ second }) => second * 1000)}::bigint[]
  ) AS used (id, at) USING (id)
  ORDER BY key.id FOR NO KEY UPDATE OF key
) AS used
WHERE ${IS_LATER}`.execute(db);
}

/** Records a number of a writer; false if it, or a later one, is already recorded. */
export async function claimNumber(
  db: Kysely<Tables>,
  { number, writer }: Pick<UsageBatch, "number" | "writer">,
  nowMs: number,
): Promise<boolean> {
  const claimed = await db
    .insertInto("api_flush")
    .values({ writer, number, written_at: nowMs })
    .onConflict((conflict) =>
      conflict
        .column("writer")
        .doUpdateSet({ number, written_at: nowMs })
        .where("api_flush.number", "<", number),
    )
    .returning("number")
    .executeTakeFirst();
  return claimed !== undefined;
}

/** True if a number was claimed, or a later one. */
export async function isClaimed(
  db: Kysely<Tables>,
  { number, writer }: Pick<UsageBatch, "number" | "writer">,
): Promise<boolean> {
  const claimed = await db
    .selectFrom("api_flush")
    .select("number")
    .where("writer", "=", writer)
    .where("number", ">=", number)
    .executeTakeFirst();
  return claimed !== undefined;
}

function rowsOf<Row>(
  rows: readonly Row[],
  valuesOf: (row: Row) => (string | number)[],
) {
  return sql.join(rows.map((row) => sql`(${sql.join(valuesOf(row))})`));
}
