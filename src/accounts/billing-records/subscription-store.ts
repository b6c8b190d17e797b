import type { Kysely, Selectable } from "kysely";
import { standingOf } from "./subscription-status.ts";
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
    runs: standingOf(row.status) === "runs",
    priceId: row.price_id,
    grantedPlan: row.granted_plan,
    periodEnd: row.period_end,
    endsAt: row.ends_at,
  };
}
