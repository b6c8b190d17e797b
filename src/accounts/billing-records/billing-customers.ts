import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";

/** The customer (`cus_…`) of an account, null for one that never began to pay. */
export async function customerOfAccount(
  db: Kysely<Tables>,
  accountId: number,
): Promise<string | null> {
  const row = await db
    .selectFrom("api_billing_customer")
    .select("customer_id")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row?.customer_id ?? null;
}

/** The account of a customer, null for a customer whom this installation does not know. */
export async function accountOfCustomer(
  db: Kysely<Tables>,
  customerId: string,
): Promise<number | null> {
  const row = await db
    .selectFrom("api_billing_customer")
    .select("account_id")
    .where("customer_id", "=", customerId)
    .executeTakeFirst();
  return row?.account_id ?? null;
}

/** Notes an account's customer; an account that has one keeps it. */
export async function insertCustomer(
  db: Kysely<Tables>,
  row: { accountId: number; customerId: string; nowMs: number },
): Promise<void> {
  await db
    .insertInto("api_billing_customer")
    .values({
      account_id: row.accountId,
      customer_id: row.customerId,
      created_at: row.nowMs,
    })
    .onConflict((conflict) => conflict.column("account_id").doNothing())
    .execute();
}

/** Forgets a customer who is no longer there. */
export async function deleteCustomer(
  db: Kysely<Tables>,
  customerId: string,
): Promise<void> {
  await db
    .deleteFrom("api_billing_customer")
    .where("customer_id", "=", customerId)
    .execute();
}
