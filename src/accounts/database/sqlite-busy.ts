import { setTimeout as sleep } from "node:timers/promises";

/** How long a write waits for another's: 250 attempts, 20 ms apart, are 5 s. */
const ATTEMPTS = 250;
const PAUSE_MS = 20;

const SQLITE_BUSY = 5;

/**
 * Tries until the database is not locked by somebody else, five seconds at most. SQLite's own waiting (`busy_timeout`)
 * stops the thread, and with it a transaction that another connection of the same thread is about to end.
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

/** The extended codes (a snapshot that is too old, a recovery that runs) end in the same byte. */
function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    "errcode" in error &&
    typeof error.errcode === "number" &&
    (error.errcode & 0xff) === SQLITE_BUSY
  );
}
