import type { Failure } from "../../pipeline/failure.ts";
import { invalidBody } from "./read-body.ts";

/** When to ask again while Stripe or the database is away, in seconds. */
const RETRY_SECONDS = 30;

/** Stripe, or the database that notes who pays, does not answer. */
export function billingUnavailable(): Failure {
  return {
    code: "billing_unavailable",
    message: `Billing cannot be reached at the moment, and nothing was changed. Try again in ${RETRY_SECONDS} s.`,
    headers: { "retry-after": String(RETRY_SECONDS) },
  };
}

/** An account is to be deleted that may be paying, and Stripe is not configured. */
export function paymentsNotEnded(): Failure {
  return {
    code: "payments_not_ended",
    message:
      "This account may still pay for a plan, and the service cannot end that at the moment. Nothing was deleted: ask whoever runs the service to do it.",
  };
}

/** The body is not what the path asks for; `wanted` shows what is. */
export function wantedBody(wanted: string): Failure {
  return invalidBody(`Send ${wanted} as application/json.`);
}
