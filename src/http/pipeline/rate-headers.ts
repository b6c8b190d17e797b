import type {
  BurstState,
  Plan,
  QuotaState,
} from "../../accounts/metering/gate.ts";
import type { HeaderList } from "./header-list.ts";

/**
 * An account's limits as an answer states them: the IETF draft's RateLimit and RateLimit-Policy
 * (httpapi-ratelimit-headers), and the X-RateLimit headers of the month for the clients of today. X-RateLimit-Reset is
 * in epoch seconds.
 */
export function rateHeaders(
  plan: Plan,
  burst: BurstState,
  quota: QuotaState,
): HeaderList {
  return [
    "ratelimit-policy",
    `"month";q=${quota.limit};w=${quota.windowSeconds}, "burst";q=${plan.burstPerSecond};w=1`,
    "ratelimit",
    `"month";r=${quota.remaining};t=${quota.resetSeconds}, "burst";r=${burst.remaining};t=${burst.resetSeconds}`,
    "x-ratelimit-limit",
    String(quota.limit),
    "x-ratelimit-remaining",
    String(quota.remaining),
    "x-ratelimit-reset",
    String(quota.resetAt),
  ];
}
