import { UpdateError } from "../update-error.ts";

const BASE_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;
/** If a server asks for a longer wait, the next update tries again. */
const MAX_RETRY_AFTER_MS = 600_000;

/** The rules for waiting between attempts. */
export interface RetryPolicy {
  /** The number of retries in a row without progress. */
  retries: number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Returns a number from 0 up to but not including 1. */
  random: () => number;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Called before each wait. */
  onRetry?: (why: string, waitMs: number) => void;
}

/** A failure that may be temporary. The message is a sentence without its full stop. */
export class RetryableError extends Error {
  override readonly name = "RetryableError";
  /** The wait that the server requested, or null. */
  readonly waitMs: number | null;
  /** True if the attempt made enough progress not to count as a failure. */
  readonly madeProgress: boolean;

  constructor(
    message: string,
    {
      waitMs = null,
      madeProgress = false,
      cause,
    }: { waitMs?: number | null; madeProgress?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.waitMs = waitMs;
    this.madeProgress = madeProgress;
  }
}

/**
 * Retries after each RetryableError, with exponential backoff and jitter. Throws UpdateError when the retries are used
 * up, and anything else that the attempt throws.
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
      if (error.madeProgress) failures = 1;
      if (failures > retries)
        throw new UpdateError(
          `${error.message}, attempt ${failures} of ${retries + 1}. Run update again later; it keeps what was downloaded.`,
          { cause: error },
        );
      const backoffMs = Math.min(
        BASE_DELAY_MS * 2 ** (failures - 1),
        MAX_DELAY_MS,
      );
      const waitMs = Math.max(
        Math.round(backoffMs * (0.5 + random() / 2)),
        error.waitMs ?? 0,
      );
      if (waitMs > MAX_RETRY_AFTER_MS)
        throw new UpdateError(
          `${error.message} and asked to wait. Run update again after ${new Date(now() + waitMs).toISOString()}; it keeps what was downloaded.`,
          { cause: error },
        );
      onRetry?.(error.message, waitMs);
      await sleep(waitMs, signal);
    }
  }
}

/** Reads the wait of a `Retry-After` header in seconds or as a date; null if it is absent or invalid. */
export function retryAfterMs(
  header: string | undefined,
  nowMs: number,
): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(date - nowMs, 0);
}
