import type { StripeAccess } from "./billing-config.ts";
import { ask, stripeClient, StripeFault } from "./stripe-client.ts";

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
    await ask(stripeClient(access).customers.del(customerId));
    return { outcome: "closed" };
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    return error.isMissing()
      ? { outcome: "closed" }
      : { outcome: "failed", reason: error.message };
  }
}
