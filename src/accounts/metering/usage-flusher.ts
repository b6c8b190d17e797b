import { randomUUID } from "node:crypto";
import type { Accounts } from "../accounts.ts";
import type { UsageBatch } from "./usage.ts";
import { viewUsageBuffer } from "./usage-buffer.ts";
import { type UsageDelta, UsageTable } from "./usage-table.ts";
import type { KeyPart } from "./key-parts.ts";
import { KeyUses } from "./key-uses.ts";

const INTERVAL_MS = 1_000;
/** While the database does not answer, the time between two attempts doubles up to this. */
const LONGEST_INTERVAL_MS = 5_000;
const FORGET_EVERY_MS = 3_600_000;

/** How far back to look for what other processes wrote: their clocks may be off, and a write may have taken its time. */
const LOOK_BACK_MS = 30_000;

export interface UsageFlushOptions {
  readonly accounts: Accounts;
  /** The memory in which the process counts (`createUsageBuffer`). */
  readonly usage: SharedArrayBuffer;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly intervalMs?: number;
  /** Told when a flush fails after one that did not; nothing is lost by it, a later one writes everything. */
  readonly onError: (error: unknown) => void;
  /** Told when one succeeds after such failures: how long they lasted, and how many answers it wrote. */
  readonly onRecovered?: (lastedMs: number, counted: number) => void;
}

/** What a flush did. */
export interface FlushSummary {
  /** Accounts whose counts were written, and the sum of these. */
  readonly accounts: number;
  readonly counted: number;
  /** How often, since the process began, an account was not counted because its memory was full. */
  readonly overflows: number;
}

/** How writing goes, for metrics. Times are epoch milliseconds. */
export interface FlushState {
  /** Answers that are counted and not written. */
  readonly unwritten: number;
  /** Answers that were written since the process began. */
  readonly written: number;
  /** Attempts that failed since then. */
  readonly failures: number;
  /** When the first of the attempts failed of which none has succeeded since; null while the database answers. */
  readonly failingSinceMs: number | null;
  /** When the last successful attempt began; null before it. */
  readonly inStepMs: number | null;
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
  readonly #unwritten: UnwrittenUsage;
  readonly #unwritable: Int32Array<SharedArrayBuffer>;
  /** The batch that was tried last and may be written or not. */
  #open: UsageBatch | null = null;
  /** When everything that others wrote was brought in last. */
  #inStepMs: number | null = null;
  #failing: { readonly sinceMs: number; readonly waitMs: number } | null = null;
  #written = 0;
  #failures = 0;
  #forgotMs = Number.NEGATIVE_INFINITY;
  /** Flushes wait for each other: two that overlap would write the same counts twice. */
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(options: UsageFlushOptions) {
    this.#options = options;
    this.#table = new UsageTable(options.usage);
    this.#unwritable = viewUsageBuffer(options.usage).unwritable;
    this.#unwritten = new UnwrittenUsage(options.usage, randomUUID());
    this.#schedule();
  }

  /** Writes now. Rejects when the database refuses. */
  flush(): Promise<FlushSummary> {
    const flush = this.#last.then(() => this.#flush());
    this.#last = flush.catch(() => undefined);
    return flush;
  }

  /** Answers that are counted and not written. */
  get unwritten(): number {
    return sumOf(this.#table.unwritten());
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
    try {
      const { counted } = await this.flush();
      if (this.#failing !== null)
        onRecovered?.(clock() - this.#failing.sinceMs, counted);
      this.#failing = null;
      Atomics.store(this.#unwritable, 0, 0);
    } catch (error) {
      this.#failures++;
      Atomics.store(this.#unwritable, 0, 1);
      if (this.#failing === null) onError(error);
      const waitMs = (this.#failing?.waitMs ?? INTERVAL_MS / 2) * 2;
      this.#failing = {
        sinceMs: this.#failing?.sinceMs ?? clock(),
        waitMs: Math.min(waitMs, LONGEST_INTERVAL_MS),
      };
    }
  }

  async #flush(): Promise<FlushSummary> {
    const nowMs = this.#options.clock();
    this.#unwritten.collect(nowMs);
    const written: UsageBatch[] = [];
    // What was left open is tried again as it was; only then comes what was counted since.
    if (this.#open !== null) written.push(await this.#write(nowMs, this.#open));
    this.#open = this.#unwritten.takeBatch(this.#table.unwritten());
    written.push(await this.#write(nowMs, this.#open));
    this.#inStepMs = nowMs;
    if (nowMs - this.#forgotMs >= FORGET_EVERY_MS) {
      await this.#options.accounts.purge(nowMs);
      this.#forgotMs = nowMs;
    }
    const deltas = written.flatMap((batch) => batch.deltas);
    return {
      accounts: new Set(deltas.map((delta) => delta.accountId)).size,
      counted: sumOf(deltas),
      overflows: this.#table.overflows,
    };
  }

  async #write(nowMs: number, batch: UsageBatch): Promise<UsageBatch> {
    const { recent, totals } = await this.#options.accounts.usage.record(
      batch,
      {
        nowMs,
        sinceMs: (this.#inStepMs ?? nowMs) - LOOK_BACK_MS,
      },
    );
    this.#open = null;
    this.#written += sumOf(batch.deltas);
    for (const [index, total] of totals.entries())
      this.#table.settle(total, batch.deltas[index] ?? NOTHING);
    for (const total of recent) this.#table.settle(total, NOTHING);
    return batch;
  }
}

const NOTHING = { count: 0 };

/** Answers to keys, and pages of the explorer. */
function sumOf(deltas: readonly UsageDelta[]): number {
  return deltas.reduce((sum, { count, pages = 0 }) => sum + count + pages, 0);
}

const HOUR_MS = 3_600_000;

/**
 * What the flusher has taken out of the shared memory of keys and not written yet. It is taken out at every
 * attempt, also while the database is away, so that every count is in its hour.
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

  /** Takes out what was counted and noted since the last time. */
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

  /** Everything collected, with what accounts have counted, as a batch of its own number. */
  takeBatch(deltas: readonly UsageDelta[]): UsageBatch {
    const uses = this.#uses;
    const parts = this.#parts;
    this.#uses = new Map();
    this.#parts = new Map();
    return {
      writer: this.#writer,
      number: ++this.#number,
      deltas,
      uses: [...uses].map(([keyId, second]) => ({ keyId, second })),
      parts: [...parts.values()],
    };
  }
}
