import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

const DAY_MS = 86_400_000;

/** What was answered to a key on a day (UTC). */
export interface UsageOfDay {
  /** `2026-11-21` */
  readonly day: string;
  readonly keyId: number;
  readonly operation: string;
  readonly used: number;
}

/** An account's use by day, key and operation since the day of a moment, in that order. */
export async function usageByDay(
  db: Kysely<Tables>,
  accountId: number,
  sinceMs: number,
): Promise<UsageOfDay[]> {
  const rows = await db
    .selectFrom("api_usage_hour")
    .innerJoin("api_key", "api_key.id", "api_usage_hour.key_id")
    .select(["api_usage_hour.key_id", "hour", "operation", "used"])
    .where("api_key.account_id", "=", accountId)
    .where("hour", ">=", Math.floor(sinceMs / DAY_MS) * DAY_MS)
    .orderBy("hour")
    .orderBy("api_usage_hour.key_id")
    .orderBy("operation")
    .execute();
  const days = new Map<string, UsageOfDay>();
  for (const row of rows) {
    const day = new Date(row.hour).toISOString().slice(0, 10);
    const name = `${day} ${row.key_id} ${row.operation}`;
    days.set(name, {
      day,
      keyId: row.key_id,
      operation: row.operation,
      used: (days.get(name)?.used ?? 0) + row.used,
    });
  }
  return [...days.values()].sort(
    (a, b) =>
      compare(a.day, b.day) ||
      a.keyId - b.keyId ||
      compare(a.operation, b.operation),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
