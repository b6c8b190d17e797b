import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
} from "fastify";
import { actFailure } from "../../limits/account-limits.ts";
import type { CheckoutOutcome } from "../../../billing/checkout.ts";
import { PAGE_PATHS } from "../../../site/page-paths.ts";
import { billingUnavailable, invalidBody } from "./billing-failures.ts";
import type { BillingDependencies, Person } from "../../app-context.ts";
import type { Failure, Refuse } from "../../pipeline/failure.ts";
import { closeToOtherSites } from "../../access/same-origin.ts";

/** Where Stripe sends people back to, below the public address, without the portal's page. Nobody else chooses it. */
const BACK = "/account";

const MAX_BODY_BYTES = 1_024;
const WANTED = { checkout: '{"plan": "NAME"}', portal: "{}" };

/**
 * `POST /account/billing/checkout` and `POST /account/billing/portal`, for people who are signed in: both answer with the
 * address of a page of Stripe. `app` has to be a part of its own, for its errors are answered here.
 */
export function addAccountBilling(
  app: FastifyInstance,
  { billing, publicUrl, signedIn, takeAttempt }: BillingDependencies,
  logger: FastifyBaseLogger | null,
  refuse: Refuse,
  hasPages: boolean,
): void {
  const back = `${publicUrl}${hasPages ? PAGE_PATHS.plan : BACK}`;
  const origins = [new URL(publicUrl).origin];
  closeToOtherSites(app, () => origins, refuse);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // The framework's own refusals are about the body: type, length, JSON.
    if (error.code?.startsWith("FST_ERR_CTP_") || error.statusCode === 400)
      return refuse(request, reply, invalidBody(wantedBy(request)));
    logger?.error({ request_id: request.id, err: error }, "billing failed");
    return refuse(request, reply, billingUnavailable());
  });

  app.post(
    "/account/billing/checkout",
    { bodyLimit: MAX_BODY_BYTES },
    forPeople(async (person, request, reply) => {
      const plan = planIn(request.body);
      if (plan === null)
        return refuse(request, reply, invalidBody(WANTED.checkout));
      const tooOften = await countAct("checkout", person);
      if (tooOften !== null) return refuse(request, reply, tooOften);
      const outcome = await billing.startCheckout(person.accountId, plan, {
        paid: `${back}?checkout=paid`,
        cancelled: `${back}?checkout=cancelled`,
      });
      return outcome.outcome === "started"
        ? reply.send(pageAt(outcome.url))
        : refuse(request, reply, checkoutFailure(outcome));
    }),
  );

  app.post(
    "/account/billing/portal",
    { bodyLimit: MAX_BODY_BYTES },
    forPeople(async (person, request, reply) => {
      if (!isObject(request.body) || Object.keys(request.body).length > 0)
        return refuse(request, reply, invalidBody(WANTED.portal));
      const tooOften = await countAct("portal", person);
      if (tooOften !== null) return refuse(request, reply, tooOften);
      const outcome = await billing.openPortal(person.accountId, back);
      return outcome.outcome === "opened"
        ? reply.send(pageAt(outcome.url))
        : refuse(request, reply, {
            code: "not_subscribed",
            message: "This account never chose a plan to pay for.",
          });
    }),
  );

  function countAct(
    act: keyof typeof WANTED,
    { accountId }: Person,
  ): Promise<Failure | null> {
    const limited = `POST /account/billing/${act}` as const;
    return actFailure({ takeAttempt }, accountId, limited);
  }

  /** A handler for those who are signed in; others are refused. */
  function forPeople(
    handle: (
      person: Person,
      request: FastifyRequest,
      reply: FastifyReply,
    ) => Promise<FastifyReply>,
  ) {
    return async function handler(
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<FastifyReply> {
      const person = await signedIn(request);
      return person === null
        ? refuse(request, reply, notSignedIn())
        : handle(person, request, reply);
    };
  }
}

function pageAt(url: string) {
  return { data: { url }, meta: {} };
}

function wantedBy({ routeOptions }: FastifyRequest): string {
  return routeOptions.url?.endsWith("/portal") === true
    ? WANTED.portal
    : WANTED.checkout;
}

/** The plan that a body names, null for any other body: no member is taken in that nobody asked for. */
function planIn(body: unknown): string | null {
  if (!isObject(body) || Object.keys(body).length !== 1) return null;
  const { plan } = body;
  return typeof plan === "string" ? plan : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checkoutFailure(
  outcome: Exclude<CheckoutOutcome, { outcome: "started" }>,
): Failure {
  switch (outcome.outcome) {
    case "unknown_plan":
      return {
        code: "invalid_body",
        message: `There is no such plan to buy: choose ${outcome.known.join(" or ")}.`,
      };
    case "subscribed":
      return {
        code: "already_subscribed",
        message:
          "A subscription of this account runs. Change or cancel it in the customer portal.",
      };
    case "suspended":
      return {
        code: "account_suspended",
        message: "This account is suspended, and buys nothing.",
      };
    default:
      // The account is gone, and with it whoever was signed in.
      return notSignedIn();
  }
}

function notSignedIn(): Failure {
  return { code: "not_signed_in", message: "Sign in first." };
}
