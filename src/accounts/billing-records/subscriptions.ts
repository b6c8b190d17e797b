import type { Kysely, Selection } from "kysely";
import type { Tables } from "../database/tables.ts";

const COLUMNS = [
  "id",
  "account_id as accountId",
  "status",
  "price_id as priceId",
  "granted_plan as grantedPlan",
  "period_end as periodEnd",
  "ends_at as endsAt",
] as const;

/** A subscription as recorded; times in epoch milliseconds. */
export type Subscription = Readonly<
  Selection<Tables, "api_subscription", (typeof COLUMNS)[number]>
> & {
  /** True if it keeps its plan in force. */
  readonly runs: boolean;
};

/** Lists the subscriptions of an account, last changed first. */
export async function listSubscriptions(
  db: Kysely<Tables>,
  accountId: number,
): Promise<Subscription[]> {
  const rows = await db
    .selectFrom("api_subscription")
    .select(COLUMNS)
    .where("account_id", "=", accountId)
    .orderBy("event_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map((row) =>
    Object.assign({}, row, { runs: planEffectOf(row.status) === "runs" }),
  );
}

/** The effect of a subscription's status on the plan of its account. */
export type PlanEffect =
  /** The plan is in force, also while a failed payment is retried. */
  | "runs"
  /** The account falls back to the free plan. */
  | "ended"
  /** Nothing changes: the first payment is still missing, or the status is unknown. */
  | "undecided";

/** Stripe's statuses (API reference, "The Subscription object"). */
const PLAN_EFFECTS: ReadonlyMap<string, PlanEffect> = new Map([
  ["active", "runs"],
  ["trialing", "runs"],
  ["past_due", "runs"],
  ["unpaid", "ended"],
  ["canceled", "ended"],
  ["incomplete_expired", "ended"],
  // A trial that ended without a way to pay: nothing is billed.
  ["paused", "ended"],
  ["incomplete", "undecided"],
]);

/** The statuses of a subscription that keeps its plan. */
export const RUNNING: readonly string[] = [...PLAN_EFFECTS.keys()].filter(
  (status) => planEffectOf(status) === "runs",
);

/** Returns what a status means for the plan. */
export function planEffectOf(status: string): PlanEffect {
  return PLAN_EFFECTS.get(status) ?? "undecided";
}
