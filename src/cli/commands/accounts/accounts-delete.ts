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
  operands: { text: "EMAIL", min: 1, max: 1 },
  settings: [
    DESPITE_SUBSCRIPTION,
    JSON_OUTPUT,
    BILLING.secretKey,
    BILLING.apiUrl,
    ...Object.values(ACCOUNTS),
  ],
  summary: "Delete an account with its keys and all personal data.",
  details: [
    "This cannot be undone. Usage is kept only in totals over all deleted accounts, and the audit log shows the account as a number. A running service refuses its keys within two seconds.",
    "If the account has a Stripe customer, that is deleted first: the subscription ends at once, the card is forgotten, and invoices stay at Stripe. If that fails, the account is not deleted. With --despite-subscription it is deleted anyway, and you delete the customer yourself.",
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
  /** Null if Stripe is not configured. */
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
      `${account.email} was not deleted: its Stripe customer could not be deleted and might still be charged. ${left.reason} Try again, or use --despite-subscription and delete ${left.customerId} yourself.`,
    );
  const deleted = await accounts.users.delete(account.email);
  if (deleted.outcome === "no_account") return fail(context, noAccount(email));
  printResult(context, json, {
    email: account.email,
    left: left?.customerId ?? null,
    sentence: `Deleted ${account.email} and its keys.`,
  });
  if (left !== null)
    context.err(
      `Customer ${left.customerId} still exists at Stripe and might still be charged. Delete it there. ${left.reason}`,
    );
  return 0;
}

/** Deletes an unconfirmed sign-up. */
async function removeSignUp(
  accounts: Accounts,
  { email, json }: Pick<DeleteOptions, "email" | "json">,
  context: Context,
): Promise<ExitCode> {
  const removed = await accounts.users.removeSignUp(email);
  if (removed === null) return fail(context, noAccount(email));
  printResult(context, json, {
    email: removed.email,
    left: null,
    sentence: `Deleted ${removed.email}, a sign-up that was never confirmed.`,
  });
  return 0;
}

function printResult(
  context: Context,
  json: boolean,
  done: { email: string; left: string | null; sentence: string },
): void {
  const { email, left, sentence } = done;
  const facts = { email, status: "deleted", customer_left: left };
  context.out(json ? JSON.stringify(facts, null, 2) : sentence);
}

/** Deletes an account's Stripe customer. Returns the one that could not be deleted, and why, or null. */
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
