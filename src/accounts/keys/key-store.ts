import type { Kysely } from "kysely";
import {
  displayParts,
  generateKey,
  hashKey,
  stateOf,
  type KeyState,
  type Random,
} from "./api-key.ts";
import type { KeySelector } from "./key-selector.ts";
import { monthAt } from "../metering/month.ts";
import { anonymizeKeyUsage } from "../users/anonymize-usage.ts";
import type { Page } from "../context.ts";
import type { Tables } from "../database/tables.ts";

/** A stored key as lists show it; times in epoch milliseconds. */
export interface KeyRecord {
  readonly id: number;
  readonly accountId: number;
  readonly email: string;
  readonly plan: string;
  readonly accountSuspended: boolean;
  /** The first 12 characters of the key, and the last four. */
  readonly prefix: string;
  readonly lastFour: string;
  /** What its owner calls it; may be empty. */
  readonly name: string;
  readonly state: KeyState;
  readonly createdAt: number;
  /** When it ends or ended: by its owner's choice, or after the overlap of a rotation. */
  readonly expiresAt: number | null;
  /** The lifetime its owner chose, in milliseconds; null for a key without an end. */
  readonly lifetimeMs: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
  /** Recorded answers in the current month. */
  readonly usedThisMonth: number;
}

/** The columns that decide whether a key works. */
export interface KeyRow {
  id: number;
  account_id: number;
  plan: string;
  suspended_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
}

/** A key as lists show it: enough to select it, too little to use it. */
export function shownKey({
  lastFour,
  prefix,
}: Pick<KeyRecord, "prefix" | "lastFour">): string {
  return `${prefix}...${lastFour}`;
}

/** Keys with the same display prefix differ only in their last four, so a new key tries to avoid that. */
const PREFIX_ATTEMPTS = 5;

/** SQLite and PostgreSQL limit the parameters of a statement to some thousands. */
const DELETED_AT_ONCE = 500;

