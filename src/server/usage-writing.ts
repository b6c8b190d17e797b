import type { Logger } from "pino";
import type { Accounts } from "../accounts/accounts.ts";
import { withoutDatabase } from "../accounts/metering/usage-buffer.ts";
import {
  startUsageFlush,
  type FlushState,
} from "../accounts/metering/usage-flusher.ts";
import { UsageTable } from "../accounts/metering/usage-table.ts";

/** How often it is looked whether the table of accounts is full, in milliseconds. */
const OVERFLOW_LOOK_MS = 60_000;

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
        "cannot write usage to the accounts database: counting in memory, will retry",
      ),
    onRecovered(lastedMs, written) {
      const { fromMemory, refused } = withoutDatabase(usage);
      logger.warn(
        { seconds: Math.round(lastedMs / 1000), written, fromMemory, refused },
        "usage is written to the accounts database again, nothing was lost (fromMemory, refused: requests without it since startup)",
      );
    },
  });
  const watch = watchOverflows({
    usage,
    onOverflow: (times) =>
      logger.warn(
        { times },
        "usage table full: further accounts are limited per worker until restart",
      ),
  });
  return {
    get state() {
      return flusher.state;
    },
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]();
      try {
        await flusher[Symbol.asyncDispose]();
      } catch (err) {
        logger.error(
          { err, lost: flusher.unwritten },
          "accounts database unavailable at shutdown: usage not yet written is lost",
        );
      }
    },
  };
}

export interface OverflowWatchOptions {
  /** The memory in which all workers count (`createUsageBuffer`). */
  readonly usage: SharedArrayBuffer;
  /** Told how often an account found no place since the last time, once or more for each request; never of none. */
  readonly onOverflow: (times: number) => void;
  /** Milliseconds between two looks. */
  readonly intervalMs?: number;
}

/**
 * Looks each minute whether the shared table of accounts is full. Each thread then counts the accounts without a place
 * by itself, so they are served beyond their limits, which the operator should hear of.
 */
export function watchOverflows({
  usage,
  onOverflow,
  intervalMs = OVERFLOW_LOOK_MS,
}: OverflowWatchOptions): Disposable {
  const table = new UsageTable(usage);
  let seen = table.overflows;
  const timer = setInterval(() => {
    const { overflows } = table;
    if (overflows !== seen) onOverflow(overflows - seen);
    seen = overflows;
  }, intervalMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
