import { DEFAULT_PLAN, type Plans } from "../accounts/plans.ts";
import type { BillingConfig } from "../billing/billing-config.ts";
import { optional, valid, type Parsed } from "./setting.ts";
import type { SettingReader } from "./setting-reader.ts";

/** The settings for selling plans, in addition to PUBLIC_URL and PLANS. */
export const BILLING = {
  secretKey: optional({
    flag: "stripe-secret-key",
    variable: "STRIPE_SECRET_KEY",
    placeholder: "KEY",
    help: "Stripe secret or restricted key (sk_... or rk_...), to sell plans. Prefer the variable: other users of the machine can see options.",
    defaultText: "no plans are sold",
    isSecret: true,
    parse: valid(
      (text) => /^[sr]k_[\x21-\x7e]+$/.test(text),
      "must start with sk_ or rk_",
    ),
  }),
  webhookSecret: optional({
    flag: "stripe-webhook-secret",
    variable: "STRIPE_WEBHOOK_SECRET",
    placeholder: "SECRET",
    help: "Signing secret of the Stripe webhook endpoint for /billing/webhook (whsec_...).",
    defaultText: "no plans are sold",
    isSecret: true,
    parse: valid(
      (text) => /^whsec_[\x21-\x7e]+$/.test(text),
      "must start with whsec_",
    ),
  }),
  prices: optional({
    flag: "stripe-prices",
    variable: "STRIPE_PRICES",
    placeholder: "JSON",
    help: 'The Stripe price of each plan for sale: {"paid":"price_..."}.',
    defaultText: "no plans are sold",
    parse: parsePrices,
  }),
  apiUrl: optional({
    flag: "stripe-api-url",
    variable: "STRIPE_API_URL",
    placeholder: "URL",
    help: "A URL to use instead of Stripe's API, for testing.",
    defaultText: "Stripe's API",
    parse: parseApiUrl,
  }),
};

/**
 * Reads BILLING; null if no plans are sold. Setting only some of them, or a price for an unknown plan, is a problem.
 */
export function readBilling(
  reader: SettingReader,
  plans: Plans,
  publicUrl: string | null,
): BillingConfig | null {
  const { problems } = reader;
  const before = problems.length;
  const { apiUrl, prices, secretKey, webhookSecret } = reader.readAll(BILLING);
  if (problems.length > before) return null;
  if (secretKey === null && webhookSecret === null && prices === null)
    return null;
  if (secretKey === null || webhookSecret === null || prices === null) {
    problems.push(
      "To sell plans, set STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PRICES together.",
    );
    return null;
  }
  for (const plan of Object.keys(prices)) {
    if (plan === DEFAULT_PLAN || !plans.has(plan))
      problems.push(
        plan === DEFAULT_PLAN
          ? `STRIPE_PRICES must not include the plan "${plan}", which is not for sale.`
          : `STRIPE_PRICES includes the plan "${plan}", which is not in PLANS.`,
      );
  }
  if (publicUrl === null)
    problems.push(
      "Selling plans needs PUBLIC_URL: Stripe sends users back to it.",
    );
  return { secretKey, webhookSecret, prices, apiUrl };
}

function parsePrices(text: string): Parsed<Readonly<Record<string, string>>> {
  const problem =
    'must be a JSON object of plans and their prices, such as {"paid":"price_1abc"}, with no price used twice';
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return { ok: false, problem };
  }
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return { ok: false, problem };
  const prices: Record<string, string> = {};
  for (const [plan, price] of Object.entries(given)) {
    if (typeof price !== "string" || !/^price_\w+$/.test(price))
      return { ok: false, problem };
    prices[plan] = price;
  }
  const ids = Object.values(prices);
  return ids.length > 0 && new Set(ids).size === ids.length
    ? { ok: true, value: prices }
    : { ok: false, problem };
}

function parseApiUrl(text: string): Parsed<string> {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === "/"
    ? { ok: true, value: url.href }
    : {
        ok: false,
        problem:
          "must be an http or https URL without a path, such as http://127.0.0.1:12111",
      };
}
