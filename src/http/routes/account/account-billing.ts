import type { Static, TObject } from "typebox";
import { Compile } from "typebox/schema";
import type { AttemptLimit } from "../../../accounts/users/attempts.ts";
import type { CheckoutOutcome } from "../../../billing/checkout.ts";
import {
  CheckoutBody,
  NoMembersBody,
  RedirectAnswer,
} from "../../../contract/account.ts";
import { PAGE_PATHS } from "../../../site/page-paths.ts";
import {
  accountSuspended,
  billingUnavailable,
  notSignedIn,
  wantedBody,
} from "../../access/failures.ts";
import type { AppContext, BillingDependencies } from "../../app-context.ts";
import { hourlyLimitFailure, perHour } from "./account-route.ts";
import { json, type Call, type Reply } from "../../call.ts";
import { must, Refusal, type Failure } from "../../pipeline/failure.ts";
import { NO_STORE } from "../../pipeline/headers.ts";
import { hasPages, type Route } from "../route.ts";
import { JSON_BODY, jsonOf } from "./request-body.ts";

/** The path that Stripe redirects to, below the public URL, without the portal's pages. Clients cannot choose it. */
const BACK = "/account";

const MAX_BODY_BYTES = 1_024;
/**
 * The longest event, in bytes. Subscription events have a few thousand. The signature can only be checked when all of
 * it is in memory, and each connection of a worker can send one.
 */
const MAX_EVENT_BYTES = 1 << 17;

/** `POST /account/billing/checkout` returns the URL of a Stripe page where the user pays for a plan. */
const CHECKOUT_ROUTE = billingRoute({
  path: "/account/billing/checkout",
  schema: CheckoutBody,
  wanted: '{"plan": "NAME"}',
  limit: perHour(10),
  async act({ accountId, back, billing, body: { plan } }) {
    const outcome = await billing.startCheckout(accountId, plan, {
      paid: `${back}?checkout=paid`,
      cancelled: `${back}?checkout=cancelled`,
    });
    return outcome.outcome === "started" ? outcome : checkoutFailure(outcome);
  },
});

/** `POST /account/billing/portal` returns the URL of the user's Stripe customer portal. */
const PORTAL_ROUTE = billingRoute({
  path: "/account/billing/portal",
  schema: NoMembersBody,
  wanted: "{}",
  limit: perHour(20),
  async act({ accountId, back, billing }) {
    const outcome = await billing.openPortal(accountId, back);
    return outcome.outcome === "opened"
      ? outcome
      : {
          code: "not_subscribed",
          message:
            "This account has never subscribed to a plan. Choose one first.",
        };
  },
});

/**
 * `POST /billing/webhook` receives Stripe's events. 200 means that an event is stored or not needed. After anything
 * else Stripe sends it again, for three days.
 */
const WEBHOOK_ROUTE: Route = {
  method: "POST",
  path: "/billing/webhook",
  access: "webhook",
  counted: "billing",
  bodyLimit: MAX_EVENT_BYTES,
  handler({ deps }) {
    if (deps.billing === null) return null;
    const { billing } = deps.billing;
    const { logger } = deps;
    const failed = "billing event failed; Stripe will send it again";
    return withStripe(deps, failed, async ({ body, headers, id }) => {
      if (!Buffer.isBuffer(body))
        throw new Refusal(wantedBody("an event of at most 128 KB"));
      const signature = String(headers["stripe-signature"] ?? "");
      const outcome = await billing.processEvent(body, signature);
      if (outcome.outcome === "forged")
        throw new Refusal({
          code: "invalid_signature",
          message:
            "This event is not signed with the endpoint's secret, or was signed more than five minutes ago.",
        });
      logger?.info({ request_id: id, ...outcome }, "billing event");
      if (outcome.outcome === "settled" && outcome.unknownPrice !== null)
        logger?.error(
          { account: outcome.accountId, price: outcome.unknownPrice },
          "an account pays a price that is not in STRIPE_PRICES: add it and restart, so that the account gets its plan",
        );
      return json({ data: { received: true }, meta: {} }, NO_STORE);
    });
  },
};

export const BILLING_ROUTES = [CHECKOUT_ROUTE, PORTAL_ROUTE, WEBHOOK_ROUTE];

/** A route for signed-in users who pay. */
interface BillingAction<Body extends TObject> {
  readonly path: string;
  readonly schema: Body;
  /** The body that the schema allows, for the error message. */
  readonly wanted: string;
  readonly limit: AttemptLimit;
  /** Finds the URL of a page at Stripe. */
  readonly act: (request: {
    readonly accountId: number;
    readonly billing: BillingDependencies["billing"];
    readonly body: Static<Body>;
    /** The path that Stripe redirects to. */
    readonly back: string;
  }) => Promise<{ readonly url: string } | Failure>;
}

function billingRoute<Body extends TObject>({
  act,
  limit,
  path,
  schema,
  wanted,
}: BillingAction<Body>): Route {
  const check = Compile(schema);
  return {
    method: "POST",
    path,
    answer: RedirectAnswer,
    access: "billing",
    counted: "billing",
    bodyLimit: MAX_BODY_BYTES,
    handler({ deps }) {
      if (deps.billing === null) return null;
      const { attempts, billing, publicUrl, findOwner } = deps.billing;
      const back = `${publicUrl}${hasPages(deps) ? PAGE_PATHS.plan : BACK}`;
      return withStripe(deps, "billing failed", async (call) => {
        const owner = await findOwner(call);
        if (owner === null) throw new Refusal(notSignedIn(SIGN_IN));
        const isJson = JSON_BODY.test(call.headers["content-type"] ?? "");
        const body = isJson ? jsonOf(call.body) : undefined;
        if (!check.Check(body)) throw new Refusal(wantedBody(wanted));
        const { accountId } = owner;
        const name = `POST ${path}`;
        must(await hourlyLimitFailure(attempts, accountId, name, limit));
        const { url } = must(await act({ accountId, back, billing, body }));
        return json({ data: { url }, meta: {} });
      });
    },
  };
}

/** Makes a handler that works with Stripe and the accounts database. If one of them fails, that is logged. */
function withStripe(
  { logger }: AppContext,
  message: string,
  work: (call: Call) => Promise<Reply>,
): (call: Call) => Promise<Reply> {
  return async (call) => {
    try {
      return await work(call);
    } catch (err) {
      if (err instanceof Refusal) throw err;
      logger?.error({ request_id: call.id, err }, message);
      throw new Refusal(billingUnavailable());
    }
  };
}

const SIGN_IN = "Sign in first.";

function checkoutFailure(
  outcome: Exclude<CheckoutOutcome, { outcome: "started" }>,
): Failure {
  switch (outcome.outcome) {
    case "unknown_plan":
      return {
        code: "invalid_body",
        message: `This plan is not for sale. Choose ${outcome.known.join(" or ")}.`,
      };
    case "subscribed":
      return {
        code: "already_subscribed",
        message:
          "This account already has an active subscription. Change or cancel it in the customer portal.",
      };
    case "suspended":
      return accountSuspended(
        "This account is suspended and cannot buy a plan.",
      );
    default:
      // The account was deleted, and its sessions with it.
      return notSignedIn(SIGN_IN);
  }
}
