import { Stripe } from "stripe";
import type { StripeAccess } from "./billing-config.ts";

/** The time that Stripe may take to answer. A user is waiting, or Stripe itself, for at most twenty seconds. */
const TIMEOUT_MS = 8_000;
const RETRIES = 1;

/** A request to Stripe failed. The message names the kind of failure, without keys or personal data. */
export class StripeFault extends Error {
  override readonly name = "StripeFault";
  /** Stripe's code, such as `resource_missing`, and the parameter at fault; empty if it named none. */
  readonly code: string;
  readonly param: string;

  constructor(error: InstanceType<typeof Stripe.errors.StripeError>) {
    const { code = "", param = "", requestId = "", statusCode, type } = error;
    const parts = [statusCode, type, code, param, requestId];
    super(`The request to Stripe failed: ${parts.filter(Boolean).join(" ")}`);
    this.code = code;
    this.param = param;
  }

  /**
   * True if a parameter names something unknown to Stripe; without one, if the request's own subject is unknown.
   */
  isMissing(param = this.param): boolean {
    return this.code === "resource_missing" && this.param === param;
  }
}

/** Creates a client for Stripe's API. */
export function stripeClient({ apiUrl, secretKey }: StripeAccess): Stripe {
  return new Stripe(secretKey, {
    ...(apiUrl === null ? {} : addressOf(apiUrl)),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
  });
}

/** Awaits a call to Stripe. Throws StripeFault if it fails: the SDK's own errors contain what must not reach a log. */
export async function callStripe<Answer>(
  call: Promise<Answer>,
): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof Stripe.errors.StripeError
      ? new StripeFault(error)
      : error;
  }
}

function addressOf(apiUrl: string): {
  protocol: "http" | "https";
  host: string;
  port: number;
} {
  const { hostname, port, protocol } = new URL(apiUrl);
  const isPlain = protocol === "http:";
  return {
    protocol: isPlain ? "http" : "https",
    host: hostname,
    port: port === "" ? (isPlain ? 80 : 443) : Number(port),
  };
}

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
