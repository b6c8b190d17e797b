import { planNamed, type Plans } from "../../accounts/plans.ts";
import type { Subscription } from "../../accounts/billing-records/subscriptions.ts";
import type { AccountUse } from "../../accounts/users/users.ts";
import { CommandError, misuse } from "../command.ts";
import { isoTime } from "../output/format.ts";

/** Makes JSON of an account; times are ISO 8601, UTC, and counts those of the current month (UTC). */
export function accountFacts({ account, used }: AccountUse, plans: Plans) {
  const { monthlyQuota: quota } = planNamed(plans, account.plan);
  return {
    email: account.email,
    plan: account.plan,
    status: account.suspendedAt === null ? "active" : "suspended",
    quota,
    used,
    remaining: Math.max(quota - used, 0),
    created_at: isoTime(account.createdAt),
    suspended_at: isoTime(account.suspendedAt),
  };
}

/** Makes the error for an address without an account. */
export function noAccount(email: string | null): CommandError {
  return new CommandError(
    `No account ${email}. Run accounts list to see all accounts.`,
  );
}

/** Makes the error for the name of no plan. */
export function unknownPlan(
  plan: string,
  known: readonly string[],
): CommandError {
  return misuse(`Unknown plan "${plan}". Choose ${known.join(" or ")}.`);
}

/** Says why an account's plan cannot be set by hand. */
export function describeSubscribed({ id, status }: Subscription): string {
  return `The account's plan is set by its subscription (${status}, ${id}). Change or cancel that at Stripe, or use accounts set-plan with --despite-subscription.`;
}
