import type { PlanOfPrice } from "../accounts/billing-records/settle-subscription.ts";

/** What it takes to reach Stripe. */
export interface StripeAccess {
  /** `sk_…` or `rk_…`; never to be logged. */
  readonly secretKey: string;
  /** Where Stripe's API is, null for Stripe's own address. */
  readonly apiUrl: string | null;
}

/** What it takes to sell plans. It can be handed to another thread. */
export interface BillingConfig extends StripeAccess {
  /** `whsec_…`; never to be logged. */
  readonly webhookSecret: string;
  /** Stripe's prices (`price_…`) by the name of the plan that each pays for. */
  readonly prices: Readonly<Record<string, string>>;
}

/** Which plan a price pays for. */
export function planOfPriceIn(prices: BillingConfig["prices"]): PlanOfPrice {
  const plans = new Map(
    Object.entries(prices).map(([plan, price]) => [price, plan]),
  );
  return (priceId) => plans.get(priceId) ?? null;
}
