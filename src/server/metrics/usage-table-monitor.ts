import { UsageTable } from "../../accounts/metering/usage-table.ts";

const LOOK_MS = 60_000;

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
  intervalMs = LOOK_MS,
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
