import type { Stripe } from "stripe";
import type { StripeAccess } from "./billing-config.ts";
import { callStripe, stripeClient, StripeFault } from "./stripe-client.ts";

export type CloseOutcome =
  | { readonly outcome: "closed" }
  /** A sentence for the operator. */
  | { readonly outcome: "failed"; readonly reason: string };

/**
 * Removes a customer at Stripe, which ends all subscriptions at once, also one of which nothing was heard here, and
 * forgets cards and address. Invoices stay, as bookkeeping has to. A customer who is gone already is no failure.
 */
export async function closeCustomer(
  access: StripeAccess,
  customerId: string,
): Promise<CloseOutcome> {
  try {
    await removeCustomer(stripeClient(access), customerId);
    return { outcome: "closed" };
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    return { outcome: "failed", reason: error.message };
  }
}

/** The same with a client. Throws StripeFault. */
export async function removeCustomer(
  stripe: Stripe,
  customerId: string,
): Promise<void> {
  try {
    await callStripe(stripe.customers.del(customerId));
  } catch (error) {
    if (!(error instanceof StripeFault && error.isMissing())) throw error;
  }
}
