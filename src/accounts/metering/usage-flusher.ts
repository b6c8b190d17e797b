import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Accounts, PURGE_AGAIN_MS } from "../accounts.ts";
import { nameOf } from "../leases/lease.ts";
import type { UsageBatch } from "./record-usage.ts";
import { viewUsageBuffer } from "./usage-buffer.ts";
import {
  type AccountMonth,
  type UsageDelta,
  UsageTable,
} from "./usage-table.ts";
import type { KeyPart } from "./key-parts.ts";
import { KeyUses } from "./key-uses.ts";

const INTERVAL_MS = 1_000;
/** While the database does not answer, the time between attempts doubles up to this. */
const MAX_INTERVAL_MS = 4_000;
const FORGET_EVERY_MS = 3_600_000;

/** Accounts, keys and parts in one batch, so that writing it takes far less time than a statement may. */
const BATCH_ROWS = 2_000;

/** When to try again what is locked; then the next flush does. */
const LOCKED_PAUSES_MS = [10, 40, 160];
/** The same for the last flush. */
const LAST_LOCKED_PAUSES_MS = Array.from({ length: 50 }, () => 100);

/** How far back to look for other processes' writes: clocks may differ, and writes may take time. */
const LOOK_BACK_MS = 30_000;

export interface UsageFlushOptions {
  readonly accounts: Accounts;
  /** A UUID of the process, new at each start; made up if omitted. */
  readonly process?: string;
  /** The memory in which the process counts (`createUsageBuffer`). */
  readonly usage: SharedArrayBuffer;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly intervalMs?: number;
  /**
   * Why the database last failed something else; null while it answers. A flush with nothing to write fails with it.
   */
  readonly fault?: () => unknown;
  /** Called when a flush fails after one that succeeded. Nothing is lost: a later one writes everything. */
  readonly onError: (error: unknown) => void;
  /** Called when a flush succeeds after failures, with the duration of the outage and the number of answers written. */
  readonly onRecovered?: (lastedMs: number, counted: number) => void;
  /** Called when the hourly clean-up fails, which is tried again in five minutes. */
  readonly onPurgeFault?: (error: unknown) => void;
}

/** The result of a flush. */
export interface FlushSummary {
  /** Accounts whose counts were written, and the sum of the counts. */
  readonly accounts: number;
  readonly counted: number;
  /** How many times since the process started an account was not counted because memory was full. */
  readonly overflows: number;
}

/** The state of writing, for metrics. Times are epoch milliseconds. */
export interface FlushState {
  /** Answers counted and not yet written. */
  readonly unwritten: number;
  /** Answers written since the process started. */
  readonly written: number;
  /** Failed attempts since then. */
  readonly failures: number;
  /** When the current run of failures started; null while the database answers. */
  readonly failingSinceMs: number | null;
  /** Start of the last successful attempt; null before the first. */
  readonly inStepMs: number | null;
}

/**
 * Writes a process's counts to the database every second. On a file it reads back those of other processes too. Each
 * process has one, in its supervisor. Disposing of it writes the rest; do that after the workers have stopped and
 * before the accounts close.
 */
export function startUsageFlush(options: UsageFlushOptions): UsageFlush {
  return new UsageFlush(options);
}

