import { sql, type Kysely } from "kysely";
import type { Operation } from "../../contract/operation.ts";
import type { AccountsContext, Page } from "../context.ts";
import type { Tables } from "../database/tables.ts";
import { purgeKeyChanges } from "../keys/key-feed.ts";
import { monthAt, monthLabel } from "./month.ts";
import { selectMonthlyUse } from "./monthly-use.ts";

const DAY_MS = 86_400_000;
/** Full months for which hourly usage is kept, in addition to the current one. */
const MONTHS_KEPT = 13;
/** A process that has written nothing for this long has ended. */
const WRITER_KEPT_MS = 7 * DAY_MS;

/** Counted answers to a key on a day (UTC). */
export interface UsageOfDay {
  /** `2026-11-21` */
  readonly day: string;
  readonly keyId: number;
  readonly operation: Operation;
  readonly used: number;
}

/** Accounts' recorded usage. */
export class Usage {
  readonly #context: AccountsContext;

  constructor(context: AccountsContext) {
    this.#context = context;
  }

  /** Reads an account's use of the current month: answers, and what nodes have prepaid. */
  async thisMonth(accountId: number): Promise<number> {
    const { clock, db } = this.#context;
    const month = monthLabel(monthAt(clock()).number);
    const row = await selectMonthlyUse(db, accountId, month).executeTakeFirst();
    return row?.used ?? 0;
  }

  /** Sums an account's usage by day, key and operation since the day of a time, in that order: all of it, or a page. */
  async byDay(
    accountId: number,
    sinceMs: number,
    page: Page | null = null,
  ): Promise<UsageOfDay[]> {
    let query = sumsByDay(this.#context.db, accountId, sinceMs)
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

  /** Returns how many rows `byDay` has without a page. */
  async countDays(accountId: number, sinceMs: number): Promise<number> {
    const { db } = this.#context;
    const { count } = await db
      .selectFrom(sumsByDay(db, accountId, sinceMs).as("sums"))
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return count;
  }
}

/** Deletes hourly usage past its retention, and the batch numbers of ended processes. */
export async function purgeOldUsage(
  db: Kysely<Tables>,
  nowMs: number,
): Promise<void> {
  const { startMs } = monthAt(nowMs);
  const first = new Date(startMs);
  first.setUTCMonth(first.getUTCMonth() - MONTHS_KEPT);
  await db
    .deleteFrom("api_usage_hour")
    .where("hour", "<", first.getTime())
    .execute();
  await purgeKeyChanges(db);
  await db
    .deleteFrom("api_flush")
    .where("written_at", "<", nowMs - WRITER_KEPT_MS)
    .execute();
}

function sumsByDay(db: Kysely<Tables>, accountId: number, sinceMs: number) {
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
