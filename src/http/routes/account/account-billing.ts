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
import type { BillingDependencies, AccountOwner } from "../../app-context.ts";
import { hourlyLimitFailure, perHour } from "../../limits/account-limits.ts";
import { json, type Call } from "../../call.ts";
import { must, Refusal, type Failure } from "../../pipeline/failure.ts";
import { hasPages, type Route } from "../route.ts";
import { JSON_BODY } from "./request-body.ts";

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
    handler({ deps }) {
      if (deps.billing === null) return null;
      const { logger } = deps;
      const { attempts, billing, publicUrl, findOwner } = deps.billing;
      const back = `${publicUrl}${hasPages(deps) ? PAGE_PATHS.plan : BACK}`;
      return async (call) => {
        try {
          const owner = await findOwner(call);
          if (owner === null) throw new Refusal(notSignedIn(SIGN_IN));
          const body = parsed(call);
          if (body === undefined) throw new Refusal(wantedBody(WANTED[name]));
          const { accountId } = owner;
          const { url } = must(
            await act({
              billing,
              owner,
              body,
              back,
              countAct: () =>
                hourlyLimitFailure(attempts, accountId, `POST ${path}`, limit),
            }),
          );
          return json({ data: { url }, meta: {} });
        } catch (err) {
          if (err instanceof Refusal) throw err;
          logger?.error({ request_id: call.id, err }, "billing failed");
          throw new Refusal(billingUnavailable());
        }
      };
    },
  };
}

/** Parses a body; undefined if it is too long, or not JSON. */
function parsed({ body, headers }: Call): unknown {
  const isJson = JSON_BODY.test(headers["content-type"] ?? "");
  if (!Buffer.isBuffer(body) || !isJson) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
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
