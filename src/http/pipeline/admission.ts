import type { FastifyRequest } from "fastify";
import type { QuotaState } from "../../accounts/metering/gate.ts";
import type { Caller } from "../access/authorize.ts";
import type { HttpDependencies, ProviderData } from "../app-context.ts";
import type { Failure } from "./failure.ts";
import { DATA_RETRY_SECONDS } from "../limits/server-limits.ts";

/** A request that may be answered from the data: from which, and for whom. */
export interface Admitted {
  readonly data: ProviderData;
  readonly caller: Caller;
}

export type Admission =
  | ({ readonly status: "admitted" } & Admitted)
  | { readonly status: "refused"; readonly failure: Failure };

/** The last two checks before the data: whether any is loaded, and whether the account's month has anything left. */
export function admit(
  deps: HttpDependencies,
  request: FastifyRequest,
): Admission {
  const { caller } = request;
  if (caller === null)
    throw new Error("A request reached the data without a checked key.");
  const data = deps.data.current();
  if (data === null) return { status: "refused", failure: dataNotLoaded() };
  const quota = deps.gate.quota(caller.account, caller.nowMs);
  if (quota.remaining <= 0)
    return { status: "refused", failure: quotaExceeded(quota) };
  return { status: "admitted", data, caller };
}

/**
 * Counts an answer taken from the data. A failure when another request has taken the month's last one meanwhile: then
 * nothing was counted, and the answer must not be given.
 */
export function count(deps: HttpDependencies, caller: Caller): Failure | null {
  if (deps.gate.takeQuota(caller.account, caller.nowMs, caller.operation))
    return null;
  return quotaExceeded(deps.gate.quota(caller.account, caller.nowMs));
}

/** The answer while there is no snapshot. */
export function dataNotLoaded(): Failure {
  return {
    code: "data_not_loaded",
    message: "No registry data is loaded yet. Try again soon.",
    headers: { "retry-after": String(DATA_RETRY_SECONDS) },
  };
}

function quotaExceeded(quota: QuotaState): Failure {
  const nextMonth = new Date(quota.resetAt * 1000).toISOString().slice(0, 10);
  return {
    code: "quota_exceeded",
    message: `All ${quota.limit} requests of this month are used. The next month begins on ${nextMonth}, 00:00 UTC.`,
    headers: { "retry-after": String(quota.resetSeconds) },
  };
}
