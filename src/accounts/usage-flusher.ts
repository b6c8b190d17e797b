import type { Accounts } from "./accounts.ts";
import { KeyUses } from "./key-uses.ts";
import { UsageTable } from "./usage-table.ts";

const INTERVAL_MS = 1_000;

/** How far back to look for what other processes wrote: their clocks may be off, and a write may have taken its time. */
const LOOK_BACK_MS = 30_000;

export interface UsageFlushOptions {
  readonly accounts: Accounts;
  /** The memory in which the process counts (`createUsageBuffer`). */
  readonly usage: SharedArrayBuffer;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly intervalMs?: number;
  /** Told when a flush fails; nothing is lost by it, the next one writes everything. */
  readonly onError: (error: unknown) => void;
}

/** What a flush did. */
export interface FlushSummary {
  /** Accounts whose counts were written, and the sum of these. */
  readonly accounts: number;
  readonly counted: number;
  /** How often, since the process began, an account was not counted because its memory was full. */
  readonly overflows: number;
}

/**
 * Writes what the process counted to the database every second, and brings back what others wrote. One for a process,
 * in its supervisor. Disposing of it writes the rest: do that after the workers have stopped, before the accounts close.
 */
export function startUsageFlush(options: UsageFlushOptions): UsageFlush {
  return new UsageFlush(options);
}

export class UsageFlush implements AsyncDisposable {
  readonly #options: UsageFlushOptions;
  readonly #table: UsageTable;
  readonly #keyUses: KeyUses;
  /** Flushes wait for each other: two that overlap would write the same counts twice. */
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(options: UsageFlushOptions) {
    this.#options = options;
    this.#table = new UsageTable(options.usage);
    this.#keyUses = new KeyUses(options.usage);
    this.#schedule();
  }

  /** Writes now. Rejects when the database refuses. */
  flush(): Promise<FlushSummary> {
    const flush = this.#last.then(() => this.#write());
    this.#last = flush.catch(() => undefined);
    return flush;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.flush();
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.flush()
        .catch(this.#options.onError)
        .finally(() => {
          this.#schedule();
        });
    }, this.#options.intervalMs ?? INTERVAL_MS);
    this.#timer.unref();
  }

  async #write(): Promise<FlushSummary> {
    const nowMs = this.#options.clock();
    const deltas = this.#table.unwritten();
    const uses = this.#keyUses.drain();
    try {
      const written = await this.#options.accounts.recordUsage(deltas, uses, {
        nowMs,
        sinceMs: nowMs - LOOK_BACK_MS,
      });
      for (const [index, total] of written.totals.entries())
        this.#table.settle(total, deltas[index]?.count ?? 0);
      for (const total of written.recent) this.#table.settle(total, 0);
    } catch (error) {
      for (const { keyId, second } of uses) this.#keyUses.note(keyId, second);
      throw error;
    }
    return {
      accounts: new Set(deltas.map((delta) => delta.accountId)).size,
      counted: deltas.reduce((sum, delta) => sum + delta.count, 0),
      overflows: this.#table.overflows,
    };
  }
}
