import { sql, type Kysely, type Selectable } from "kysely";
import { anonymizeUsage } from "./anonymize-usage.ts";
import type { ApiAccountTable, Tables } from "../database/tables.ts";

/** An account as operators see it; times in epoch milliseconds. */
export interface Account {
  readonly id: number;
  readonly email: string;
  /** The plan's name. If it is no longer configured, the free plan's limits apply. */
  readonly plan: string;
  readonly createdAt: number;
  /** When the account was suspended; null if it is not. */
  readonly suspendedAt: number | null;
  /** The user whose account it is; null until a user has confirmed the address. */
  readonly userId: string | null;
}

/** The account of a normalized address. */
export function findAccount(
  db: Kysely<Tables>,
  email: string,
): Promise<Account | null> {
  return accountWhere(db, "email", email);
}

/** The account of an id; null if there is none, or no longer. */
export function readAccount(
  db: Kysely<Tables>,
  id: number,
): Promise<Account | null> {
  return accountWhere(db, "id", id);
}

/** The account of a user, by `user.id`. */
export function findAccountOfUser(
  db: Kysely<Tables>,
  userId: string,
): Promise<Account | null> {
  return accountWhere(db, "user_id", userId);
}

async function accountWhere(
  db: Kysely<Tables>,
  column: "email" | "id" | "user_id",
  value: string | number,
): Promise<Account | null> {
  const row = await db
    .selectFrom("api_account")
    .selectAll()
    .where(column, "=", value)
    .executeTakeFirst();
  return row === undefined ? null : accountOf(row);
}

/** Inserts an account for an address without one. `userId` is null if an operator creates it. */
export async function insertAccount(
  db: Kysely<Tables>,
  {
    email,
    nowMs,
    plan,
    userId = null,
  }: { email: string; plan: string; nowMs: number; userId?: string | null },
): Promise<Account> {
  return accountOf(
    await db
      .insertInto("api_account")
      .values({
        email,
        plan,
        created_at: nowMs,
        suspended_at: null,
        user_id: userId,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

/** Changes an account and returns the result. */
export async function updateAccount(
  db: Kysely<Tables>,
  id: number,
  change:
    { plan: string } | { suspended_at: number | null } | { user_id: string },
): Promise<Account> {
  return accountOf(
    await db
      .updateTable("api_account")
      .set(change)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

/** An account with its recorded usage in a month (a label). */
export interface AccountUse {
  readonly account: Account;
  readonly used: number;
}

/** All accounts, by address. */
export async function listAccounts(
  db: Kysely<Tables>,
  month: string,
): Promise<AccountUse[]> {
  const rows = await db
    .selectFrom("api_account")
    .leftJoin("api_usage", (join) =>
      join
        .onRef("api_usage.account_id", "=", "api_account.id")
        .on("api_usage.month", "=", month),
    )
    .selectAll("api_account")
    .select("api_usage.used")
    .orderBy("api_account.email")
    .execute();
  return rows.map((row) => ({
    account: accountOf(row),
    used: row.used ?? 0,
  }));
}

/** Deletes an account, its keys and its user. Its usage is added to the anonymous sums of deleted accounts. */
export async function deleteAccount(
  db: Kysely<Tables>,
  id: number,
  nowMs: number,
): Promise<void> {
  await anonymizeUsage(db, nowMs, id);
  await db.deleteFrom("api_key").where("account_id", "=", id).execute();
  await db
    .deleteFrom("api_subscription")
    .where("account_id", "=", id)
    .execute();
  await db
    .deleteFrom("api_billing_customer")
    .where("account_id", "=", id)
    .execute();
  await deleteUsersOf(db, id);
  await db.deleteFrom("api_account").where("id", "=", id).execute();
}

/** Deletes the users who signed up with an account's address, with their sessions and mailed links. */
async function deleteUsersOf(
  db: Kysely<Tables>,
  accountId: number,
): Promise<void> {
  const users = await db
    .selectFrom("user")
    .innerJoin("api_account", (join) =>
      join.on((on) =>
        on.or([
          on("user.id", "=", on.ref("api_account.user_id")),
          on("user.email", "=", on.ref("api_account.email")),
        ]),
      ),
    )
    .select("user.id")
    .where("api_account.id", "=", accountId)
    .execute();
  for (const { id } of users) await deleteUser(db, id);
}

/** Deletes a user (`user.id`) with all sessions and mailed links. */
export async function deleteUser(
  db: Kysely<Tables>,
  userId: string,
): Promise<void> {
  await forgetLinks(db, userId);
  await db.deleteFrom("user").where("id", "=", userId).execute();
}

/** Voids the reset links mailed to a user (`user.id`). */
export async function forgetLinks(
  db: Kysely<Tables>,
  userId: string,
): Promise<void> {
  await db.deleteFrom("verification").where("value", "=", userId).execute();
}

/** A user who has not confirmed the address, and so has no account yet. */
export interface UnconfirmedUser {
  /** `user.id`. */
  readonly userId: string;
  readonly email: string;
  /** Epoch milliseconds. */
  readonly signedUpAt: number;
}

/** The user who signed up with a normalized address and has not confirmed it; null without one. */
export async function findUnconfirmed(
  db: Kysely<Tables>,
  email: string,
): Promise<UnconfirmedUser | null> {
  const found = await db
    .selectFrom("user")
    .select(["id", "createdAt", "emailVerified"])
    .where("email", "=", email)
    .executeTakeFirst();
  if (found === undefined || Boolean(found.emailVerified)) return null;
  const signedUpAt = new Date(found.createdAt).getTime();
  return { userId: found.id, email, signedUpAt };
}

/** Confirms a user's address. False if it was confirmed before: of requests at the same time, one confirms it. */
export async function confirmAddress(
  db: Kysely<Tables>,
  userId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("user")
    .set({ emailVerified: sql.lit(true) })
    .where("id", "=", userId)
    .where("emailVerified", "=", sql.lit(false))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The names of all plans in use. */
export async function plansInUse(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db
    .selectFrom("api_account")
    .select("plan")
    .distinct()
    .orderBy("plan")
    .execute();
  return rows.map((row) => row.plan);
}

function accountOf(row: Selectable<ApiAccountTable>): Account {
  return {
    id: row.id,
    email: row.email,
    plan: row.plan,
    createdAt: row.created_at,
    suspendedAt: row.suspended_at,
    userId: row.user_id,
  };
}
