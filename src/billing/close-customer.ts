import type { Stripe } from "stripe";
import type { StripeAccess } from "./billing-config.ts";
import { callStripe, stripeClient, StripeFault } from "./stripe-client.ts";

export type CloseOutcome =
  | { readonly outcome: "closed" }
  /** The reason, as a sentence for the operator. */
  | { readonly outcome: "failed"; readonly reason: string };

/**
 * Deletes a customer at Stripe. That ends all subscriptions at once, including any not recorded here, and removes cards
 * and address. Invoices stay, as bookkeeping requires. A customer who is already gone is no failure.
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

/** Deletes a customer with an open client. Throws StripeFault. */
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
