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
  const watch = watchOverflows({
    usage,
    onOverflow: (times) =>
      logger.warn(
        { times },
        "more accounts ask than this process can count together: the limits of the others hold for each worker by itself until it is started again",
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
          "the accounts' database was away when the service stopped: what was counted and not written is lost",
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
