import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import { SIGNALS, viewCounts, type GateMemory } from "./gate-memory.ts";
import { KeyUses } from "./key-uses.ts";
import { recordUsage, type KeyPart, type UsageBatch } from "./record-usage.ts";

const INTERVAL_MS = 1_000;
/** While the database does not answer, the time between attempts doubles up to this. */
const MAX_INTERVAL_MS = 4_000;
const HOUR_MS = 3_600_000;
/** The time until the hourly clean-up is tried again, in milliseconds. */
export const PURGE_AGAIN_MS = 300_000;

/** Keys and parts in one batch, so that writing it takes far less time than a statement may. */
const BATCH_ROWS = 2_000;

export interface UsageFlushOptions {
  readonly db: Kysely<Tables>;
  /** A UUID of the process, new at each start. */
  readonly process: string;
  /** The memory in which the process counts (`createGateMemory`). */
  readonly memory: GateMemory;
  /** Returns epoch milliseconds. */
  readonly clock: () => number;
  readonly intervalMs?: number;
  /** Resolves to why the database fails something else; null while it answers. A flush of nothing fails with it. */
  readonly fault: () => Promise<unknown>;
  /** Called when a flush fails after one that succeeded. Nothing is lost: a later one writes everything. */
  readonly onError: (error: unknown) => void;
  /** Called when a flush succeeds after failures, with the duration of the outage and the number of answers written. */
  readonly onRecovered?: (lastedMs: number, counted: number) => void;
  /** Deletes what is past its retention. False if it should be called again in `PURGE_AGAIN_MS`. */
  readonly purge: (nowMs: number) => Promise<boolean>;
  /** Called when the hourly clean-up fails, which is tried again in five minutes. */
  readonly onPurgeFault?: (error: unknown) => void;
}

/** The state of writing, for metrics. Times are epoch milliseconds. */
export interface FlushState {
  /** Answers counted and not yet written. */
  readonly unwritten: number;
  /** Answers written since the process started. */
  readonly written: number;
  /** Failed attempts since then. */
  readonly failures: number;
  /** The time when the current run of failures started; null while the database answers. */
  readonly failingSinceMs: number | null;
  /** Start of the last successful attempt; null before the first. */
  readonly inStepMs: number | null;
}

/**
 * Writes for what keys were used, by hour and operation, to the database every second. Each process has one, in its
 * supervisor. Disposing of it writes the rest; do that after the workers have stopped and before the accounts close.
 */
export class UsageFlush implements AsyncDisposable {
  readonly #options: UsageFlushOptions;
  readonly #keyUses: KeyUses;
  readonly #signals: Int32Array<SharedArrayBuffer>;
  /** The counts taken from the shared memory at every attempt, so that every count keeps its hour. */
  #uses = new Map<number, number>();
  #parts = new Map<string, KeyPart>();
  /** Batches to write, in order. It may be unknown whether the first was written. */
  #open: UsageBatch[] = [];
  #number = 0;
  #inStepMs: number | null = null;
  #failing: {
    readonly sinceMs: number;
    readonly waitMs: number;
    /** Answers written before. */
    readonly written: number;
  } | null = null;
  #written = 0;
  #failures = 0;
  #purgedMs = Number.NEGATIVE_INFINITY;
  /** Flushes wait for each other: overlapping ones would write the same counts twice. */
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(options: UsageFlushOptions) {
    this.#options = options;
    this.#keyUses = new KeyUses(options.memory);
    this.#signals = viewCounts(options.memory).signals;
  }

  /** Writes now; returns how many answers that were. Rejects if the database fails. */
  flush(): Promise<number> {
    const flush = this.#last.then(() => this.#flush());
    this.#last = flush.catch(() => undefined);
    return flush;
  }

  get state(): FlushState {
    let unwritten = 0;
    for (const { count } of this.#parts.values()) unwritten += count;
    for (const batch of this.#open) unwritten += answersOf(batch);
    return {
      unwritten: unwritten + this.#keyUses.counted,
      written: this.#written,
      failures: this.#failures,
      failingSinceMs: this.#failing?.sinceMs ?? null,
      inStepMs: this.#inStepMs,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.flush();
  }

  /** Writes every second from now on. */
  start(): void {
    if (this.#isStopped) return;
    const intervalMs = this.#options.intervalMs ?? INTERVAL_MS;
    this.#timer = setTimeout(() => {
      void this.#flushQuietly().finally(() => this.start());
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
      Atomics.store(this.#signals, SIGNALS.unwritable, 0);
    } catch (error) {
      this.#failures++;
      Atomics.store(this.#signals, SIGNALS.unwritable, 1);
      if (this.#failing === null) onError(error);
      const waitMs = (this.#failing?.waitMs ?? INTERVAL_MS / 2) * 2;
      this.#failing = {
        sinceMs: this.#failing?.sinceMs ?? clock(),
        waitMs: Math.min(waitMs, MAX_INTERVAL_MS),
        written,
      };
    }
  }

  async #flush(): Promise<number> {
    const { clock, db, fault } = this.#options;
    const nowMs = clock();
    const before = this.#written;
    this.#collect(nowMs);
    // Open batches are written unchanged; newer counts follow after them.
    if (this.#open.length === 0) this.#open = this.#takeBatches();
    const isEmpty = this.#open.length === 0;
    while (this.#open.length > 0) {
      await recordUsage(db, this.#open[0]!, nowMs);
      this.#written += answersOf(this.#open.shift()!);
      if (this.#open.length === 0) this.#open = this.#takeBatches();
    }
    const other = isEmpty ? await fault() : null;
    if (other !== null) throw other;
    this.#inStepMs = nowMs;
    if (nowMs - this.#purgedMs >= HOUR_MS) await this.#purge(nowMs);
    return this.#written - before;
  }

  /** Counts are written even if the clean-up isn't possible. */
  async #purge(nowMs: number): Promise<void> {
    const { onPurgeFault, purge } = this.#options;
    this.#purgedMs = nowMs - HOUR_MS + PURGE_AGAIN_MS;
    try {
      if (await purge(nowMs)) this.#purgedMs = nowMs;
    } catch (error) {
      onPurgeFault?.(error);
    }
  }

  #collect(nowMs: number): void {
    const hour = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    for (const { keyId, second } of this.#keyUses.drainUses())
      this.#uses.set(keyId, Math.max(second, this.#uses.get(keyId) ?? 0));
    for (const { count, keyId, operation } of this.#keyUses.drainCounts()) {
      const name = `${keyId} ${hour} ${operation}`;
      const before = this.#parts.get(name)?.count ?? 0;
      this.#parts.set(name, { keyId, hour, operation, count: before + count });
    }
  }

  /** Numbers everything collected as batches. */
  #takeBatches(): UsageBatch[] {
    const uses = [...this.#uses].map(([keyId, second]) => ({ keyId, second }));
    const parts = [...this.#parts.values()];
    this.#uses = new Map();
    this.#parts = new Map();
    const rows = Math.max(uses.length, parts.length);
    return Array.from({ length: Math.ceil(rows / BATCH_ROWS) }, (_, index) => {
      const start = index * BATCH_ROWS;
      const end = start + BATCH_ROWS;
      return {
        writer: this.#options.process,
        number: ++this.#number,
        uses: uses.slice(start, end),
        parts: parts.slice(start, end),
      };
    });
  }
}

function answersOf({ parts }: UsageBatch): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}
