import type { AttemptLimit, Attempts } from "../../accounts/users/attempts.ts";
import type { BurstRate } from "../../accounts/metering/gate.ts";
import type { Gate } from "../../accounts/metering/thread-gate.ts";
import { tryAgain, type Failure } from "../pipeline/failure.ts";

const HOUR_MS = 3_600_000;

/** Requests to `/account` per account, counted in each process. */
const BURST: BurstRate = { perSecond: 20, size: 60 };

/** Counts a request of an account's owner. Returns a failure if it is too many. */
export function burstFailure(
  gate: Gate,
  accountId: number,
  nowMs: number,
): Failure | null {
  const burst = gate.takeOwnerBurst(accountId, BURST, nowMs);
  return burst.allowed
    ? null
    : tryAgain(
        "rate_limited",
        `Your account may send ${BURST.perSecond} requests per second.`,
        burst.retryAfterSeconds,
      );
}

export function perHour(most: number): AttemptLimit {
  return { most, windowMs: HOUR_MS };
}

/**
 * Counts an action of an account, named by method and path. Returns a failure if it is too many. The limit applies
 * across all sessions, workers and machines.
 */
export async function hourlyLimitFailure(
  attempts: Pick<Attempts, "take">,
  accountId: number,
  act: string,
  limit: AttemptLimit,
): Promise<Failure | null> {
  const attempt = { kind: "account", of: `${accountId} ${act}` } as const;
  const wait = await attempts.take(attempt, limit);
  return wait === 0
    ? null
    : tryAgain(
        "rate_limited",
        `Your account may do this ${limit.most} times per hour.`,
        wait,
      );
}
