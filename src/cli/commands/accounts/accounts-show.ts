import type { Accounts } from "../../../accounts/accounts.ts";
import type { KeyRecord } from "../../../accounts/keys/keys.ts";
import type { Plans } from "../../../accounts/plans.ts";
import type { Subscription } from "../../../accounts/billing-records/subscriptions.ts";
import {
  fail,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import {
  accountFacts,
  describeSubscription,
  noAccount,
  subscriptionFacts,
} from "./account-facts.ts";
import { withAccounts } from "../../data-folder.ts";
import { ACCOUNTS } from "../../../settings/service-settings.ts";
import { isoTime, keyFacts, keyTable } from "../keys/key-facts.ts";
import { formatCount, formatTime } from "../../output/format.ts";
import { JSON_OUTPUT } from "../../settings/settings.ts";

export const accountsShowCommand: Command = {
  operands: { text: "EMAIL", min: 1, max: 1 },
  settings: [JSON_OUTPUT, ...Object.values(ACCOUNTS)],
  summary:
    "Show an account: plan, quota, usage this month by operation, subscription, keys.",
  details: [],
  prepare(reader, [email = ""]) {
    const place = reader.readAll(ACCOUNTS);
    const json = reader.read(JSON_OUTPUT);
    return (context) =>
      withAccounts(place, "accounts show", context, (accounts) =>
        showAccount(accounts, place.plans, { email, json }, context),
      );
  },
};

async function showAccount(
  accounts: Accounts,
  plans: Plans,
  { email, json }: { email: string; json: boolean },
  context: Context,
): Promise<ExitCode> {
  const account = await accounts.users.find(email);
  const listed =
    account === null
      ? null
      : await accounts.keys.list({ email: account.email });
  if (account === null || listed?.outcome !== "listed")
    return showSignUp(accounts, { email, json }, context);
  const used = await accounts.usage.thisMonth(account.id);
  const facts = accountFacts({ account, used }, plans);
  const { keys } = listed;
  const byOperation = await usedFor(accounts, account.id, context.now());
  const [subscription] = await accounts.billing.subscriptions(account.id);
  const customer = await accounts.billing.customer(account.id);
  if (json) {
    const all = {
      ...facts,
      customer,
      subscription:
        subscription === undefined ? null : subscriptionFacts(subscription),
      used_for: Object.fromEntries(byOperation),
      keys: keys.map(keyFacts),
    };
    context.out(JSON.stringify(all, null, 2));
  } else
    for (const line of describe(facts, subscription, byOperation, keys))
      context.out(line);
  return 0;
}

/** Shows an unconfirmed sign-up, which has no account yet. */
async function showSignUp(
  accounts: Accounts,
  { email, json }: { email: string; json: boolean },
  context: Context,
): Promise<ExitCode> {
  const person = await accounts.users.findUnconfirmed(email);
  if (person === null) return showDeleted(accounts, { email, json }, context);
  const since = new Date(person.signedUpAt).toISOString();
  const facts = {
    email: person.email,
    plan: null,
    status: "unconfirmed",
    quota: 0,
    used: 0,
    remaining: 0,
    created_at: since,
    suspended_at: null,
    customer: null,
    subscription: null,
    used_for: {},
    keys: [],
  };
  const lines = [
    person.email,
    "  status   unconfirmed: signed up but has not opened the link in the email",
    `  created  ${formatTime(person.signedUpAt)}`,
    "",
    "No account yet.",
  ];
  for (const line of json ? [JSON.stringify(facts, null, 2)] : lines)
    context.out(line);
  return 0;
}

/** Shows what is kept of a deleted account, which a new account with its address starts with. */
async function showDeleted(
  accounts: Accounts,
  { email, json }: { email: string; json: boolean },
  context: Context,
): Promise<ExitCode> {
  const kept = await accounts.users.findDeleted(email);
  if (kept === null) return fail(context, noAccount(email));
  const { deleted_at: deletedAt, suspended_at: suspendedAt, used } = kept;
  if (suspendedAt === null && used === 0)
    return fail(context, noAccount(email));
  const facts = {
    email,
    plan: null,
    status: "deleted",
    used,
    deleted_at: isoTime(deletedAt),
    suspended_at: isoTime(suspendedAt),
  };
  const lines = [
    email,
    `  status   deleted ${formatTime(deletedAt)}${suspendedAt === null ? "" : `, suspended since ${formatTime(suspendedAt)}`}`,
    `  used     ${formatCount(used)} this month`,
    "",
    "The account was deleted. A new account with this address starts with these values.",
  ];
  for (const line of json ? [JSON.stringify(facts, null, 2)] : lines)
    context.out(line);
  return 0;
}

/** Counted answers of the current month (UTC) by operation. */
async function usedFor(
  accounts: Accounts,
  accountId: number,
  nowMs: number,
): Promise<Map<string, number>> {
  const now = new Date(nowMs);
  const monthStart = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const sums = new Map<string, number>();
  for (const { operation, used } of await accounts.usage.byDay(
    accountId,
    monthStart,
  ))
    sums.set(operation, (sums.get(operation) ?? 0) + used);
  return sums;
}

function describe(
  facts: ReturnType<typeof accountFacts>,
  subscription: Subscription | undefined,
  byOperation: ReadonlyMap<string, number>,
  keys: readonly KeyRecord[],
): string[] {
  const parts = [...byOperation].map(
    ([operation, used]) => `${operation} ${formatCount(used)}`,
  );
  const suspended =
    facts.suspended_at === null
      ? ""
      : ` since ${formatTime(Date.parse(facts.suspended_at))}`;
  return [
    facts.email,
    `  plan     ${facts.plan}`,
    `  status   ${facts.status}${suspended}`,
    `  used     ${formatCount(facts.used)} of ${formatCount(facts.quota)} this month${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`,
    ...(subscription === undefined
      ? []
      : [`  billing  ${describeSubscription(subscription)}`]),
    `  created  ${facts.created_at === null ? "" : formatTime(Date.parse(facts.created_at))}`,
    "",
    ...(keys.length === 0 ? ["No keys."] : keyTable(keys)),
  ];
}
