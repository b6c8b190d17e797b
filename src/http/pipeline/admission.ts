import type { FastifyReply, FastifyRequest } from "fastify";
import type { QuotaState } from "../../accounts/metering/gate.ts";
import type { Directory } from "../../search/directory.ts";
import type { Caller } from "../access/authorize.ts";
import { quotaUnchecked } from "../access/failures.ts";
import type { AppContext } from "../app-context.ts";
import { dataFor, isFailure } from "../queries/data-operation.ts";
import type { Failure } from "./failure.ts";

/** How long a request waits for its account's quota, in milliseconds; each time may take another such while. */
export const MAX_QUOTA_WAIT_MS = 2_000;

/** What a request's answers are counted for, and as. */
type Counted = Pick<Caller, "account" | "operation" | "nowMs">;

/** A request that passed all checks: its data and its caller. */
export interface Admitted<By extends Caller | null = Caller> {
  readonly data: Directory;
  readonly caller: By;
}

/** The last two checks: data is loaded, and the account's month has something left. */
export function admit(
  { data: holder, gate }: AppContext,
  { caller }: FastifyRequest,
  pinned: string | undefined,
): Admitted | Failure {
  if (caller === null)
    throw new Error("A request reached the data without a key check.");
  const data = dataFor(holder, pinned);
  if (isFailure(data)) return data;
  const quota = gate.quota(caller.account, caller.nowMs);
  return quota.remaining > 0 ? { data, caller } : quotaExceeded(quota);
}

/** The same for a request that may be a visitor's, without a caller; its answers are not counted. */
export function admitAnyone(
  context: AppContext,
  request: FastifyRequest,
  pinned: string | undefined,
): Admitted<Caller | null> | Failure {
  if (request.visitor === null) return admit(context, request, pinned);
  const data = dataFor(context.data, pinned);
  return isFailure(data) ? data : { data, caller: null };
}

/** Whether the account's quota has answers left: null if so, "pending" if that must be waited for. */
export function readiness(
  { gate }: AppContext,
  caller: Caller | null,
  answers: number,
): Failure | "pending" | null {
  // Whether the month has one left is checked already, and what that one becomes, once it is counted.
  if (answers === 0 || caller === null) return null;
  const { account, nowMs } = caller;
  const taking = gate.checkQuota(account, nowMs, answers);
  if (taking === "pending") return taking;
  return taking === "used_up" && answers > 1
    ? quotaExceeded(gate.quota(account, nowMs), answers)
    : null;
}

/**
 * Counts answers from the data. If the month has fewer left, nothing is counted, and the returned failure must be sent
 * instead; "pending" if the quota must be waited for.
 */
export function count(
  { gate }: AppContext,
  caller: Counted | null,
  answers: number,
): Failure | "pending" | null {
  if (answers === 0 || caller === null) return null;
  const { account, nowMs, operation } = caller;
  switch (gate.takeQuota(account, nowMs, operation, answers)) {
    case "taken":
      return null;
    case "used_up":
      return quotaExceeded(gate.quota(account, nowMs), answers);
    case "unavailable":
      return quotaUnchecked();
    default:
      return "pending";
  }
}

/** The same, after waiting for the quota if necessary; null also if the client is gone. */
export async function countInTime(
  context: AppContext,
  { raw }: FastifyReply,
  caller: Counted,
  answers: number,
): Promise<Failure | null> {
  const { account, nowMs } = caller;
  const untilMs = performance.now() + MAX_QUOTA_WAIT_MS;
  for (;;) {
    if (raw.destroyed) return null;
    const outcome = count(context, caller, answers);
    if (outcome !== "pending") return outcome;
    if (performance.now() > untilMs) return quotaUnchecked();
    await context.gate.awaitQuota(account, nowMs, answers);
  }
}

/** The failure of a request for as many answers as are not left. */
export function quotaExceeded(
  {
    limit,
    remaining = 0,
    resetAt,
    resetSeconds,
  }: Pick<QuotaState, "limit" | "resetAt" | "resetSeconds"> &
    Partial<Pick<QuotaState, "remaining">>,
  answers = 1,
): Failure {
  const nextMonth = new Date(resetAt * 1000).toISOString().slice(0, 10);
  const reason =
    answers === 1 || remaining === 0
      ? `All ${limit} requests for this month are used.`
      : `This request counts as ${answers}, and only ${remaining} of ${limit} are left this month.`;
  return {
    code: "quota_exceeded",
    message: `${reason} The quota resets on ${nextMonth} at 00:00 UTC.`,
    headers: { "retry-after": String(resetSeconds) },
  };
}
