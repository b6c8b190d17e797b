import { UpdateError } from "../update-error.ts";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** A server that asks for more is asked again by the next update. */
const LONGEST_ASKED_MS = 600_000;

/** What waiting between attempts needs. */
export interface RetryPolicy {
  /** How many times in a row something is tried again that makes no headway. */
  retries: number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to but not including 1. */
  random: () => number;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Told before each wait. */
  onRetry?: (why: string, waitMs: number) => void;
}

/** It did not work, and may the next time. The message is a sentence without its full stop. */
export class RetryableError extends Error {
  override readonly name = "RetryableError";
  /** How long the server asks us to wait; null when it does not. */
  readonly waitMs: number | null;
  /** Whether the attempt got on so far that it should not count. */
  readonly isHeadway: boolean;

  constructor(
    message: string,
    {
      waitMs = null,
      isHeadway = false,
      cause,
    }: { waitMs?: number | null; isHeadway?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.waitMs = waitMs;
    this.isHeadway = isHeadway;
  }
}

/**
 * Tries something until it works: after each RetryableError anew, with waits that double, half of each by chance so that
 * many clients do not come back at once. Throws an UpdateError when it has been tried often enough, and whatever else
 * the attempt throws.
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  { now, onRetry, random, retries, sleep }: RetryPolicy,
  signal: AbortSignal,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error;
      if (error.isHeadway) failures = 1;
      if (failures > retries)
        throw new UpdateError(
          `${error.message}, attempt ${failures} of ${retries + 1}. Run update again later; it keeps what was downloaded.`,
          { cause: error },
        );
      const ownMs = Math.min(
        FIRST_WAIT_MS * 2 ** (failures - 1),
        LONGEST_WAIT_MS,
      );
      const waitMs = Math.max(
        Math.round(ownMs * (0.5 + random() / 2)),
        error.waitMs ?? 0,
      );
      if (waitMs > LONGEST_ASKED_MS)
        throw new UpdateError(
          `${error.message} and asked to wait. Run update again after ${new Date(now() + waitMs).toISOString()}; it keeps what was downloaded.`,
          { cause: error },
        );
      onRetry?.(error.message, waitMs);
      await sleep(waitMs, signal);
    }
  }
}

/** The wait that a `Retry-After` header asks for, in seconds or as a date; null when there is none that can be read. */
export function retryAfterMs(
  header: string | undefined,
  nowMs: number,
): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(date - nowMs, 0);
}
