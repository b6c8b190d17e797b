import type { Accounts } from "../../accounts/accounts.ts";
import type { Subscription } from "../../accounts/billing-records/subscriptions.ts";
import type { Plans } from "../../accounts/plans.ts";
import { operandsOf } from "../command.ts";
import { accountsCommand } from "../data-folder.ts";
import { formatCount, formatTime, isoTime } from "../output/format.ts";
import { linesOf, show, tableOf } from "../output/show.ts";
import { JSON_OUTPUT } from "../settings/settings.ts";
import { accountFacts, noAccount } from "./account-facts.ts";
import { KEY_COLUMNS, keyFacts } from "./keys.ts";

/** An account to show, or what an address has instead of one. */
interface Shown {
  readonly facts: object;
  /** The values of its lines. Null for no line. */
  readonly email: string;
  readonly plan?: string;
  readonly status: string;
  readonly used?: string;
  readonly billing?: string | null;
  readonly created?: number;
  /** Lines below. */
  readonly end: readonly string[];
}

export const accountsShow = accountsCommand("accounts show", {
  operands: operandsOf("EMAIL"),
  summary:
    "Show an account: plan, quota, usage this month by operation, subscription, keys.",
  options: { json: JSON_OUTPUT },
  async run(accounts, { json, plans }, context, [email = ""]) {
    const shown =
      (await shownAccount(accounts, plans, email, context.now())) ??
      (await shownSignUp(accounts, email)) ??
      (await shownDeleted(accounts, email));
    if (shown === null) throw noAccount(email);
    show(context, json, shown.facts, () => [
      shown.email,
      ...linesOf(
        shown,
        {
          "  plan": ({ plan = null }) => plan,
          "  status": ({ status }) => status,
          "  used": ({ used = null }) => used,
          "  billing": ({ billing = null }) => billing,
          "  created": ({ created }) =>
            created === undefined ? null : formatTime(created),
        },
        "  ",
      ),
      "",
      ...shown.end,
    ]);
  },
});

async function shownAccount(
  accounts: Accounts,
  plans: Plans,
  email: string,
  nowMs: number,
): Promise<Shown | null> {
  const account = await accounts.users.find(email);
  if (account === null) return null;
  const listed = await accounts.keys.list({ email: account.email });
  if (listed.outcome !== "listed") return null;
  const { keys } = listed;
  const used = await accounts.usage.thisMonth(account.id);
  const facts = accountFacts({ account, used }, plans);
  const usedFor = await usedThisMonth(accounts, account.id, nowMs);
  const [subscription = null] = await accounts.billing.subscriptions(
    account.id,
  );
  const parts = Object.entries(usedFor).map(
    ([operation, count]) => `${operation} ${formatCount(count)}`,
  );
  return {
    facts: {
      ...facts,
      customer: await accounts.billing.customer(account.id),
      subscription: subscription && subscriptionFacts(subscription),
      used_for: usedFor,
      keys: keys.map(keyFacts),
    },
    email: account.email,
    plan: account.plan,
    status: `${facts.status}${since(account.suspendedAt)}`,
    used: `${formatCount(used)} of ${formatCount(facts.quota)} this month${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`,
    billing: subscription && describeSubscription(subscription),
    created: account.createdAt,
    end: keys.length === 0 ? ["No keys."] : tableOf(keys, KEY_COLUMNS),
  };
}

/** Counts answers of the current month (UTC) by operation. */
async function usedThisMonth(
  accounts: Accounts,
  accountId: number,
  nowMs: number,
): Promise<Record<string, number>> {
  const now = new Date(nowMs);
  const monthStart = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const sums: Record<string, number> = {};
  for (const { operation, used } of await accounts.usage.byDay(
    accountId,
    monthStart,
  ))
    sums[operation] = (sums[operation] ?? 0) + used;
  return sums;
}

/** Finds an unconfirmed sign-up, which has no account yet. */
async function shownSignUp(
  accounts: Accounts,
  typed: string,
): Promise<Shown | null> {
  const person = await accounts.users.findUnconfirmed(typed);
  if (person === null) return null;
  const { email, signedUpAt } = person;
  return {
    facts: {
      email,
      plan: null,
      status: "unconfirmed",
      quota: 0,
      used: 0,
      remaining: 0,
      created_at: isoTime(signedUpAt),
      suspended_at: null,
      customer: null,
      subscription: null,
      used_for: {},
      keys: [],
    },
    email,
    status: "unconfirmed: signed up but has not opened the link in the email",
    created: signedUpAt,
    end: ["No account yet."],
  };
}

/** Finds what is kept of a deleted account, which a new account with its address starts with. */
async function shownDeleted(
  accounts: Accounts,
  email: string,
): Promise<Shown | null> {
  const kept = await accounts.users.findDeleted(email);
  if (kept === null) return null;
  const { deleted_at: deletedAt, suspended_at: suspendedAt, used } = kept;
  if (suspendedAt === null && used === 0) return null;
  const suspended =
    suspendedAt === null ? "" : `, suspended${since(suspendedAt)}`;
  return {
    facts: {
      email,
      plan: null,
      status: "deleted",
      used,
      deleted_at: isoTime(deletedAt),
      suspended_at: isoTime(suspendedAt),
    },
    email,
    status: `deleted ${formatTime(deletedAt)}${suspended}`,
    used: `${formatCount(used)} this month`,
    end: [
      "The account was deleted. A new account with this address starts with these values.",
    ],
  };
}

function since(epochMs: number | null): string {
  return epochMs === null ? "" : ` since ${formatTime(epochMs)}`;
}

/** Makes JSON of a subscription; times are ISO 8601, UTC. */
function subscriptionFacts(subscription: Subscription) {
  return {
    id: subscription.id,
    status: subscription.status,
    plan: subscription.grantedPlan,
    price: subscription.priceId,
    period_end: isoTime(subscription.periodEnd),
    ends_at: isoTime(subscription.endsAt),
  };
}

/** Describes a subscription in a line: `active, paid until 2026-12-20 12:00 (sub_1)`. */
function describeSubscription(subscription: Subscription): string {
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
