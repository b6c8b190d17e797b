import { sql, type Kysely, type Selection } from "kysely";
import type { Tables } from "../database/tables.ts";

export const ACCOUNT_COLUMNS = [
  "id",
  "email",
  "plan",
  "created_at as createdAt",
  "suspended_at as suspendedAt",
  "user_id as userId",
] as const;

/** An account as operators see it; times in epoch milliseconds. */
export type Account = Readonly<
  Selection<Tables, "api_account", (typeof ACCOUNT_COLUMNS)[number]>
>;

/** Finds the account of an id, a normalized address or a user (`user.id`); null if there is none, or no longer. */
export async function findAccount(
  db: Kysely<Tables>,
  by: { id: number } | { email: string } | { user_id: string },
): Promise<Account | null> {
  const row = await db
    .selectFrom("api_account")
    .select(ACCOUNT_COLUMNS)
    .where((where) => where.and(by))
    .executeTakeFirst();
  return row === undefined ? null : accountOf(row);
}

/** Changes an account and returns the result. */
export async function updateAccount(
  db: Kysely<Tables>,
  id: number,
  change:
    | { plan: string }
    | { suspended_at: number | null }
    | { user_id: string }
    | { email: string },
): Promise<Account> {
  const row = await db
    .updateTable("api_account")
    .set(change)
    .where("id", "=", id)
    .returning(ACCOUNT_COLUMNS)
    .executeTakeFirstOrThrow();
  return accountOf(row);
}

/** Copies a row, because Node's SQLite makes objects without a prototype. */
export function accountOf(row: Account): Account {
  return { ...row };
}

/** Voids the links mailed to a user (`user.id`) for a new password or address. */
export async function forgetLinks(
  db: Kysely<Tables>,
  userId: string,
): Promise<void> {
  await db.deleteFrom("verification").where("value", "=", userId).execute();
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
