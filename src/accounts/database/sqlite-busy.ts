import { setTimeout as sleep } from "node:timers/promises";

/** How long a write waits for another: 250 attempts, 20 ms apart, are 5 s. */
const ATTEMPTS = 250;
const PAUSE_MS = 20;

const SQLITE_BUSY = 5;

/**
 * Retries while another connection has the lock, for at most five seconds. SQLite's `busy_timeout` would block the
 * thread, and with it a transaction of the same thread that is about to end.
 */
export async function retryWhileBusy<Result>(
  attempt: () => Result | Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts === ATTEMPTS || !isBusy(error)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** Extended codes (an outdated snapshot, a running recovery) end in the same byte. */
function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    "errcode" in error &&
    typeof error.errcode === "number" &&
    (error.errcode & 0xff) === SQLITE_BUSY
  );
}