export class UsageFlush implements AsyncDisposable {
  readonly #options: UsageFlushOptions;
  readonly #table: UsageTable;
  readonly #unwritten: UnwrittenUsage;
  readonly #unwritable: Int32Array<SharedArrayBuffer>;
  /** Batches to write, in order. It may be unknown whether the first was written. */
  #open: UsageBatch[] = [];
  /** When other processes' counts were last read completely. */
  #inStepMs: number | null = null;
  #failing: {
    readonly sinceMs: number;
    readonly waitMs: number;
    /** Answers written before. */
    readonly written: number;
  } | null = null;
  #written = 0;
  #failures = 0;
  /** Flushes that ended, and whether one is running. */
  #ended = 0;
  #isRunning = false;
  #forgotMs = Number.NEGATIVE_INFINITY;
  /** Flushes wait for each other: overlapping ones would write the same counts twice. */
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(options: UsageFlushOptions) {
    this.#options = options;
    this.#table = new UsageTable(options.usage);
    this.#unwritable = viewUsageBuffer(options.usage).unwritable;
    this.#unwritten = new UnwrittenUsage(
      options.usage,
      options.process ?? randomUUID(),
    );
    this.#schedule();
  }

  /** Writes now. Rejects if the database fails. */
  flush(): Promise<FlushSummary> {
    const flush = this.#last
      .then(() => {
        this.#isRunning = true;
        return this.#flush();
      })
      .finally(() => {
        this.#isRunning = false;
        this.#ended++;
      });
    this.#last = flush.catch(() => undefined);
    return flush;
  }

  /** Answers counted and not yet written. */
  get unwritten(): number {
    return sumOf(this.#table.unwritten());
  }

  /** How often usage was written; null while it is being written, or unknown whether it was. */
  get flushes(): number | null {
    return this.#isRunning || this.#open.length > 0 ? null : this.#ended;
  }

  get state(): FlushState {
    return {
      unwritten: this.unwritten,
      written: this.#written,
      failures: this.#failures,
      failingSinceMs: this.#failing?.sinceMs ?? null,
      inStepMs: this.#inStepMs,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.flush();
  }

  #schedule(): void {
    if (this.#stopped) return;
    const intervalMs = this.#options.intervalMs ?? INTERVAL_MS;
    this.#timer = setTimeout(() => {
      void this.#flushQuietly().finally(() => {
        this.#schedule();
      });
    }, this.#failing?.waitMs ?? intervalMs);
    this.#timer.unref();
  }

  async #flushQuietly(): Promise<void> {
    const { clock, onError, onRecovered } = this.#options;
    const written = this.#failing?.written ?? this.#written;
    try {
      await this.flush();
      if (this.#failing !== null)
        onRecovered?.(clock() - this.#failing.sinceMs, this.#written - written);
      this.#failing = null;
      Atomics.store(this.#unwritable, 0, 0);
    } catch (error) {
      this.#failures++;
      Atomics.store(this.#unwritable, 0, 1);
      if (this.#failing === null) onError(error);
      const waitMs = (this.#failing?.waitMs ?? INTERVAL_MS / 2) * 2;
      this.#failing = {
        sinceMs: this.#failing?.sinceMs ?? clock(),
        waitMs: Math.min(waitMs, MAX_INTERVAL_MS),
        written,
      };
    }
  }

  async #flush(): Promise<FlushSummary> {
    const nowMs = this.#options.clock();
    this.#unwritten.collect(nowMs);
    const written: UsageBatch[] = [];
    // Open batches are written unchanged; newer counts follow after them.
    await this.#write(nowMs, written);
    this.#open = this.#unwritten.takeBatches(this.#table.unwritten());
    const locked = await this.#write(nowMs, written);
    const isAllWritten = await this.#writeLocked(locked, nowMs, written);
    if (written.every(isEmpty)) {
      const fault = this.#options.fault?.() ?? null;
      if (fault !== null) throw fault;
    }
    this.#inStepMs = nowMs;
    if (nowMs - this.#forgotMs >= FORGET_EVERY_MS) await this.#purge(nowMs);
    if (this.#stopped && !isAllWritten)
      throw new Error("Other transactions have accounts locked.");
    const deltas = written.flatMap((batch) => batch.deltas);
    return {
      accounts: new Set(deltas.map((delta) => delta.accountId)).size,
      counted: sumOf(deltas),
      overflows: this.#table.overflows,
    };
  }

  /** Counts are written even if the clean-up isn't possible. */
  async #purge(nowMs: number): Promise<void> {
    const { accounts, onPurgeFault } = this.#options;
    this.#forgotMs = nowMs - FORGET_EVERY_MS + PURGE_AGAIN_MS;
    try {
      if (await accounts.purgeHourly(nowMs)) this.#forgotMs = nowMs;
    } catch (error) {
      onPurgeFault?.(error);
    }
  }

  /** Tries some more times to write what was locked; false if something still is. The next flush writes it then. */
  async #writeLocked(
    locked: readonly AccountMonth[],
    nowMs: number,
    written: UsageBatch[],
  ): Promise<boolean> {
    const pausesMs = this.#stopped ? LAST_LOCKED_PAUSES_MS : LOCKED_PAUSES_MS;
    for (const pauseMs of pausesMs) {
      if (locked.length === 0) return true;
      await sleep(pauseMs);
      const names = new Set(locked.map(nameOf));
      const deltas = this.#table.unwritten();
      this.#open = this.#unwritten.takeBatches(
        deltas.filter((delta) => names.has(nameOf(delta))),
      );
      locked = await this.#write(nowMs, written);
    }
    return locked.length === 0;
  }

  /** Writes the open batches, adds what was written to `written`, and returns the accounts that were locked. */
  async #write(nowMs: number, written: UsageBatch[]): Promise<AccountMonth[]> {
    const locked: AccountMonth[] = [];
    for (;;) {
      const [batch] = this.#open;
      if (batch === undefined) return locked;
      const isLast = this.#open.length === 1;
      const { recent, totals } = await this.#options.accounts.usage.record(
        batch,
        {
          nowMs,
          sinceMs: isLast ? (this.#inStepMs ?? nowMs) - LOOK_BACK_MS : null,
        },
      );
      this.#open.shift();
      const deltas: UsageDelta[] = [];
      for (const [index, delta] of batch.deltas.entries()) {
        const total = totals[index] ?? null;
        if (total === null) locked.push(delta);
        else {
          this.#table.settle(total, delta);
          deltas.push(delta);
        }
      }
      this.#written += sumOf(deltas);
      for (const total of recent) this.#table.settle(total, NOTHING);
      written.push({ ...batch, deltas });
    }
  }
}

