import type { Kysely, Selectable } from "kysely";
import type { ApiAccountTable, Tables } from "./tables.ts";

/** An account as operators see it; times in epoch milliseconds. */
export interface Account {
  readonly id: number;
  readonly email: string;
  /** The plan's name; where configuration no longer has it, the free plan's limits hold. */
  readonly plan: string;
  readonly createdAt: number;
  /** Since when the account is suspended, null if it is not. */
  readonly suspendedAt: number | null;
}

/** The account of a normalized address. */
export async function findAccount(
  db: Kysely<Tables>,
  email: string,
): Promise<Account | null> {
  const row = await db
    .selectFrom("api_account")
    .selectAll()
    .where("email", "=", email)
    .executeTakeFirst();
  return row === undefined ? null : accountOf(row);
}

/** A new account, or null when the address has one. */
export async function insertAccount(
  db: Kysely<Tables>,
  { email, plan, nowMs }: { email: string; plan: string; nowMs: number },
): Promise<Account | null> {
  const row = await db
    .insertInto("api_account")
    .values({ email, plan, created_at: nowMs, suspended_at: null })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : accountOf(row);
}

/** Changes an account and returns it as it is then; null when the address has none. */
export async function updateAccount(
  db: Kysely<Tables>,
  email: string,
  change: { plan: string } | { suspended_at: number | null },
): Promise<Account | null> {
  const row = await db
    .updateTable("api_account")
    .set(change)
    .where("email", "=", email)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : accountOf(row);
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
  };
}
