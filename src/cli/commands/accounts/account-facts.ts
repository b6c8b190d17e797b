import type { Account } from "../../../accounts/users/account-store.ts";
import type { AccountUse } from "../../../accounts/users/users.ts";
import { planNamed, type Plans } from "../../../accounts/plans.ts";
import { isoTime } from "../keys/key-facts.ts";
import type { Subscription } from "../../../accounts/billing-records/subscriptions.ts";
import { formatTime } from "../../output/format.ts";

/** An account as `--json` prints it; times are ISO 8601, UTC, and counts those of the current month (UTC). */
export function accountFacts({ account, used }: AccountUse, plans: Plans) {
  const { monthlyQuota: quota } = planNamed(plans, account.plan);
  return {
    email: account.email,
    plan: account.plan,
    status: statusOf(account),
    quota,
    used,
    remaining: Math.max(quota - used, 0),
    created_at: isoTime(account.createdAt),
    suspended_at: isoTime(account.suspendedAt),
  };
}

/** The word for whether an account may send requests. */
export function statusOf({ suspendedAt }: Account): "active" | "suspended" {
  return suspendedAt === null ? "active" : "suspended";
}

/** The message for an address without an account. */
export function noAccount(email: string): string {
  return `No account ${email}. Run accounts list to see all accounts.`;
}

/** A subscription as `--json` prints it; times are ISO 8601, UTC. */
export function subscriptionFacts(subscription: Subscription) {
  return {
    id: subscription.id,
    status: subscription.status,
    plan: subscription.grantedPlan,
    price: subscription.priceId,
    period_end: isoTime(subscription.periodEnd),
    ends_at: isoTime(subscription.endsAt),
  };
}

/** A subscription in a line: `active, paid until 2026-12-20 12:00 (sub_1)`. */
export function describeSubscription(subscription: Subscription): string {
  const { endsAt, grantedPlan, id, periodEnd, priceId, runs, status } =
    subscription;
  const until = periodEnd === null ? "" : `, until ${formatTime(periodEnd)}`;
  const ends =
    endsAt === null || !runs ? "" : `, canceled, ends ${formatTime(endsAt)}`;
  const lost =
    runs && grantedPlan === null
      ? `, for ${priceId}, which pays for no plan`
      : "";
  return `${status}${runs ? until : ""}${ends}${lost} (${id})`;
}

/** Why an account's plan cannot be set by hand. */
export function describeSubscribed({ id, status }: Subscription): string {
  return `The account's plan is set by its subscription (${status}, ${id}). Change or cancel that at Stripe, or use accounts set-plan with --despite-subscription.`;
}