const NOTHING = { count: 0 };

function isEmpty({ deltas, parts, uses }: UsageBatch): boolean {
  return deltas.length + parts.length + uses.length === 0;
}

function sumOf(deltas: readonly UsageDelta[]): number {
  return deltas.reduce((sum, { count }) => sum + count, 0);
}

const HOUR_MS = 3_600_000;

/**
 * What the flusher has taken from the keys' shared memory and not yet written. It takes at every attempt, also during
 * an outage, so that every count keeps its hour.
 */
export class UnwrittenUsage {
  readonly #keyUses: KeyUses;
  readonly #writer: string;
  #number = 0;
  #uses = new Map<number, number>();
  #parts = new Map<string, KeyPart>();

  /** `writer` names the process. */
  constructor(usage: SharedArrayBuffer, writer: string) {
    this.#keyUses = new KeyUses(usage);
    this.#writer = writer;
  }

  /** Takes what was counted and recorded since the last call. */
  collect(nowMs: number): void {
    const hour = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    for (const { keyId, second } of this.#keyUses.drainUses())
      this.#uses.set(keyId, Math.max(second, this.#uses.get(keyId) ?? 0));
    for (const { count, keyId, operation } of this.#keyUses.drainCounts()) {
      const name = `${keyId} ${hour} ${operation}`;
      const before = this.#parts.get(name)?.count ?? 0;
      this.#parts.set(name, { keyId, hour, operation, count: before + count });
    }
  }

  /** Everything collected, with the accounts' counts, as numbered batches: at least one, which may be empty. */
  takeBatches(deltas: readonly UsageDelta[]): UsageBatch[] {
    const uses = [...this.#uses].map(([keyId, second]) => ({ keyId, second }));
    const parts = [...this.#parts.values()];
    this.#uses = new Map();
    this.#parts = new Map();
    const rows = Math.max(deltas.length, uses.length, parts.length, 1);
    return Array.from({ length: Math.ceil(rows / BATCH_ROWS) }, (_, index) => {
      const start = index * BATCH_ROWS;
      const end = start + BATCH_ROWS;
      return {
        writer: this.#writer,
        number: ++this.#number,
        deltas: deltas.slice(start, end),
        uses: uses.slice(start, end),
        parts: parts.slice(start, end),
      };
    });
  }
}
