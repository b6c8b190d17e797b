import type { FastifyBaseLogger, FastifyError, FastifyInstance } from "fastify";
import type { Billing } from "../../../billing/billing.ts";
import { billingUnavailable, invalidBody } from "./billing-failures.ts";
import type { Refuse } from "../../pipeline/failure.ts";

/**
 * The longest event that is read, in bytes. Those of subscriptions have a few thousand; whether one is Stripe's can only be
 * told when all of it is here, and each of a worker's connections may send one.
 */
const MAX_EVENT_BYTES = 1 << 17;

/**
 * `POST /billing/webhook` takes Stripe's events. 200 says that an event is written down, or needs not to be; anything
 * else makes Stripe send it again, for three days. `app` has to be a part of its own, for bodies stay bytes here.
 */
export function addBillingWebhook(
  app: FastifyInstance,
  billing: Billing,
  logger: FastifyBaseLogger | null,
  refuse: Refuse,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "*",
    { parseAs: "buffer", bodyLimit: MAX_EVENT_BYTES },
    (_request, body, done) => done(null, body),
  );

  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (!error.code?.startsWith("FST_ERR_CTP_")) throw error;
    return refuse(request, reply, invalidBody("an event of at most 128 KB"));
  });

  app.post("/billing/webhook", async (request, reply) => {
    const { body } = request;
    const signature = request.headers["stripe-signature"];
    const event = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    try {
      const outcome = await billing.takeEvent(event, String(signature ?? ""));
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
          "an account pays a price that STRIPE_PRICES names for no plan: add it, and start the service again, so that the account gets its plan",
        );
    } catch (err) {
      logger?.error(
        { request_id: request.id, err },
        "a billing event could not be dealt with; Stripe sends it again",
      );
      return refuse(request, reply, billingUnavailable());
    }
    reply.header("cache-control", "no-store");
    return { data: { received: true }, meta: {} };
  });
}
