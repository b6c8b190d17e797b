import type { Stripe } from "stripe";
import type { BillingRecords } from "../accounts/billing-records/billing-records.ts";
import { planOfPriceIn, type BillingConfig } from "./billing-config.ts";
import {
  startCheckout,
  type CheckoutOutcome,
  type ReturnUrls,
} from "./checkout.ts";
import {
  callStripe,
  closeCustomer,
  stripeClient,
  StripeFault,
  type CloseOutcome,
} from "./stripe-client.ts";
import { processEvent, type WebhookOutcome } from "./webhook.ts";

export type PortalOutcome =
  | { readonly outcome: "opened"; readonly url: string }
  /** The account has never paid. */
  | { readonly outcome: "no_customer" };

export interface BillingOptions {
  readonly config: BillingConfig;
  readonly records: BillingRecords;
  /** Returns epoch milliseconds. */
  readonly clock: () => number;
}

/**
 * Sells plans with Stripe: its pages take the payment, its events report the result. All methods throw StripeFault if
 * Stripe fails, and as BillingRecords does if the database is away.
 */
export class Billing {
  readonly #options: BillingOptions;
  readonly #stripe: Stripe;

  constructor(options: BillingOptions) {
    this.#options = options;
    this.#stripe = stripeClient(options.config);
  }

  /** Starts the purchase of a plan on a Stripe page. */
  startCheckout(
    accountId: number,
    plan: string,
    returnUrls: ReturnUrls,
  ): Promise<CheckoutOutcome> {
    const { config, records } = this.#options;
    return startCheckout(this.#stripe, records, config.prices, {
      accountId,
      plan,
      returnUrls,
    });
  }

  /** Opens Stripe's customer portal, where users change card or plan, see invoices, and cancel. */
  async openPortal(
    accountId: number,
    returnUrl: string,
  ): Promise<PortalOutcome> {
    const { records } = this.#options;
    const customer = await records.customer(accountId);
    if (customer === null) return { outcome: "no_customer" };
    try {
      const { url } = await callStripe(
        this.#stripe.billingPortal.sessions.create({
          customer,
          return_url: returnUrl,
        }),
      );
      return { outcome: "opened", url };
    } catch (error) {
      if (error instanceof StripeFault && error.isMissing("customer"))
        return { outcome: "no_customer" };
      throw error;
    }
  }

  /** Ends an account's payments before it is deleted; see `closeCustomer`. */
  async closeAccount(accountId: number): Promise<CloseOutcome> {
    const { config, records } = this.#options;
    const customer = await records.customer(accountId);
    return customer === null
      ? { outcome: "closed" }
      : closeCustomer(config, customer);
  }

  /** Processes an event as Stripe sent it, byte for byte, with its `Stripe-Signature`. */
  processEvent(body: Buffer, signature: string): Promise<WebhookOutcome> {
    const { clock, config, records } = this.#options;
    return processEvent(
      {
        stripe: this.#stripe,
        records,
        webhookSecret: config.webhookSecret,
        planOfPrice: planOfPriceIn(config.prices),
        clock,
      },
      body,
      signature,
    );
  }
}
