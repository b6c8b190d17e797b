import type { Kysely, SelectQueryBuilder } from "kysely";
import type { KeyUse } from "./key-uses.ts";
import { monthLabel, monthOfLabel } from "./month.ts";
import type { Tables } from "../database/tables.ts";
import type { AccountMonth, UsageDelta, UsageTotal } from "./usage-table.ts";

/** Rows in one statement; SQLite and PostgreSQL limit parameters to some thousands. */
const BATCH = 500;

/** The query for an account's usage in a month (a label); no row if there is none. */
export function selectMonthlyUse(
  db: Kysely<Tables>,
  accountId: number,
  month: string,
): SelectQueryBuilder<Tables, "api_usage", Sum> {
  return db
    .selectFrom("api_usage")
    .select("used")
    .where("account_id", "=", accountId)
    .where("month", "=", month);
}

/** Adds counts to the database's, concurrently with other processes, and returns the sums in the order of `deltas`. */
export async function addUsage(
  db: Kysely<Tables>,
  deltas: readonly UsageDelta[],
  nowMs: number,
): Promise<UsageTotal[]> {
  const sums = new Map<string, Sum>();
  // The same order everywhere, so that processes that write the same rows cannot deadlock.
  const ordered = deltas.toSorted(
    (a, b) => a.accountId - b.accountId || a.month - b.month,
  );
  for (const batch of batches(ordered)) {
    const rows = await db
      .insertInto("api_usage")
      .values(
        batch.map(({ accountId, count, month }) => ({
          account_id: accountId,
          month: monthLabel(month),
          used: count,
          updated_at: nowMs,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(["account_id", "month"]).doUpdateSet((set) => ({
          used: set("api_usage.used", "+", set.ref("excluded.used")),
          updated_at: nowMs,
        })),
      )
      .returning(["account_id", "month", "used"])
      .execute();
    for (const row of rows) sums.set(`${row.account_id} ${row.month}`, row);
  }
  return deltas.map(({ accountId, month }) => {
    const sum = sums.get(`${accountId} ${monthLabel(month)}`);
    if (sum === undefined)
      throw new Error(`The database returned no sum for account ${accountId}`);
    return { accountId, month, used: sum.used };
  });
}

type Sum = Pick<UsageTotal, "used">;

/** The sums of accounts in months, in the order of `requested`; 0 for missing ones. */
export async function usageOf(
  db: Kysely<Tables>,
  requested: readonly AccountMonth[],
): Promise<UsageTotal[]> {
  const sums = new Map<string, Sum>();
  for (const batch of batches(requested)) {
    const rows = await db
      .selectFrom("api_usage")
      .select(["account_id", "month", "used"])
      .where(
        "account_id",
        "in",
        batch.map(({ accountId }) => accountId),
      )
      .execute();
    for (const row of rows) sums.set(`${row.account_id} ${row.month}`, row);
  }
  return requested.map(({ accountId, month }) => {
    const sum = sums.get(`${accountId} ${monthLabel(month)}`);
    return { accountId, month, used: sum?.used ?? 0 };
  });
}

/** The sums changed by any process at or after a time. */
export async function usageSince(
  db: Kysely<Tables>,
  sinceMs: number,
): Promise<UsageTotal[]> {
  const rows = await db
    .selectFrom("api_usage")
    .select(["account_id", "month", "used"])
    .where("updated_at", ">=", sinceMs)
    .where("account_id", ">", 0)
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    month: monthOfLabel(row.month),
    used: row.used,
  }));
}

/** Records when keys were last used; an earlier time never replaces a later one. */
export async function recordKeyUses(
  db: Kysely<Tables>,
  uses: readonly KeyUse[],
): Promise<void> {
  // The uses of a flush share a second or two, so any number of keys takes few statements.
  for (const [second, sameSecond] of Map.groupBy(uses, (use) => use.second)) {
    const usedAt = second * 1000;
    for (const batch of batches(sameSecond)) {
      await db
        .updateTable("api_key")
        .set({ last_used_at: usedAt })
        .where(
          "id",
          "in",
          batch.map((use) => use.keyId),
        )
        .where((where) =>
          where.or([
            where("last_used_at", "is", null),
            where("last_used_at", "<", usedAt),
          ]),
        )
        .execute();
    }
  }
}

/** Splits rows into parts that fit one statement. */
export function* batches<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += BATCH)
    yield rows.slice(start, start + BATCH);
}
