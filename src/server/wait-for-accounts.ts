import { setTimeout as sleep } from "node:timers/promises";
import { AccountsDatabaseAwayError } from "../accounts/database/database.ts";

/** How long to wait before the server is asked again: doubled each time, in milliseconds. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

export interface Patience {
  /** For how long a server that is away is tried again. */
  readonly waitMs: number;
  /** Ends the wait. */
  readonly stop: AbortSignal;
  /** Told once, in a sentence, that the server is away and is tried again. */
  readonly onAway: (reason: string) => void;
}

/**
 * Does what a start needs the accounts' database for, all over again for a while where its server is away or goes away
 * meanwhile: machines and containers start in any order. Null when that was stopped. Throws AccountsDatabaseError at the end of
 * the while, and at once for any other fault.
 */
export async function whenAccountsAreThere<Result>(
  attempt: () => Promise<Result>,
  { onAway, stop, waitMs }: Patience,
): Promise<Result | null> {
  const until = performance.now() + waitMs;
  for (let pauseMs = FIRST_WAIT_MS; ; pauseMs *= 2) {
    try {
      return await attempt();
    } catch (error) {
      if (stop.aborted) return null;
      const leftMs = until - performance.now();
      if (!(error instanceof AccountsDatabaseAwayError) || leftMs <= 0)
        throw error;
      if (pauseMs === FIRST_WAIT_MS)
        onAway(
          `${error.message} It is tried again for ${Math.ceil(waitMs / 1000)} s.`,
        );
      await sleep(Math.min(pauseMs, LONGEST_WAIT_MS, leftMs), undefined, {
        signal: stop,
      }).catch(() => undefined);
      if (stop.aborted) return null;
    }
  }
}
