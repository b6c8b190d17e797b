import type { Kysely, Selectable } from "kysely";
import type { ApiSubscriptionTable, Tables } from "../database/tables.ts";

/** A subscription as it is written down; times in epoch milliseconds. */
export interface Subscription {
  /** `sub_…`. */
  readonly id: string;
  readonly accountId: number;
  /** In the payment service's words: `active`, `past_due`, `canceled` … */
  readonly status: string;
  /** Whether it keeps its plan. */
  readonly runs: boolean;
  /** `price_…`; null where the payment service no longer knows it. */
  readonly priceId: string | null;
  /** The plan that the account has for it, null while it gives none. */
  readonly grantedPlan: string | null;
  /** Until when the current period lasts. */
  readonly periodEnd: number | null;
  /** When it ends by its owner's choice. */
  readonly endsAt: number | null;
}

/** The subscriptions of an account, the newest news first. */
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

/** The subscription that keeps an account's plan, null without one. */
export async function runningSubscription(
  db: Kysely<Tables>,
  accountId: number,
): Promise<Subscription | null> {
  const all = await listSubscriptions(db, accountId);
  return all.find(({ runs }) => runs) ?? null;
}

/** The row of a subscription, null when nothing was heard of it yet. */
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

/** Writes a subscription's row, whether or not there is one. */
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
  /** The plan is in force, also while a failed payment is tried again. */
  | "runs"
  /** The account falls back to the free plan. */
  | "ended"
  /** Nothing changes: the first payment is not made yet, or the word is not known here. */
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
