import { DEFAULT_PLAN, type Plans } from "../accounts/plans.ts";
import type { BillingConfig } from "../billing/billing-config.ts";
import { setting, type Parsed } from "./setting.ts";
import type { SettingReader } from "./setting-reader.ts";

/** What selling plans takes, besides PUBLIC_URL and PLANS. */
export const BILLING = {
  secretKey: setting<string | null>({
    flag: "stripe-secret-key",
    variable: "STRIPE_SECRET_KEY",
    takes: "KEY",
    help: "Stripe's secret or restricted key, sk_... or rk_..., to sell plans; better a variable, for options are seen by other users of the machine.",
    fallback: null,
    fallbackText: "nothing is sold",
    isSecret: true,
    parse: (text) =>
      /^[sr]k_[\x21-\x7e]+$/.test(text)
        ? { ok: true, value: text }
        : { ok: false, problem: "must begin with sk_ or rk_" },
  }),
  webhookSecret: setting<string | null>({
    flag: "stripe-webhook-secret",
    variable: "STRIPE_WEBHOOK_SECRET",
    takes: "SECRET",
    help: "The signing secret of Stripe's endpoint for /billing/webhook, whsec_....",
    fallback: null,
    fallbackText: "nothing is sold",
    isSecret: true,
    parse: (text) =>
      /^whsec_[\x21-\x7e]+$/.test(text)
        ? { ok: true, value: text }
        : { ok: false, problem: "must begin with whsec_" },
  }),
  prices: setting<Readonly<Record<string, string>> | null>({
    flag: "stripe-prices",
    variable: "STRIPE_PRICES",
    takes: "JSON",
    help: 'Which price of Stripe pays for which plan: {"paid":"price_..."}.',
    fallback: null,
    fallbackText: "nothing is sold",
    parse: parsePrices,
  }),
  apiUrl: setting<string | null>({
    flag: "stripe-api-url",
    variable: "STRIPE_API_URL",
    takes: "URL",
    help: "Another address in place of Stripe's API, to try things out.",
    fallback: null,
    fallbackText: "Stripe's own",
    parse: parseApiUrl,
  }),
};

/** Reads BILLING; null if nothing is sold. A part of them, or a price of no plan, is a problem. */
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
      "STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PRICES go together: set all three to sell plans, or none.",
    );
    return null;
  }
  for (const plan of Object.keys(prices)) {
    if (plan === DEFAULT_PLAN || !plans.has(plan))
      problems.push(
        plan === DEFAULT_PLAN
          ? `STRIPE_PRICES must not name the plan "${plan}", which is not for sale.`
          : `STRIPE_PRICES names the plan "${plan}", which PLANS has not.`,
      );
  }
  if (publicUrl === null)
    problems.push(
      "PUBLIC_URL is missing: with STRIPE_SECRET_KEY set, Stripe needs an address to send people back to.",
    );
  return { secretKey, webhookSecret, prices, apiUrl };
}

function parsePrices(text: string): Parsed<Readonly<Record<string, string>>> {
  const problem =
    'must be a JSON object of plans and their prices, such as {"paid":"price_1abc"}, each price once';
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
          "must be an http or https address without a path, such as http://127.0.0.1:12111",
      };
}
