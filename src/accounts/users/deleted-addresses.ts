import { createHmac } from "node:crypto";
import type { Kysely, Selectable } from "kysely";
import { updateAccount, type Account } from "./account-store.ts";
import { installationSecret } from "../installation-secret.ts";
import { audit } from "../audit.ts";
import type { AccountsContext } from "../context.ts";
import { monthAt, monthLabel } from "../metering/month.ts";
import { anonymizeUsage } from "./anonymize-usage.ts";
import type { ApiDeletedAddressTable, Tables } from "../database/tables.ts";
import { selectMonthlyUse } from "../metering/monthly-use.ts";

/** The time that a suspension outlives its account, in milliseconds: a year. */
export const SUSPENSION_KEPT_MS = 365 * 86_400_000;

/**
 * The time by which usage may arrive late for a deleted account: keys work on for seconds, and usage is written each
 * second.
 */
const LATE_MS = 3_600_000;

/**
 * The remains of a deleted account: its address as a keyed hash, and what the next account of that address takes over,
 * in the current month.
 */
export type DeletedAddress = Readonly<Selectable<ApiDeletedAddressTable>>;

/** Finds what is kept of the deleted account of a normalized address; null if nothing is. */
export async function findDeletedAddress(
  context: AccountsContext,
  db: Kysely<Tables>,
  email: string,
): Promise<DeletedAddress | null> {
  return readKept(context, db, await hashOf(context, db, email));
}

/** Keeps what must outlive an account that is about to be deleted. */
export function keepDeletedAddress(
  context: AccountsContext,
  db: Kysely<Tables>,
  account: Account,
): Promise<void> {
  return keep(context, db, account, account.id);
}

/** Keeps the usage of an account that is about to get another address: the next account of this one takes it over. */
export function keepLeftAddress(
  context: AccountsContext,
  db: Kysely<Tables>,
  account: Account,
): Promise<void> {
  return keep(context, db, account, null);
}

async function keep(
  context: AccountsContext,
  db: Kysely<Tables>,
  { email, id, suspendedAt }: Account,
  /** The account, if late usage must be collected from it. */
  lateOf: number | null,
): Promise<void> {
  const address = await hashOf(context, db, email);
  const before = await readKept(context, db, address);
  const month = thisMonth(context);
  const use = await selectMonthlyUse(db, id, month).executeTakeFirst();
  await writeKept(db, {
    address,
    deleted_at: context.clock(),
    month,
    used: (before?.used ?? 0) + (use?.used ?? 0),
    viewed: 0,
    suspended_at: suspendedAt,
    late_of: lateOf ?? before?.late_of ?? null,
  });
}

/**
 * Gives an account that is new, or new at its address, what was kept of the previous one, and returns the result. If
 * both have usage, the larger counts: an account that returns to an address has kept its own.
 */
export async function restoreDeletedAddress(
  context: AccountsContext,
  db: Kysely<Tables>,
  account: Account,
): Promise<Account> {
  const kept = await findDeletedAddress(context, db, account.email);
  if (kept === null) return account;
  const { month, suspended_at, used } = kept;
  const own = await selectMonthlyUse(db, account.id, month).executeTakeFirst();
  if (used > (own?.used ?? 0))
    await db
      .insertInto("api_usage")
      .values({
        account_id: account.id,
        month,
        used,
        updated_at: context.clock(),
      })
      .onConflict((conflict) =>
        conflict
          .columns(["account_id", "month"])
          .doUpdateSet({ used, updated_at: context.clock() }),
      )
      .execute();
  // The next clean-up deletes the row. Until then late usage is added to it, and counts for the new account.
  await writeKept(db, { ...kept, used: 0, suspended_at: null });
  if (suspended_at === null) return account;
  const detail = "since before it was deleted";
  await audit(context, db, "account_suspended", account.id, detail);
  return updateAccount(db, account.id, { suspended_at });
}

/** Suspends or resumes the next account of an address whose account was deleted. False if nothing is kept. */
export async function suspendDeletedAddress(
  context: AccountsContext,
  db: Kysely<Tables>,
  email: string,
  suspendedAt: number | null,
): Promise<boolean> {
  const kept = await findDeletedAddress(context, db, email);
  if (kept === null || (kept.suspended_at === null && suspendedAt === null))
    return false;
  await writeKept(db, { ...kept, suspended_at: suspendedAt });
  const action = suspendedAt === null ? "account_resumed" : "account_suspended";
  await audit(context, db, action, null, "a deleted account");
  return true;
}

/** Collects late usage, and deletes what is past its retention: usage after its month, a suspension after a year. */
export async function purgeDeletedAddresses(
  context: AccountsContext,
  db: Kysely<Tables>,
  nowMs: number,
): Promise<void> {
  const late = await db
    .selectFrom("api_deleted_address")
    .select("address")
    .where("late_of", "is not", null)
    .execute();
  for (const { address } of late) await readKept(context, db, address);
  const all = () => db.updateTable("api_deleted_address");
  await all()
    .set({ late_of: null })
    .where("deleted_at", "<", nowMs - LATE_MS)
    .execute();
  await all()
    .set({ used: 0 })
    .where("month", "!=", thisMonth(context))
    .execute();
  await all()
    .set({ suspended_at: null })
    .where("deleted_at", "<", nowMs - SUSPENSION_KEPT_MS)
    .execute();
  await db
    .deleteFrom("api_deleted_address")
    .where("used", "=", 0)
    .where("suspended_at", "is", null)
    .where("late_of", "is", null)
    .execute();
}

/** Reads a row for the current month, with late usage of its account. */
async function readKept(
  context: AccountsContext,
  db: Kysely<Tables>,
  address: string,
): Promise<DeletedAddress | null> {
  const row = await db
    .selectFrom("api_deleted_address")
    .selectAll()
    .where("address", "=", address)
    .executeTakeFirst();
  if (row === undefined) return null;
  const month = thisMonth(context);
  const suspensionEnds = row.deleted_at + SUSPENSION_KEPT_MS;
  const kept = {
    ...row,
    month,
    used: row.month === month ? row.used : 0,
    viewed: 0,
    suspended_at: context.clock() < suspensionEnds ? row.suspended_at : null,
  };
  if (kept.late_of === null) return kept;
  const late = await selectMonthlyUse(
    db,
    kept.late_of,
    month,
  ).executeTakeFirst();
  if (late === undefined) return kept;
  await anonymizeUsage(db, context.clock(), kept.late_of);
  const whole = { ...kept, used: kept.used + late.used };
  await writeKept(db, whole);
  return whole;
}

async function writeKept(
  db: Kysely<Tables>,
  row: DeletedAddress,
): Promise<void> {
  const { address: _address, ...changing } = row;
  await db
    .insertInto("api_deleted_address")
    .values(row)
    .onConflict((conflict) => conflict.column("address").doUpdateSet(changing))
    .execute();
}

/** Returns a hash by which only this installation can recognize an address. */
async function hashOf(
  { random }: AccountsContext,
  db: Kysely<Tables>,
  email: string,
): Promise<string> {
  const secret = await installationSecret(db, "deleted_addresses", random);
  return createHmac("sha256", secret).update(email).digest("base64url");
}

function thisMonth({ clock }: AccountsContext): string {
  return monthLabel(monthAt(clock()).number);
}
