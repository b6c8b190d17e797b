import type { Stripe } from "stripe";
import type { Account } from "../accounts/account-store.ts";
import type { BillingRecords } from "../accounts/billing-records.ts";
import type { BillingConfig } from "./billing-config.ts";
import { withCustomer } from "./customer.ts";
import { ask, StripeFault } from "./stripe-client.ts";

/** Where Stripe sends a person back to. */
export interface ReturnUrls {
  readonly paid: string;
  readonly cancelled: string;
}

export type CheckoutOutcome =
  /** The page of Stripe where the person pays. */
  | { readonly outcome: "started"; readonly url: string }
  | { readonly outcome: "unknown_plan"; readonly known: readonly string[] }
  /** A subscription runs: it is changed in the customer portal. */
  | { readonly outcome: "subscribed" }
  | { readonly outcome: "no_account" };

/** Begins the purchase of a plan. Throws StripeFault, or as BillingRecords does. */
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
  const subscriptions = await records.subscriptions(account.id);
  if (subscriptions.some(({ runs }) => runs)) return { outcome: "subscribed" };

  return withCustomer(stripe, records, account, async (customer) => {
    await closeOpenCheckouts(stripe, customer);
    const session = await ask(
      stripe.checkout.sessions.create(
        sessionOf({ account, customer, price, returnUrls: order.returnUrls }),
      ),
    );
    if (session.url === null)
      throw new Error("Stripe made a checkout session without an address.");
    return { outcome: "started", url: session.url };
  });
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

/** Ends the checkouts that a person left open, for each of them could be paid besides the new one. */
async function closeOpenCheckouts(
  stripe: Stripe,
  customer: string,
): Promise<void> {
  const open = await ask(
    stripe.checkout.sessions.list({ customer, status: "open" }),
  );
  for (const { id } of open.data) {
    try {
      await ask(stripe.checkout.sessions.expire(id));
    } catch (error) {
      // One that was paid or ran out in this moment cannot be ended; its event says so.
      if (!(error instanceof StripeFault)) throw error;
    }
  }
}
