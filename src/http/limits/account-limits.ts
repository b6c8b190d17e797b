import type { Accounts } from "../../accounts/accounts.ts";
import type { AttemptLimit } from "../../accounts/users/attempts.ts";
import type { BurstRate, Gate } from "../../accounts/metering/gate.ts";
import type { Failure } from "../pipeline/failure.ts";

const HOUR_MS = 3_600_000;

/** How fast the owner of an account may ask `/account`, whatever it is, in each process. */
const BURST: BurstRate = { perSecond: 20, size: 60 };

/** How often one account may do what changes something: over all sessions, workers and machines. Other methods only read. */
const LIMITS = {
  "POST /account/keys": anHour(20),
  "POST /account/keys/:id/rotate": anHour(20),
  "DELETE /account/keys/:id": anHour(60),
  "DELETE /account": anHour(30),
  "POST /account/billing/checkout": anHour(10),
  "POST /account/billing/portal": anHour(20),
} as const satisfies Readonly<Record<string, AttemptLimit>>;

/** Something that an account may do so often: a method and a path, as routes have it. */
type LimitedAct = keyof typeof LIMITS;

export function isLimited(act: string): act is LimitedAct {
  return Object.hasOwn(LIMITS, act);
}

/** Takes a request of an account's owner; what refuses it, null when it may go on. */
export function burstFailure(
  gate: Gate,
  accountId: number,
  nowMs: number,
): Failure | null {
  const burst = gate.takeOwnerBurst(accountId, BURST, nowMs);
  return burst.allowed
    ? null
    : tooOften(
        `Your account may ask ${BURST.perSecond} times a second.`,
        burst.retryAfterSeconds,
      );
}

/** Counts that an account does something; what refuses it, null when it may go on. */
export async function actFailure(
  accounts: Pick<Accounts, "takeAttempt">,
  accountId: number,
  act: LimitedAct,
): Promise<Failure | null> {
  const limit = LIMITS[act];
  const attempt = { kind: "account", of: `${accountId} ${act}` } as const;
  const wait = await accounts.takeAttempt(attempt, limit);
  return wait === 0
    ? null
    : tooOften(`Your account may do this ${limit.most} times an hour.`, wait);
}

function anHour(most: number): AttemptLimit {
  return { most, windowMs: HOUR_MS };
}

function tooOften(limit: string, retryAfterSeconds: number): Failure {
  return {
    code: "rate_limited",
    message: `${limit} Try again in ${retryAfterSeconds} s.`,
    headers: { "retry-after": String(retryAfterSeconds) },
  };
}
