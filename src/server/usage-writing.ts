import type { Logger } from "pino";
import type { Accounts } from "../accounts/accounts.ts";
import { withoutDatabase } from "../accounts/metering/counters.ts";
import {
  startUsageFlush,
  type FlushState,
} from "../accounts/metering/usage-flusher.ts";

export interface UsageWritingOptions {
  readonly accounts: Accounts;
  /** The memory in which all workers count (`createUsageBuffer`). */
  readonly usage: SharedArrayBuffer;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly logger: Logger;
}

export interface UsageWriting extends AsyncDisposable {
  readonly state: FlushState;
}

/** Writes usage to the database each second, and tells the operator when that fails, and what it came to. */
export function keepUsageWritten({
  accounts,
  clock,
  logger,
  usage,
}: UsageWritingOptions): UsageWriting {
  const flusher = startUsageFlush({
    accounts,
    usage,
    clock,
    onError: (err) =>
      logger.error(
        { err },
        "the accounts' database does not take what is used: it is counted here and written later",
      ),
    onRecovered(lastedMs, written) {
      const { fromMemory, refused } = withoutDatabase(usage);
      logger.warn(
        { seconds: Math.round(lastedMs / 1000), written, fromMemory, refused },
        "the accounts' database takes what is used again; nothing was lost (fromMemory and refused: requests without it since the start)",
      );
    },
  });
  return {
    get state() {
      return flusher.state;
    },
    async [Symbol.asyncDispose]() {
      try {
        await flusher[Symbol.asyncDispose]();
      } catch (err) {
        logger.error(
          { err, lost: flusher.unwritten },
          "the accounts' database was away when the service stopped: what was counted and not written is lost",
        );
      }
    },
  };
}
