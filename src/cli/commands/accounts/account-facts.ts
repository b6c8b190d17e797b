import type {
  Account,
  AccountUse,
} from "../../../accounts/users/account-store.ts";
import { planNamed, type Plans } from "../../../accounts/plans.ts";
import { isoTime } from "../keys/key-facts.ts";

/** An account as `--json` prints it; times are ISO 8601, UTC, and counts those of the current month (UTC). */
export function accountFacts(
  { account, used, viewed }: AccountUse,
  plans: Plans,
) {
  const { explorerPages, monthlyQuota: quota } = planNamed(plans, account.plan);
  return {
    email: account.email,
    plan: account.plan,
    status: statusOf(account),
    quota,
    used,
    remaining: Math.max(quota - used, 0),
    explorer: {
      quota: explorerPages,
      used: viewed,
      remaining: Math.max(explorerPages - viewed, 0),
    },
    created_at: isoTime(account.createdAt),
    suspended_at: isoTime(account.suspendedAt),
  };
}

/** Whether an account may ask. */
export function statusOf({ suspendedAt }: Account): "active" | "suspended" {
  return suspendedAt === null ? "active" : "suspended";
}

/** Why an address leads to no account. */
export function noAccount(email: string): string {
  return `There is no account ${email}: accounts list shows all of them.`;
}
