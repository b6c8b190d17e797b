import type { QuotaState } from "../../accounts/metering/gate.ts";
import type { Caller } from "../access/authorize.ts";
import { cacheHeaders } from "./conditional.ts";
import type { Validators } from "./conditional.ts";
import { FIXED_HEADER_LIST } from "./fixed-headers.ts";
import { rateHeaders } from "./rate-headers.ts";

/**
 * The headers of an answer from the data that is written past the framework: all that its hooks put on other answers to
 * a checked key, and those of caching. The caller adds its own to the list.
 */
export function answerHeaders(
  requestId: string,
  { account, burst }: Pick<Caller, "account" | "burst">,
  quota: QuotaState,
  validators: Validators,
): string[] {
  return FIXED_HEADER_LIST.concat(
    ["x-request-id", requestId],
    rateHeaders(account.plan, burst, quota),
    cacheHeaders(validators),
  );
}
