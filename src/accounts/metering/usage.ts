import { sql, type Kysely } from "kysely";
import type { Operation } from "../../contract/operation.ts";
import type { AccountsContext, Page } from "../context.ts";
import type { Tables } from "../database/tables.ts";
import { isPostgresql } from "../database/dialect.ts";
import { transactConcurrently } from "../database/transact.ts";
import { purgeKeyChanges } from "../keys/key-feed.ts";
import { purgeLeases } from "../leases/lease-store.ts";
import { addKeyParts } from "./key-parts.ts";
import { monthAt, monthLabel } from "./month.ts";
import { recordUsage, type UsageBatch } from "./record-usage.ts";
import {
  addUsage,
  recordKeyUses,
  selectMonthlyUse,
  usageOf,
  usageSince,
} from "./usage-store.ts";
import type { UsageTotal } from "./usage-table.ts";

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

export interface WrittenUsage {
  /** The sums after the deltas, in their order; null for accounts that were locked, whose deltas are not written. */
  readonly totals: readonly (UsageTotal | null)[];
  /** The sums changed by any process since the requested time; none on PostgreSQL. */
  readonly recent: readonly UsageTotal[];
}

interface RecordTimes {
  readonly nowMs: number;
  /** Since when the sums that any process changed are returned, from a file; null for none. */
  readonly sinceMs: number | null;
}

/** Accounts' recorded usage. */
export class Usage {
  readonly #context: AccountsContext;

  constructor(context: AccountsContext) {
    this.#context = context;
  }

  /** An account's usage in the current month. */
  async thisMonth(accountId: number): Promise<{ readonly used: number }> {
    const { clock, db } = this.#context;
    const month = monthLabel(monthAt(clock()).number);
    const row = await selectMonthlyUse(db, accountId, month).executeTakeFirst();
    return row ?? { used: 0 };
  }

  /** An account's usage by day, key and operation since the day of a time, in that order: all of it, or a page. */
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

  /** How many rows `byDay` has without a page. */
  async countDays(accountId: number, sinceMs: number): Promise<number> {
    const { db } = this.#context;
    const { count } = await db
      .selectFrom(sumsByDay(db, accountId, sinceMs).as("sums"))
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return count;
  }

  /**
   * Writes a batch in one transaction, on PostgreSQL in one statement, unless it is already written: if the connection
   * is lost at the commit, its result is unknown, and the batch is sent again.
   */
  async record(
    batch: UsageBatch,
    { nowMs, sinceMs }: RecordTimes,
  ): Promise<WrittenUsage> {
    const whole = this.#context.db;
    const { deltas, parts, uses } = batch;
    const isEmpty = deltas.length + parts.length + uses.length === 0;
    if (isPostgresql(whole)) {
      const totals = isEmpty ? [] : await recordUsage(whole, batch, nowMs);
      return { totals, recent: [] };
    }
    const recentOf = async (db: Kysely<Tables>) =>
      sinceMs === null ? [] : usageSince(db, sinceMs);
    if (isEmpty) return { totals: [], recent: await recentOf(whole) };
    return transactConcurrently(whole, async (db) => {
      const isNew = await claimNumber(db, batch, nowMs);
      const totals = isNew
        ? await addUsage(db, deltas, nowMs)
        : await usageOf(db, deltas);
      if (isNew) {
        await addKeyParts(db, parts);
        await recordKeyUses(db, uses);
      }
      return { totals, recent: await recentOf(db) };
    });
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
  if (isPostgresql(db)) {
    await purgeLeases(db, monthAt(nowMs).number - 1);
    await purgeKeyChanges(db);
  }
  await db
    .deleteFrom("api_flush")
    .where("written_at", "<", nowMs - WRITER_KEPT_MS)
    .execute();
}

/** Records a batch's number; false if it, and so the batch, is already written. */
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

/** Whether a number was claimed, or a later one. */
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
