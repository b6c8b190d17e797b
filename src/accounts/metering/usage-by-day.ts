import type { Operation } from "../../contract/operation.ts";
import { sql, type Kysely } from "kysely";
import type { Page } from "../page.ts";
import type { Tables } from "../database/tables.ts";

const DAY_MS = 86_400_000;

/** What was answered to a key on a day (UTC). */
export interface UsageOfDay {
  /** `2026-11-21` */
  readonly day: string;
  readonly keyId: number;
  readonly operation: Operation;
  readonly used: number;
}

/** An account's use by day, key and operation since the day of a moment, in that order: all of it, or a page. */
export async function usageByDay(
  db: Kysely<Tables>,
  accountId: number,
  sinceMs: number,
  page: Page | null,
): Promise<UsageOfDay[]> {
  let query = sums(db, accountId, sinceMs)
    .orderBy("day_ms")
    .orderBy("key_id")
    .orderBy("operation");
  if (page !== null) query = query.limit(page.limit).offset(page.offset);
  return (await query.execute()).map((row) => ({
    day: new Date(row.day_ms).toISOString().slice(0, 10),
    keyId: row.key_id,
    operation: row.operation,
    used: row.used,
  }));
}

/** How many rows `usageByDay` has without a page. */
export async function countUsageByDay(
  db: Kysely<Tables>,
  accountId: number,
  sinceMs: number,
): Promise<number> {
  const { count } = await db
    .selectFrom(sums(db, accountId, sinceMs).as("sums"))
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

function sums(db: Kysely<Tables>, accountId: number, sinceMs: number) {
  const day = sql<number>`hour - hour % ${sql.lit(DAY_MS)}`;
  return db
    .selectFrom("api_usage_hour")
    .innerJoin("api_key", "api_key.id", "api_usage_hour.key_id")
    .select(({ fn }) => [
      day.as("day_ms"),
      "api_usage_hour.key_id",
      "operation",
      fn.sum<number>("used").as("used"),
    ])
    .where("api_key.account_id", "=", accountId)
    .where("hour", ">=", Math.floor(sinceMs / DAY_MS) * DAY_MS)
    .groupBy([day, "api_usage_hour.key_id", "operation"]);
}
