/** Plans for sale: real accounts, the real app, and a server in Stripe's place. */

import { randomBytes } from "node:crypto";
import type { Response as LightMyRequestResponse } from "light-my-request";
import type { BaseLogger } from "pino";
import { LazyBillingRecords } from "../../../src/accounts/billing-records/billing-records.ts";
import { Billing } from "../../../src/billing/billing.ts";
import type { BillingConfig } from "../../../src/billing/billing-config.ts";
import type { AccountOwner } from "../../../src/http/app-context.ts";
import type { install, Installation } from "./accounts-installation.ts";
import { startHttpService, type HttpService } from "./http-service.ts";
import {
  PAID_PRICE,
  SECRET_KEY,
  StripeServer,
  WEBHOOK_SECRET,
  type SignedEvent,
} from "./servers/stripe-server.ts";

export const PUBLIC_URL = "https://directory.example";
export const ADA = "ada@clinic.example";

export interface Shop extends AsyncDisposable {
  readonly service: HttpService;
  readonly installation: Installation;
  readonly stripe: StripeServer;
  readonly billing: Billing;
  /** The number of Ada's account. */
  readonly accountId: number;
  /** The signed-in user, or null; Ada at first. */
  owner: AccountOwner | null;
  /** POST to one of the paths for people. */
  post(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
  /** Delivers an event. */
  deliver(event: SignedEvent): Promise<LightMyRequestResponse>;
  /** Buys the paid plan for Ada: checkout, payment and event. Returns the subscription. */
  buy(): Promise<string>;
  /** Ada's plan. */
  plan(): Promise<string>;
}

export async function openShop(
  make: typeof install,
  { logger }: { logger?: BaseLogger } = {},
): Promise<Shop> {
  const owned = new AsyncDisposableStack();
  const stripe = owned.use(await StripeServer.start());
  const config: BillingConfig = {
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    prices: { paid: PAID_PRICE },
    apiUrl: stripe.url,
  };
  let billing: Billing | null = null;
  const service = owned.use(
    await startHttpService({
      install: make,
      publicUrl: PUBLIC_URL,
      ...(logger === undefined ? {} : { logger }),
      billing({ accounts, clock, place }) {
        const records = new LazyBillingRecords({
          place,
          clock: () => clock.nowMs,
          random: randomBytes,
          actor: "stripe",
        });
        billing = new Billing({ config, records, clock: () => clock.nowMs });
        return {
          billing,
          publicUrl: PUBLIC_URL,
          findOwner: () => Promise.resolve(shop.owner),
          attempts: accounts.attempts,
          [Symbol.asyncDispose]: () => records[Symbol.asyncDispose](),
        };
      },
    }),
  );
  const { installation } = service;
  const made = await installation.accounts.users.create(ADA);
  if (made.outcome !== "created") throw new Error(made.outcome);
  const accountId = made.account.id;
  if (billing === null) throw new Error("The app was made without billing.");

  const shop: Shop = {
    service,
    installation,
    stripe,
    billing,
    accountId,
    owner: { accountId, email: ADA },
    post: (path, body, headers = { origin: PUBLIC_URL }) =>
      service.ask({
        method: "POST",
        url: `/account/billing/${path}`,
        headers: { "content-type": "application/json", ...headers },
        payload: JSON.stringify(body),
      }),
    deliver: ({ body, signature }) =>
      service.ask({
        method: "POST",
        url: "/billing/webhook",
        headers: {
          "content-type": "application/json; charset=utf-8",
          "stripe-signature": signature,
        },
        payload: body,
      }),
    async buy() {
      const answer = await shop.post("checkout", { plan: "paid" });
      const subscription = stripe.pay(answer.json().data.url);
      await shop.deliver(
        stripe.event("customer.subscription.created", subscription, {
          at: installation.clock.nowMs,
        }),
      );
      return subscription;
    },
    async plan() {
      return (await installation.accounts.users.find(ADA))?.plan ?? "";
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  return shop;
}
