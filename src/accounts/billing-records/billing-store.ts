import type { Kysely, Selectable } from "kysely";
import type { ApiSubscriptionTable, Tables } from "../database/tables.ts";

/** A subscription as recorded; times in epoch milliseconds. */
export interface Subscription {
  /** `sub_…`. */
  readonly id: string;
  readonly accountId: number;
  /** Stripe's status: `active`, `past_due`, `canceled` … */
  readonly status: string;
  /** Whether it keeps its plan in force. */
  readonly runs: boolean;
  /** `price_…`; null if Stripe no longer knows it. */
  readonly priceId: string | null;
  /** The plan that it gives the account; null while it gives none. */
  readonly grantedPlan: string | null;
  /** When the current period ends. */
  readonly periodEnd: number | null;
  /** When it ends because its owner cancelled; null if it renews. */
  readonly endsAt: number | null;
}

/** The subscriptions of an account, last changed first. */
export async function listSubscriptions(
  db: Kysely<Tables>,
  accountId: number,
): Promise<Subscription[]> {
  const rows = await db
    .selectFrom("api_subscription")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("event_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map(subscriptionOf);
}

/** The subscription that keeps an account's plan in force; null without one. */
export async function runningSubscription(
  db: Kysely<Tables>,
  accountId: number,
): Promise<Subscription | null> {
  const all = await listSubscriptions(db, accountId);
  return all.find(({ runs }) => runs) ?? null;
}

/** The row of a subscription; null if it is new. */
export async function readSubscription(
  db: Kysely<Tables>,
  id: string,
): Promise<Selectable<ApiSubscriptionTable> | null> {
  const row = await db
    .selectFrom("api_subscription")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** Inserts or updates a subscription's row. */
export async function writeSubscription(
  db: Kysely<Tables>,
  row: Selectable<ApiSubscriptionTable>,
): Promise<void> {
  const { account_id: _account, id: _id, ...changing } = row;
  await db
    .insertInto("api_subscription")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changing))
    .execute();
}

function subscriptionOf(row: Selectable<ApiSubscriptionTable>): Subscription {
  return {
    id: row.id,
    accountId: row.account_id,
    status: row.status,
    runs: planEffectOf(row.status) === "runs",
    priceId: row.price_id,
    grantedPlan: row.granted_plan,
    periodEnd: row.period_end,
    endsAt: row.ends_at,
  };
}

/** What a subscription's status means for the plan of its account. */
export type PlanEffect =
  /** The plan is in force, also while a failed payment is retried. */
  | "runs"
  /** The account falls back to the free plan. */
  | "ended"
  /** Nothing changes: the first payment is still missing, or the status is unknown. */
  | "undecided";

/** Stripe's statuses (API reference, "The Subscription object"). */
const PLAN_EFFECTS: Readonly<Record<string, PlanEffect>> = {
  active: "runs",
  trialing: "runs",
  past_due: "runs",
  unpaid: "ended",
  canceled: "ended",
  incomplete_expired: "ended",
  // A trial that ended without a way to pay: nothing is billed.
  paused: "ended",
  incomplete: "undecided",
};

/** The statuses of a subscription that keeps its plan. */
export const RUNNING: readonly string[] = Object.keys(PLAN_EFFECTS).filter(
  (status) => PLAN_EFFECTS[status] === "runs",
);

/** What a status means for the plan. */
export function planEffectOf(status: string): PlanEffect {
  return Object.hasOwn(PLAN_EFFECTS, status)
    ? (PLAN_EFFECTS[status] ?? "undecided")
    : "undecided";
}

/** The customer (`cus_…`) of an account; null if it has never paid. */
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

/** The account id of a customer; null if the customer is not of this installation. */
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

/** Records an account's customer; an account that has one keeps it. */
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

/** Forgets a customer who no longer exists. */
export async function deleteCustomer(
  db: Kysely<Tables>,
  customerId: string,
): Promise<void> {
  await db
    .deleteFrom("api_billing_customer")
    .where("customer_id", "=", customerId)
    .execute();
}