/** Creates a key for an account. The key itself is only in the result. */
export async function insertKey(
  db: Kysely<Tables>,
  accountId: number,
  {
    lifetimeMs,
    name,
    nowMs,
    random,
  }: { name: string; lifetimeMs: number | null; random: Random; nowMs: number },
): Promise<{ key: string; record: KeyRecord }> {
  const key = await drawKey(db, random);
  const { prefix, lastFour } = displayParts(key);
  const { id } = await db
    .insertInto("api_key")
    .values({
      account_id: accountId,
      hash: hashKey(key),
      prefix,
      last_four: lastFour,
      name,
      created_at: nowMs,
      expires_at: lifetimeMs === null ? null : nowMs + lifetimeMs,
      lifetime_ms: lifetimeMs,
      end_told_at: null,
      revoked_at: null,
      last_used_at: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { key, record: await keyById(db, id, nowMs) };
}

/** The keys of one account, or of all, oldest first; all of them, or a page. */
export async function listKeys(
  db: Kysely<Tables>,
  accountId: number | null,
  nowMs: number,
  page: Page | null = null,
): Promise<KeyRecord[]> {
  let query = records(db, nowMs)
    .orderBy("api_key.created_at")
    .orderBy("api_key.id");
  if (accountId !== null)
    query = query.where("api_key.account_id", "=", accountId);
  if (page !== null) query = query.limit(page.limit).offset(page.offset);
  return (await query.execute()).map((row) => recordOf(row, nowMs));
}

/** How many keys an account has, including ended ones. */
export async function countKeys(
  db: Kysely<Tables>,
  accountId: number,
): Promise<number> {
  const { count } = await db
    .selectFrom("api_key")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes the keys of an account that ended first, until `most` are left; their usage stays in the sums. */
export async function purgeSurplusKeys(
  db: Kysely<Tables>,
  accountId: number,
  most: number,
  nowMs: number,
): Promise<void> {
  const surplus = (await countKeys(db, accountId)) - most;
  if (surplus <= 0) return;
  const rows = await db
    .selectFrom("api_key")
    .select("id")
    .where("account_id", "=", accountId)
    .where((where) =>
      where.or([
        where("revoked_at", "is not", null),
        where("expires_at", "<=", nowMs),
      ]),
    )
    .orderBy(({ fn }) => fn.coalesce("revoked_at", "expires_at"))
    .orderBy("id")
    .limit(surplus)
    .execute();
  for (let start = 0; start < rows.length; start += DELETED_AT_ONCE) {
    const ids = rows.slice(start, start + DELETED_AT_ONCE).map(({ id }) => id);
    await anonymizeKeyUsage(db, ids);
    await db.deleteFrom("api_key").where("id", "in", ids).execute();
  }
}

/** The keys that match a selector, of one account or of all, oldest first. */
export async function selectKeys(
  db: Kysely<Tables>,
  selector: KeySelector,
  accountId: number | null,
  nowMs: number,
): Promise<KeyRecord[]> {
  if (selector.by === "nothing") return [];
  let query = records(db, nowMs)
    .orderBy("api_key.created_at")
    .orderBy("api_key.id");
  if (accountId !== null)
    query = query.where("api_key.account_id", "=", accountId);
  if (selector.by === "id") {
    query = query.where("api_key.id", "=", selector.id);
  } else if (selector.by === "hash") {
    query = query.where("api_key.hash", "=", selector.hash);
  } else {
    query = query.where("api_key.prefix", "=", selector.prefix);
    if (selector.lastFour !== null)
      query = query.where("api_key.last_four", "=", selector.lastFour);
  }
  const rows = await query.execute();
  return rows.map((row) => recordOf(row, nowMs));
}

/** Ends a key, now (`revoked_at`) or later (`expires_at`), and returns the result. */
export async function endKey(
  db: Kysely<Tables>,
  id: number,
  change: { revoked_at: number } | { expires_at: number; end_told_at: number },
  nowMs: number,
): Promise<KeyRecord> {
  await db.updateTable("api_key").set(change).where("id", "=", id).execute();
  return keyById(db, id, nowMs);
}

/** Deletes a key that was never delivered. */
export async function deleteKey(db: Kysely<Tables>, id: number): Promise<void> {
  await db.deleteFrom("api_key").where("id", "=", id).execute();
}

/** Restores a key's earlier end. */
export async function restoreKey(
  db: Kysely<Tables>,
  { expiresAt, id, revokedAt }: KeyRecord,
): Promise<void> {
  await db
    .updateTable("api_key")
    .set({ expires_at: expiresAt, revoked_at: revokedAt, end_told_at: null })
    .where("id", "=", id)
    .execute();
}

/** How many active keys an account has. */
export async function countActiveKeys(
  db: Kysely<Tables>,
  accountId: number,
  nowMs: number,
): Promise<number> {
  const { count } = await db
    .selectFrom("api_key")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .where((where) =>
      where.or([
        where("expires_at", "is", null),
        where("expires_at", ">", nowMs),
      ]),
    )
    .executeTakeFirstOrThrow();
  return count;
}

async function drawKey(db: Kysely<Tables>, random: Random): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const key = generateKey(random);
    const { prefix } = displayParts(key);
    const same = await db
      .selectFrom("api_key")
      .select("id")
      .where("prefix", "=", prefix)
      .executeTakeFirst();
    if (same === undefined || attempt === PREFIX_ATTEMPTS) return key;
  }
}

async function keyById(
  db: Kysely<Tables>,
  id: number,
  nowMs: number,
): Promise<KeyRecord> {
  return recordOf(
    await records(db, nowMs)
      .where("api_key.id", "=", id)
      .executeTakeFirstOrThrow(),
    nowMs,
  );
}

function records(db: Kysely<Tables>, nowMs: number) {
  const month = monthAt(nowMs);
  return db
    .selectFrom("api_key")
    .innerJoin("api_account", "api_account.id", "api_key.account_id")
    .select([
      "api_key.id",
      "api_key.account_id",
      "api_key.prefix",
      "api_key.last_four",
      "api_key.name",
      "api_key.created_at",
      "api_key.expires_at",
      "api_key.lifetime_ms",
      "api_key.revoked_at",
      "api_key.last_used_at",
      "api_account.email",
      "api_account.plan",
      "api_account.suspended_at",
    ])
    .select((select) =>
      select
        .selectFrom("api_usage_hour")
        .select(({ fn }) => fn.sum<number | null>("used").as("used"))
        .whereRef("api_usage_hour.key_id", "=", "api_key.id")
        .where("api_usage_hour.hour", ">=", month.startMs)
        .where("api_usage_hour.hour", "<", month.endMs)
        .as("used_this_month"),
    );
}

type RecordRow = Awaited<
  ReturnType<ReturnType<typeof records>["execute"]>
>[number];

function recordOf(row: RecordRow, nowMs: number): KeyRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    email: row.email,
    plan: row.plan,
    accountSuspended: row.suspended_at !== null,
    prefix: row.prefix,
    lastFour: row.last_four,
    name: row.name,
    state: stateOf(row.revoked_at, row.expires_at, nowMs),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lifetimeMs: row.lifetime_ms,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    usedThisMonth: row.used_this_month ?? 0,
  };
}
