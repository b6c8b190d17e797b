import type { Kysely } from "kysely";
import { addKeyParts, type KeyPart } from "./key-parts.ts";
import type { KeyUse } from "./key-uses.ts";
import { monthAt } from "./month.ts";
import type { Tables } from "../database/tables.ts";
import { transactBesideOthers } from "../database/transact.ts";
import { addUsage, recordKeyUses, usageOf, usageSince } from "./usage-store.ts";
import type { UsageDelta, UsageTotal } from "./usage-table.ts";

/** Full months for which use by hour is kept, besides the one that runs. */
const MONTHS_KEPT = 13;
/** A process that wrote nothing for so long has ended, in milliseconds. */
const WRITER_KEPT_MS = 7 * 86_400_000;

/** What a process counted and has not written yet. */
export interface UsageBatch {
  /** Names the process; another one each time it starts. */
  readonly writer: string;
  /** Counts the batches of the process, from 1. The same batch has the same number, however often it is tried. */
  readonly number: number;
  readonly deltas: readonly UsageDelta[];
  readonly uses: readonly KeyUse[];
  readonly parts: readonly KeyPart[];
}

export interface WrittenUsage {
  /** The sums that the deltas led to, in their order. */
  readonly totals: readonly UsageTotal[];
  /** The sums that anybody changed since the moment that was asked about. */
  readonly recent: readonly UsageTotal[];
}

/**
 * Writes a batch in one transaction, unless it is written already: a connection that is lost at the commit leaves open
 * whether it took place, and then the batch is given again.
 */
export async function recordUsage(
  whole: Kysely<Tables>,
  batch: UsageBatch,
  { nowMs, sinceMs }: { nowMs: number; sinceMs: number },
): Promise<WrittenUsage> {
  const { deltas, parts, uses } = batch;
  if (deltas.length + parts.length + uses.length === 0)
    return { totals: [], recent: await usageSince(whole, sinceMs) };
  return transactBesideOthers(whole, async (db) => {
    const isNew = await claimNumber(db, batch, nowMs);
    const totals = isNew
      ? await addUsage(db, deltas, nowMs)
      : await usageOf(db, deltas);
    if (isNew) {
      await addKeyParts(db, parts);
      await recordKeyUses(db, uses);
    }
    return { totals, recent: await usageSince(db, sinceMs) };
  });
}

/** Removes use by hour that is older than is kept, and the numbers of processes that have ended. */
export async function forgetOldUsage(
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
  await db
    .deleteFrom("api_flush")
    .where("written_at", "<", nowMs - WRITER_KEPT_MS)
    .execute();
}

/** Takes a batch's number; false when it, and so the batch, is there. */
async function claimNumber(
  db: Kysely<Tables>,
  { number, writer }: UsageBatch,
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
