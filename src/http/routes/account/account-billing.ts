import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
} from "fastify";
import { Compile } from "typebox/schema";
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
import { refuseCrossSite } from "../../access/same-origin.ts";
import type { BillingDependencies, AccountOwner } from "../../app-context.ts";
import { hourlyLimitFailure, perHour } from "../../limits/account-limits.ts";
import type { Failure } from "../../pipeline/failure.ts";
import { hasPages, type Route, type RouteContext } from "../route.ts";

/** Where Stripe redirects to, below the public URL, without the portal's pages. Clients cannot choose it. */
const BACK = "/account";

const MAX_BODY_BYTES = 1_024;
const WANTED = { checkout: '{"plan": "NAME"}', portal: "{}" };

const checkoutBody = Compile(CheckoutBody);
const noMembersBody = Compile(NoMembersBody);

/** `POST /account/billing/checkout` returns the URL of a Stripe page where the user pays for a plan. */
const CHECKOUT_ROUTE = billingRoute("checkout", perHour(10), async (own) => {
  const { back, billing, body, countAct, owner } = own;
  if (!checkoutBody.Check(body)) return wantedBody(WANTED.checkout);
  const tooOften = await countAct();
  if (tooOften !== null) return tooOften;
  const outcome = await billing.startCheckout(owner.accountId, body.plan, {
    paid: `${back}?checkout=paid`,
    cancelled: `${back}?checkout=cancelled`,
  });
  return outcome.outcome === "started" ? outcome : checkoutFailure(outcome);
});

/** `POST /account/billing/portal` returns the URL of the user's Stripe customer portal. */
const PORTAL_ROUTE = billingRoute("portal", perHour(20), async (own) => {
  const { back, billing, body, countAct, owner } = own;
  if (!noMembersBody.Check(body)) return wantedBody(WANTED.portal);
  const tooOften = await countAct();
  if (tooOften !== null) return tooOften;
  const outcome = await billing.openPortal(owner.accountId, back);
  return outcome.outcome === "opened"
    ? outcome
    : {
        code: "not_subscribed",
        message:
          "This account has never subscribed to a plan. Choose one first.",
      };
});

export const BILLING_ROUTES = [CHECKOUT_ROUTE, PORTAL_ROUTE];

/** A signed-in user's request about billing. */
interface BillingRequest {
  readonly billing: BillingDependencies["billing"];
  readonly owner: AccountOwner;
  readonly body: unknown;
  /** Where Stripe redirects to. */
  readonly back: string;
  /** Counts the request. Returns a failure if there are too many. */
  readonly countAct: () => Promise<Failure | null>;
}

function billingRoute(
  name: keyof typeof WANTED,
  limit: ReturnType<typeof perHour>,
  act: (request: BillingRequest) => Promise<{ readonly url: string } | Failure>,
): Route {
  const path = `/account/billing/${name}`;
  return {
    method: "POST",
    path,
    answer: RedirectAnswer,
    access: "billing",
    counted: "billing",
    bodyLimit: MAX_BODY_BYTES,
    handler({ deps, refuse }): RouteHandlerMethod | null {
      if (deps.billing === null) return null;
      const { attempts, billing, publicUrl, findOwner } = deps.billing;
      const back = `${publicUrl}${hasPages(deps) ? PAGE_PATHS.plan : BACK}`;
      return async function handle(
        request: FastifyRequest,
        reply: FastifyReply,
      ): Promise<FastifyReply> {
        const owner = await findOwner(request);
        if (owner === null) return refuse(request, reply, notSignedIn(SIGN_IN));
        const { accountId } = owner;
        const outcome = await act({
          billing,
          owner,
          body: request.body,
          back,
          countAct: () =>
            hourlyLimitFailure(attempts, accountId, `POST ${path}`, limit),
        });
        return "code" in outcome
          ? refuse(request, reply, outcome)
          : reply.send({ data: { url: outcome.url }, meta: {} });
      };
    },
  };
}

/** Rejects requests from other sites, and handles errors of bodies and of Stripe. */
export function guardBilling(
  part: FastifyInstance,
  { deps: { billing, logger }, refuse }: RouteContext,
): void {
  const origins = billing === null ? [] : [new URL(billing.publicUrl).origin];
  refuseCrossSite(part, () => origins, refuse);
  part.setErrorHandler((error: FastifyError, request, reply) => {
    // Fastify's own errors are about the body: type, length, JSON.
    if (error.code?.startsWith("FST_ERR_CTP_") || error.statusCode === 400)
      return refuse(request, reply, wantedBody(wantedBy(request)));
    logger?.error({ request_id: request.id, err: error }, "billing failed");
    return refuse(request, reply, billingUnavailable());
  });
}

const SIGN_IN = "Sign in first.";

function wantedBy({ routeOptions }: FastifyRequest): string {
  return routeOptions.url?.endsWith("/portal") === true
    ? WANTED.portal
    : WANTED.checkout;
}

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
