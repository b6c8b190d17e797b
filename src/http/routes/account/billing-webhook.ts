import type { FastifyError, FastifyInstance } from "fastify";
import { billingUnavailable, wantedBody } from "../../access/failures.ts";
import type { Route, RouteContext } from "../route.ts";

/**
 * The longest event, in bytes. Subscription events have a few thousand. The signature can only be checked when all of
 * it is in memory, and each connection of a worker can send one.
 */
const MAX_EVENT_BYTES = 1 << 17;

/**
 * `POST /billing/webhook` receives Stripe's events. 200 means that an event is stored or not needed. After anything
 * else Stripe sends it again, for three days.
 */
export const BILLING_WEBHOOK_ROUTE: Route = {
  method: "POST",
  path: "/billing/webhook",
  access: "webhook",
  counted: "billing",
  handler({ deps, refuse }) {
    if (deps.billing === null) return null;
    const { billing } = deps.billing;
    const { logger } = deps;
    return async (request, reply) => {
      const { body } = request;
      const signature = request.headers["stripe-signature"];
      const event = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      try {
        const outcome = await billing.processEvent(
          event,
          String(signature ?? ""),
        );
        if (outcome.outcome === "forged")
          return refuse(request, reply, {
            code: "invalid_signature",
            message:
              "This event is not signed with the endpoint's secret, or was signed more than five minutes ago.",
          });
        logger?.info({ request_id: request.id, ...outcome }, "billing event");
        if (outcome.outcome === "settled" && outcome.unknownPrice !== null)
          logger?.error(
            { account: outcome.accountId, price: outcome.unknownPrice },
            "an account pays a price that is not in STRIPE_PRICES: add it and restart, so that the account gets its plan",
          );
      } catch (err) {
        logger?.error(
          { request_id: request.id, err },
          "billing event failed; Stripe will send it again",
        );
        return refuse(request, reply, billingUnavailable());
      }
      reply.header("cache-control", "no-store");
      return { data: { received: true }, meta: {} };
    };
  },
};

/** Keeps bodies as bytes, because the signature covers them. */
export function readEvents(
  part: FastifyInstance,
  { refuse }: RouteContext,
): void {
  part.removeAllContentTypeParsers();
  part.addContentTypeParser(
    "*",
    { parseAs: "buffer", bodyLimit: MAX_EVENT_BYTES },
    (_request, body, done) => done(null, body),
  );
  part.setErrorHandler((error: FastifyError, request, reply) => {
    if (!error.code?.startsWith("FST_ERR_CTP_")) throw error;
    return refuse(request, reply, wantedBody("an event of at most 128 KB"));
  });
}
