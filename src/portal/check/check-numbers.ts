import type { BatchEntry } from "../../contract/answers.ts";
import { MAX_BATCH_NPIS } from "../../contract/verdicts.ts";
import { callApi, type ApiFailure } from "../api/api.ts";

/** Receives what is done, and stops the check. */
export interface CheckListener {
  readonly signal: AbortSignal;
  readonly onEntries: (entries: readonly BatchEntry[]) => void;
  /** Called before a wait until the service takes the next numbers. */
  readonly onWait: (seconds: number) => void;
}

/**
 * Checks numbers, one batch after the other, and waits if there were too many. Returns why it ended early, or null.
 * Rejects if the signal aborts.
 */
export async function checkNumbers(
  numbers: readonly string[],
  { onEntries, onWait, signal }: CheckListener,
): Promise<ApiFailure | null> {
  for (let from = 0; from < numbers.length;) {
    const batch = numbers.slice(from, from + MAX_BATCH_NPIS);
    const outcome = await callApi<BatchEntry[]>(
      `/explore/check?npi=${batch.join(",")}`,
      { isOfPage: true, signal },
    );
    if (outcome.ok) {
      onEntries(outcome.answer.data);
      from += batch.length;
    } else if (outcome.failure.kind === "rate_limited") {
      onWait(outcome.failure.retryAfterSeconds);
      await passed(outcome.failure.retryAfterSeconds * 1_000, signal);
    } else return outcome.failure;
  }
  return null;
}

/** Waits. Rejects if the signal aborts. */
function passed(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
