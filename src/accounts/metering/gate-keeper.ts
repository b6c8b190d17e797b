import { setTimeout as sleep } from "node:timers/promises";
import { KeyFeed } from "../keys/key-feed.ts";
import { KeyTable } from "../keys/key-table.ts";
import type { Plans } from "../plans.ts";
import { AccountTable } from "./account-table.ts";
import { changeOf, machineMs, SIGNALS, viewCounts } from "./gate-memory.ts";
import { MonthlyUse } from "./monthly-use.ts";
import { QuotaDesk, type QuotaDeskOptions } from "./quota-desk.ts";
import { planNumbers } from "./thread-gate.ts";
import { UsageFlush, type UsageFlushOptions } from "./usage-flusher.ts";

/** The interval at which changed keys are read, and unused quota is given back. */
const POLL_MS = 1_000;
/** The pause between two readings, so that unknown keys don't make many. */
const PAUSE_MS = 25;
/** A database that takes longer to say which keys changed is away. */
const SILENT_MS = 1_000;
/** The pause between attempts to prepay while the database is away. */
const AWAY_MS = 500;
/** The interval at which a full memory is reported. */
const OVERFLOW_MS = 60_000;

export interface GateKeeperOptions
  extends
    Omit<UsageFlushOptions, "fault">,
    Pick<QuotaDeskOptions, "idleMs" | "liveNodes"> {
  readonly plans: Plans;
  /** The interval at which changed keys are read, in milliseconds. */
  readonly pollMs?: number;
  /** Called each minute in which accounts found no space in memory, with the number of times. */
  readonly onOverflow?: (times: number) => void;
}

/**
 * Keeps the memory of a process's gates current, in its supervisor: reads keys, prepays quota, and writes usage. A
 * process needs one connection for each of these, whatever its number of threads.
 */
export class GateKeeper implements AsyncDisposable {
  readonly flusher: UsageFlush;
  readonly quota: QuotaDesk;
  readonly #options: GateKeeperOptions;
  readonly #feed: KeyFeed;
  readonly #table: AccountTable;
  readonly #signals: Int32Array<SharedArrayBuffer>;
  readonly #keysAsOf: BigInt64Array<SharedArrayBuffer>;
  /** The reason why the last reading of keys failed; null while the database answers. */
  #fault: unknown = null;
  #reading: Promise<void> = Promise.resolve();
  #isClosed = false;
  readonly #loops: Promise<void>[] = [];

  private constructor(options: GateKeeperOptions) {
    const { db, memory, plans } = options;
    const { keysAsOf, signals } = viewCounts(memory);
    this.#options = options;
    this.#signals = signals;
    this.#keysAsOf = keysAsOf;
    const keys = new KeyTable(memory.keys);
    this.#feed = new KeyFeed(db, keys, planNumbers(plans));
    this.#table = new AccountTable(memory);
    this.quota = new QuotaDesk({
      ...options,
      use: new MonthlyUse(db, options.clock),
      table: this.#table,
      onSent: (isAway) => this.#note(SIGNALS.quotaAway, isAway),
    });
    this.flusher = new UsageFlush({
      ...options,
      fault: () => this.#findFault(),
    });
  }

