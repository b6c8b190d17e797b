import { Stripe } from "stripe";
import type {
  BillingRecords,
  PlanOfPrice,
  SettleOutcome,
  SubscriptionState,
} from "../accounts/billing-records/billing-records.ts";
import { callStripe, StripeFault } from "./stripe-client.ts";

/** The greatest age of a signature; Stripe's default. */
const TOLERANCE_SECONDS = 300;
/** An HMAC-SHA256. */
const SIGNATURE = /^[0-9a-f]{64}$/;
/** The number of times that a subscription is fetched again because another event about it was recorded meanwhile. */
const ATTEMPTS = 10;

export type WebhookOutcome =
  /** The signature is not Stripe's, or too old. */
  | { readonly outcome: "forged" }
  /** Not about a subscription. */
  | { readonly outcome: "ignored" }
  | Exclude<SettleOutcome, { outcome: "overtaken" }>;

export interface WebhookOptions {
  readonly stripe: Stripe;
  readonly records: BillingRecords;
  readonly webhookSecret: string;
  readonly planOfPrice: PlanOfPrice;
  /** Returns epoch milliseconds. */
  readonly clock: () => number;
}

/**
 * Processes a Stripe event. Events come late, twice and in any order, so an event only says that a subscription
 * changed. Its current state is fetched from Stripe and recorded, unless another event was recorded in the meantime;
 * then it is fetched again. Throws if that cannot be done now (StripeFault, or as BillingRecords does), so that Stripe
 * sends the event again.
 */
export async function processEvent(
  { clock, planOfPrice, records, stripe, webhookSecret }: WebhookOptions,
  body: Buffer,
  signature: string,
): Promise<WebhookOutcome> {
  const event = verify(stripe, body, signature, webhookSecret, clock());
  if (event === null) return { outcome: "forged" };
  const subject = subjectOf(event);
  if (subject === null) return { outcome: "ignored" };
  if (await records.hasSettled(event.id)) return { outcome: "duplicate" };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const version = await records.versionOf(subject.subscriptionId);
    const outcome = await records.settle({
      event: { id: event.id, at: event.created * 1_000 },
      state: await currentState(stripe, subject),
      version,
      planOfPrice,
    });
    if (outcome.outcome !== "overtaken") return outcome;
  }
  throw new Error(
    `The subscription ${subject.subscriptionId} could not be recorded: it changed ${ATTEMPTS} times meanwhile.`,
  );
}

/** Returns the event; null if the signature is not Stripe's or too old. */
function verify(
  stripe: Stripe,
  body: Buffer,
  signature: string,
  secret: string,
  nowMs: number,
): Stripe.Event | null {
  // The library throws another error for these than for a wrong signature.
  if (!signaturesOf(signature).every((each) => SIGNATURE.test(each)))
    return null;
  try {
    return stripe.webhooks.constructEvent(
      body,
      signature,
      secret,
      TOLERANCE_SECONDS,
      undefined,
      nowMs,
    );
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError)
      return null;
    throw error;
  }
}

/** Returns the signatures in a header as the library reads them: `t=1795262400,v1=…,v0=…`. */
function signaturesOf(header: string): string[] {
  return header.split(",").flatMap((item) => {
    const [name, value = ""] = item.split("=");
    return name === "v1" ? [value] : [];
  });
}

interface Subject {
  readonly subscriptionId: string;
  readonly customerId: string;
}

/** Returns the subscription that an event is about; null for none. */
function subjectOf(event: Stripe.Event): Subject | null {
  switch (event.type) {
    case "customer.subscription.created":
    case "customer.subscription.updated":
    case "customer.subscription.deleted":
    case "customer.subscription.paused":
    case "customer.subscription.resumed": {
      const { customer, id } = event.data.object;
      return { subscriptionId: id, customerId: idOf(customer) };
    }
    case "checkout.session.completed": {
      const { customer, subscription } = event.data.object;
      return subscription === null || customer === null
        ? null
        : { subscriptionId: idOf(subscription), customerId: idOf(customer) };
    }
    default:
      return null;
  }
}

/** Asks for the current state of a subscription. One that Stripe no longer knows has ended. */
async function currentState(
  stripe: Stripe,
  { customerId, subscriptionId }: Subject,
): Promise<SubscriptionState> {
  try {
    return stateOf(
      await callStripe(stripe.subscriptions.retrieve(subscriptionId)),
    );
  } catch (error) {
    if (!(error instanceof StripeFault && error.isMissing())) throw error;
    return {
      id: subscriptionId,
      customerId,
      status: "canceled",
      priceId: null,
      periodEnd: null,
      endsAt: null,
    };
  }
}

function stateOf(subscription: Stripe.Subscription): SubscriptionState {
  const item = subscription.items.data[0];
  const periodEnd = item === undefined ? null : item.current_period_end * 1_000;
  const endsAt =
    subscription.cancel_at === null
      ? subscription.cancel_at_period_end
        ? periodEnd
        : null
      : subscription.cancel_at * 1_000;
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer),
    status: subscription.status,
    priceId: item?.price.id ?? null,
    periodEnd,
    endsAt,
  };
}

/** Returns the id of an object: Stripe sends an object or only its id. */
function idOf(named: string | { id: string }): string {
  return typeof named === "string" ? named : named.id;
}
