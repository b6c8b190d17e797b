import type { Kysely, Selectable } from "kysely";
import { anonymizeUsage } from "./anonymize-usage.ts";
import type { ApiAccountTable, Tables } from "../database/tables.ts";

/** An account as operators see it; times in epoch milliseconds. */
export interface Account {
  readonly id: number;
  readonly email: string;
  /** The plan's name; where configuration no longer has it, the free plan's limits hold. */
  readonly plan: string;
  readonly createdAt: number;
  /** Since when the account is suspended, null if it is not. */
  readonly suspendedAt: number | null;
  /** The person whose account it is; null until somebody has proved to own the address. */
  readonly userId: string | null;
}

/** The account of a normalized address. */
export function findAccount(
  db: Kysely<Tables>,
  email: string,
): Promise<Account | null> {
  return accountWhere(db, "email", email);
}

/** The account of a number, null when it is not there, or no longer. */
export function readAccount(
  db: Kysely<Tables>,
  id: number,
): Promise<Account | null> {
  return accountWhere(db, "id", id);
}

/** The account of a person, by `user.id`. */
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

/** A new account, for an address that has none; the person is null when an operator makes it. */
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

/** Changes an account and returns it as it is then. */
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

/** An account with what it used in a month (a label), as far as it is written down. */
export interface AccountUse {
  readonly account: Account;
  readonly used: number;
  /** Pages of the explorer. */
  readonly viewed: number;
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
    .select(["api_usage.used", "api_usage.viewed"])
    .orderBy("api_account.email")
    .execute();
  return rows.map((row) => ({
    account: accountOf(row),
    used: row.used ?? 0,
    viewed: row.viewed ?? 0,
  }));
}

/** Removes an account, its keys and its person. What the keys used is added to the anonymous sums of deleted accounts. */
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

/** Removes the people who signed up with an account's address, with all sessions and what was mailed. */
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

/** Removes a person (`user.id`) with all sessions and what was mailed. */
export async function deleteUser(
  db: Kysely<Tables>,
  userId: string,
): Promise<void> {
  await forgetLinks(db, userId);
  await db.deleteFrom("user").where("id", "=", userId).execute();
}

/** Makes the links void that a person (`user.id`) was mailed for a new password. */
export async function forgetLinks(
  db: Kysely<Tables>,
  userId: string,
): Promise<void> {
  await db.deleteFrom("verification").where("value", "=", userId).execute();
}

/** Somebody who signed up and has not proved to own the address; there is no account for that yet. */
export interface UnconfirmedUser {
  /** `user.id`. */
  readonly userId: string;
  readonly email: string;
  /** Epoch milliseconds. */
  readonly signedUpAt: number;
}

/** The person who signed up with a normalized address and has not confirmed it; null if there is none. */
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

/** The names of the plans that accounts have. */
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