  /** Starts once all keys are read. Rejects if the database fails. */
  static async start(options: GateKeeperOptions): Promise<GateKeeper> {
    const keeper = new GateKeeper(options);
    await keeper.readKeys();
    if (keeper.#fault !== null) throw keeper.#fault;
    keeper.flusher.start();
    keeper.#loops.push(keeper.#setTabKeys(), keeper.#keepQuota());
    return keeper;
  }

  /** The number of times that an account found no space in memory since the process started. */
  get overflows(): number {
    return this.#table.overflows;
  }

  /** The number of times that keys were read. */
  get readings(): number {
    return Atomics.load(this.#signals, SIGNALS.readingsEnded);
  }

  /** Reads the keys that changed until now. Never rejects. */
  readKeys(): Promise<void> {
    return (this.#reading = this.#reading.then(() => this.#read()));
  }

  /** Writes all usage, and gives back what is prepaid; call it when no thread answers any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const bell of [SIGNALS.keysBell, SIGNALS.quotaBell]) {
      Atomics.add(this.#signals, bell, 1);
      Atomics.notify(this.#signals, bell);
    }
    await Promise.all(this.#loops);
    try {
      await this.flusher[Symbol.asyncDispose]();
    } finally {
      await this.quota.returnAll();
    }
  }

  async #setTabKeys(): Promise<void> {
    const { pollMs = POLL_MS } = this.#options;
    let bell = Atomics.load(this.#signals, SIGNALS.keysBell);
    for (;;) {
      await changeOf(this.#signals, SIGNALS.keysBell, bell, pollMs);
      if (this.#isClosed) return;
      bell = Atomics.load(this.#signals, SIGNALS.keysBell);
      await this.readKeys();
      await sleep(PAUSE_MS);
    }
  }

  async #keepQuota(): Promise<void> {
    const { pollMs = POLL_MS } = this.#options;
    let sweptMs = performance.now();
    let overflowMs = sweptMs;
    let overflows = 0;
    while (!this.#isClosed) {
      const bell = Atomics.load(this.#signals, SIGNALS.quotaBell);
      const isDue = performance.now() - sweptMs >= POLL_MS;
      if (isDue) sweptMs = performance.now();
      if (sweptMs - overflowMs >= OVERFLOW_MS) {
        overflowMs = sweptMs;
        const times = this.overflows - overflows;
        overflows += times;
        if (times > 0) this.#options.onOverflow?.(times);
      }
      const isAway = Atomics.load(this.#signals, SIGNALS.quotaAway) === 1;
      // What is given back while the database is away would be lost.
      await (isDue && !isAway ? this.quota.sweep() : this.quota.serve());
      if (this.#isClosed) return;
      // Requests that are answered without the database don't make attempts.
      if (isAway) await sleep(AWAY_MS);
      else await changeOf(this.#signals, SIGNALS.quotaBell, bell, pollMs);
    }
  }

  async #read(): Promise<void> {
    const asOfMs = this.#options.clock();
    const readAt = machineMs();
    Atomics.add(this.#signals, SIGNALS.readingsStarted, 1);
    let isSilent = true;
    const timer = setTimeout(() => {
      // If this thread was busy, the answer may be there, and is read first.
      setImmediate(() => {
        if (!isSilent) return;
        this.#note(SIGNALS.keysAway, true);
        this.#note(SIGNALS.quotaAway, true);
        Atomics.notify(this.#signals, SIGNALS.readingsEnded);
      });
    }, SILENT_MS);
    try {
      const changed = await this.#feed.read(() => timer.refresh());
      Atomics.store(this.#keysAsOf, 0, BigInt(asOfMs));
      Atomics.store(this.#signals, SIGNALS.keysReadAt, readAt);
      this.#fault = null;
      this.#note(SIGNALS.keysAway, false);
      this.#note(SIGNALS.quotaAway, false);
      if (changed === null) this.quota.forget();
      else if (changed.size > 0) void this.quota.recall(changed);
    } catch (error) {
      this.#fault = error;
      this.#note(SIGNALS.keysAway, true);
      this.#note(SIGNALS.quotaAway, true);
    } finally {
      isSilent = false;
      clearTimeout(timer);
      Atomics.add(this.#signals, SIGNALS.readingsEnded, 1);
      Atomics.notify(this.#signals, SIGNALS.readingsEnded);
    }
  }

  /** Returns why keys can't be read now; null if they can, as far as is known. */
  async #findFault(): Promise<unknown> {
    if (this.#fault !== null) await this.readKeys();
    return this.#fault;
  }

  #note(signal: number, isAway: boolean): void {
    Atomics.store(this.#signals, signal, isAway ? 1 : 0);
  }
}
