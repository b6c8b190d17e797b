import type { PlanOfPrice } from "../accounts/billing-records/billing-records.ts";

/** Access to Stripe's API. */
export interface StripeAccess {
  /** `sk_…` or `rk_…`; never to be logged. */
  readonly secretKey: string;
  /** The URL of Stripe's API; null for the standard one. */
  readonly apiUrl: string | null;
}

/** The settings that selling plans needs. Can be passed to another thread. */
export interface BillingConfig extends StripeAccess {
  /** `whsec_…`; never to be logged. */
  readonly webhookSecret: string;
  /** Stripe's prices (`price_…`) by the name of the plan that each pays for. */
  readonly prices: Readonly<Record<string, string>>;
}

/** Finds the plan that a price pays for. */
export function planOfPriceIn(prices: BillingConfig["prices"]): PlanOfPrice {
  const plans = new Map(
    Object.entries(prices).map(([plan, price]) => [price, plan]),
  );
  return (priceId) => plans.get(priceId) ?? null;
}
