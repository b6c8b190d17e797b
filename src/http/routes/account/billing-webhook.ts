import { billingUnavailable, wantedBody } from "../../access/failures.ts";
import { json } from "../../call.ts";
import { Refusal } from "../../pipeline/failure.ts";
import type { Route } from "../route.ts";

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
  bodyLimit: MAX_EVENT_BYTES,
  handler({ deps }) {
    if (deps.billing === null) return null;
    const { billing } = deps.billing;
    const { logger } = deps;
    return async ({ body, headers, id }) => {
      const signature = headers["stripe-signature"];
      if (!Buffer.isBuffer(body))
        throw new Refusal(wantedBody("an event of at most 128 KB"));
      try {
        const outcome = await billing.processEvent(
          body,
          String(signature ?? ""),
        );
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
      } catch (err) {
        if (err instanceof Refusal) throw err;
        logger?.error(
          { request_id: id, err },
          "billing event failed; Stripe will send it again",
        );
        throw new Refusal(billingUnavailable());
      }
      return json({ data: { received: true }, meta: {} }, [
        "cache-control",
        "no-store",
      ]);
    };
  },
};
