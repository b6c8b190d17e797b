import type { Stripe } from "stripe";
import type { Account } from "../accounts/users/account-store.ts";
import type { BillingRecords } from "../accounts/billing-records/billing-records.ts";
import type { BillingConfig } from "./billing-config.ts";
import { callStripe, removeCustomer, StripeFault } from "./stripe-client.ts";

/** The URLs that Stripe redirects the user to afterwards. */
export interface ReturnUrls {
  readonly paid: string;
  readonly cancelled: string;
}

export type CheckoutOutcome =
  /** The Stripe page where the user pays. */
  | { readonly outcome: "started"; readonly url: string }
  | { readonly outcome: "unknown_plan"; readonly known: readonly string[] }
  /** A subscription is active; it is changed in the customer portal. */
  | { readonly outcome: "subscribed" }
  /** The account is suspended, so there is nothing to pay for. */
  | { readonly outcome: "suspended" }
  | { readonly outcome: "no_account" };

/** Starts the purchase of a plan. Throws StripeFault, or as BillingRecords does. */
export async function startCheckout(
  stripe: Stripe,
  records: BillingRecords,
  prices: BillingConfig["prices"],
  order: { accountId: number; plan: string; returnUrls: ReturnUrls },
): Promise<CheckoutOutcome> {
  const price = Object.hasOwn(prices, order.plan) ? prices[order.plan] : null;
  if (price === null || price === undefined)
    return { outcome: "unknown_plan", known: Object.keys(prices) };
  const account = await records.account(order.accountId);
  if (account === null) return { outcome: "no_account" };
  if (account.suspendedAt !== null) return { outcome: "suspended" };
  const subscriptions = await records.subscriptions(account.id);
  if (subscriptions.some(({ runs }) => runs)) return { outcome: "subscribed" };

  const url = await withCustomer(stripe, records, account, async (customer) => {
    const made = await callStripe(
      stripe.checkout.sessions.create(
        sessionOf({ account, customer, price, returnUrls: order.returnUrls }),
      ),
    );
    const newest = await keepNewest(stripe, customer, made);
    if (newest.url === null)
      throw new Error("Stripe returned a checkout session without a URL.");
    if ((await records.account(account.id)) !== null) return newest.url;
    // The account was deleted meanwhile, perhaps before its customer was recorded.
    await removeCustomer(stripe, customer);
    return null;
  });
  return url === null ? { outcome: "no_account" } : { outcome: "started", url };
}

function sessionOf({
  account,
  customer,
  price,
  returnUrls,
}: {
  account: Account;
  customer: string;
  price: string;
  returnUrls: ReturnUrls;
}): Stripe.Checkout.SessionCreateParams {
  return {
    mode: "subscription",
    customer,
    client_reference_id: String(account.id),
    line_items: [{ price, quantity: 1 }],
    subscription_data: { metadata: { account: String(account.id) } },
    success_url: returnUrls.paid,
    cancel_url: returnUrls.cancelled,
  };
}

/**
 * Expires all open checkouts except the newest, since each could be paid in addition to it. Concurrent calls all keep
 * the same one.
 */
async function keepNewest(
  stripe: Stripe,
  customer: string,
  made: Stripe.Checkout.Session,
): Promise<Stripe.Checkout.Session> {
  // Stripe lists the newest first.
  const { data: open } = await callStripe(
    stripe.checkout.sessions.list({ customer, status: "open", limit: 100 }),
  );
  const newest = open[0] ?? made;
  for (const { id } of open) {
    if (id === newest.id) continue;
    try {
      await callStripe(stripe.checkout.sessions.expire(id));
    } catch (error) {
      // One that was just paid or has just expired cannot be expired; its event follows.
      if (!(error instanceof StripeFault)) throw error;
    }
  }
  return newest;
}

/**
 * Runs `act` with an account's customer, which is created at Stripe if it is missing. Returns null if the account was
 * deleted meanwhile; then no customer is left.
 */
export async function withCustomer<Result>(
  stripe: Stripe,
  records: BillingRecords,
  account: Account,
  act: (customerId: string) => Promise<Result>,
): Promise<Result | null> {
  const known = await records.customer(account.id);
  if (known === null) return actWithNew(null);
  try {
    return await act(known);
  } catch (error) {
    if (!(error instanceof StripeFault && error.isMissing("customer")))
      throw error;
    await records.forgetCustomer(known);
    return actWithNew(known);
  }

  async function actWithNew(before: string | null): Promise<Result | null> {
    const made = await makeCustomer(stripe, records, account, before);
    return made === null ? null : act(made);
  }
}

/**
 * Creates a customer and records it before anyone can pay, so that no event about it comes too early. Null if the
 * account is gone.
 */
async function makeCustomer(
  stripe: Stripe,
  records: BillingRecords,
  { createdAt, email, id }: Account,
  before: string | null,
): Promise<string | null> {
  const made = await callStripe(
    stripe.customers.create(
      { email, metadata: { account: String(id) } },
      // Concurrent calls create one customer.
      { idempotencyKey: `customer-${id}-${createdAt}-${before ?? "first"}` },
    ),
  );
  const kept = await records.keepCustomer(id, made.id);
  if (kept === null) await removeCustomer(stripe, made.id);
  return kept;
}
