import type { Accounts } from "../../../accounts/accounts.ts";
import type { StripeAccess } from "../../../billing/billing-config.ts";
import {
  fail,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { noAccount } from "./account-facts.ts";
import { BILLING } from "../../../settings/billing-settings.ts";
import { withAccounts } from "../../data-folder.ts";
import { ACCOUNTS } from "../../../settings/service-settings.ts";
import { DESPITE_SUBSCRIPTION, JSON_OUTPUT } from "../../settings/settings.ts";

export const accountsDeleteCommand: Command = {
  words: ["accounts", "delete"],
  operands: { text: "EMAIL", least: 1, most: 1 },
  settings: [
    DESPITE_SUBSCRIPTION,
    JSON_OUTPUT,
    BILLING.secretKey,
    BILLING.apiUrl,
    ...Object.values(ACCOUNTS),
  ],
  summary: "Remove an account with its keys and all that tells of the person.",
  details: [
    "There is no way back. What was used stays as sums over all deleted accounts; in the audit log the account is a number. A running service refuses its keys within five seconds.",
    "Of an account that ever began to pay, the customer at Stripe is removed first, which ends its subscription at once and forgets its card; invoices stay there. Where that fails, the account stays too, unless --despite-subscription is given: then the customer is left for you to remove.",
  ],
  prepare(reader, [email = ""]) {
    const place = reader.readAll(ACCOUNTS);
    const secretKey = reader.read(BILLING.secretKey);
    const apiUrl = reader.read(BILLING.apiUrl);
    const options = {
      email,
      json: reader.read(JSON_OUTPUT),
      despiteSubscription: reader.read(DESPITE_SUBSCRIPTION),
      stripe: secretKey === null ? null : { secretKey, apiUrl },
    };
    return (context) =>
      withAccounts(place, "accounts delete", context, (accounts) =>
        deleteAccount(accounts, options, context),
      );
  },
};

interface DeleteOptions {
  readonly email: string;
  readonly json: boolean;
  readonly despiteSubscription: boolean;
  /** Null where Stripe is not configured. */
  readonly stripe: StripeAccess | null;
}

async function deleteAccount(
  accounts: Accounts,
  { despiteSubscription, email, json, stripe }: DeleteOptions,
  context: Context,
): Promise<ExitCode> {
  const account = await accounts.users.find(email);
  if (account === null) return removeSignUp(accounts, { email, json }, context);
  const left = await closeCustomerOf(accounts, account.id, stripe);
  if (left !== null && !despiteSubscription)
    return fail(
      context,
      `${account.email} is not deleted, because its customer at Stripe could not be removed and may go on being charged. ${left.reason} Try again, or give --despite-subscription and remove ${left.customerId} yourself.`,
    );
  const deleted = await accounts.users.delete(account.email);
  if (deleted.outcome === "no_account") return fail(context, noAccount(email));
  tell(context, json, {
    email: account.email,
    left: left?.customerId ?? null,
    sentence: `Deleted ${account.email} with its keys.`,
  });
  if (left !== null)
    context.err(
      `The customer ${left.customerId} is still at Stripe, and may go on being charged: remove it there. ${left.reason}`,
    );
  return 0;
}

/** Removes the person who signed up with an address that has no account. */
async function removeSignUp(
  accounts: Accounts,
  { email, json }: Pick<DeleteOptions, "email" | "json">,
  context: Context,
): Promise<ExitCode> {
  const removed = await accounts.users.removeSignUp(email);
  if (removed === null) return fail(context, noAccount(email));
  tell(context, json, {
    email: removed.email,
    left: null,
    sentence: `Deleted ${removed.email}, who had not confirmed the address.`,
  });
  return 0;
}

function tell(
  context: Context,
  json: boolean,
  done: { email: string; left: string | null; sentence: string },
): void {
  const { email, left, sentence } = done;
  const facts = { email, status: "deleted", customer_left: left };
  context.out(json ? JSON.stringify(facts, null, 2) : sentence);
}

/** Removes an account's customer at Stripe. Returns the one that is left there, and why; null where none is. */
async function closeCustomerOf(
  accounts: Accounts,
  accountId: number,
  stripe: StripeAccess | null,
): Promise<{ customerId: string; reason: string } | null> {
  const customerId = await accounts.billing.customer(accountId);
  if (customerId === null) return null;
  if (stripe === null)
    return { customerId, reason: "STRIPE_SECRET_KEY is not set." };
  const { closeCustomer } = await import("../../../billing/close-customer.ts");
  const closed = await closeCustomer(stripe, customerId);
  return closed.outcome === "closed"
    ? null
    : { customerId, reason: `${closed.reason}.` };
}
