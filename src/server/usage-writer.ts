import type { Logger } from "pino";
import type { Accounts } from "../accounts/accounts.ts";
import { withoutDatabase } from "../accounts/metering/usage-buffer.ts";
import {
  startUsageFlush,
  type FlushState,
} from "../accounts/metering/usage-flusher.ts";
import { UsageTable } from "../accounts/metering/usage-table.ts";

/** Interval between checks for a full usage table, in milliseconds. */
const OVERFLOW_CHECK_MS = 60_000;

export interface UsageWriterOptions {
  readonly accounts: Accounts;
  /** The process's UUID. */
  readonly process: string;
  /** The usage table shared by all workers (`createUsageBuffer`). */
  readonly usage: SharedArrayBuffer;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly logger: Logger;
  /** See `UsageFlushOptions`. */
  readonly fault: () => unknown;
}

export interface UsageWriter extends AsyncDisposable {
  readonly state: FlushState;
  /** See `UsageFlush`. */
  readonly flushes: number | null;
}

/** Writes usage to the database each second, and logs failures and recoveries. */
export function startUsageWriter({
  accounts,
  clock,
  fault,
  logger,
  process,
  usage,
}: UsageWriterOptions): UsageWriter {
  const flusher = startUsageFlush({
    accounts,
    process,
    usage,
    clock,
    fault,
    onError: (err) =>
      logger.error(
        { err },
        "cannot write usage to the accounts database: counting in memory, will retry",
      ),
    onPurgeFault: (err) =>
      logger.warn(
        { err },
        "cannot delete expired data: will retry in five minutes",
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
    get flushes() {
      return flusher.flushes;
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
  /** The usage table shared by all workers (`createUsageBuffer`). */
  readonly usage: SharedArrayBuffer;
  /** Called with the number of overflows since the last check, at least one per request; never with 0. */
  readonly onOverflow: (times: number) => void;
  /** Milliseconds between checks. */
  readonly intervalMs?: number;
}

/**
 * Checks each minute whether the shared usage table is full. Each thread then counts further accounts by itself, so
 * they can exceed their limits, and the operator should know.
 */
export function watchOverflows({
  usage,
  onOverflow,
  intervalMs = OVERFLOW_CHECK_MS,
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
