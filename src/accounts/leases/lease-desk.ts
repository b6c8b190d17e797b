import { type AccountMonth, UsageTable } from "../metering/usage-table.ts";
import { LeaseCells } from "./lease-cells.ts";
import type { LeaseGrant, LeaseStore, LeaseWant } from "./lease-store.ts";

/** A lease lasts about this long at the rate of the account's answers here. */
const LEASE_SECONDS = 5;
/** The smallest request. */
const MIN_WANT = 10;
/** Accounts in one statement. */
const MAX_BATCH = 1_000;
/** How long a request waits for the database. */
const WAIT_MS = 2_000;
/** How long "nothing is left" is believed. */
export const USED_UP_MS = 1_000;
/** What was not touched for this long is returned. */
const IDLE_MS = 30_000;
/** How often a lease that wasn't open is opened for one request. */
const MAX_ATTEMPTS = 3;

/** A request for a lease. */
export interface LeaseRequest extends AccountMonth {
  readonly quota: number;
  /** The most answers a second that the account's plan allows. */
  readonly burstPerSecond: number;
}

/** What became of it. */
export type LeaseOutcome = "granted" | "used_up" | "unavailable";

/** Counts for metrics, since the process started. */
export interface LeaseCounts {
  readonly granted: number;
  readonly returned: number;
  readonly folded: number;
  readonly statements: number;
  readonly outcomes: Readonly<Record<LeaseOutcome, number>>;
}

export interface LeaseDeskOptions {
  readonly store: LeaseStore;
  /** The memory in which the process counts (`createUsageBuffer`). */
  readonly usage: SharedArrayBuffer;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly liveNodes: () => number;
  /** How often usage was written; null while it is being written. */
  readonly flushes: () => number | null;
}

/** A lease of this process. */
interface Lease extends AccountMonth {
  isOpen: boolean;
  /** Granted so far, less what was returned. */
  granted: number;
  /** A statement's answer was lost: the database may think that more was granted. */
  isUnsure: boolean;
  /** Answers taken when more was last asked for, and when that was, to tell the rate. */
  takenBefore: number;
  askedMs: number;
  /** What was left when last looked at, and since when. */
  left: number;
  leftSinceMs: number;
  /** Nothing was left for a quota, until when. */
  usedUp: { readonly quota: number; readonly untilMs: number } | null;
}

interface Waiting {
  readonly request: LeaseRequest;
  readonly done: PromiseWithResolvers<LeaseOutcome>;
  readonly timer: NodeJS.Timeout;
  attempts: number;
}

/**
 * Gets leases for all threads of a process, and returns what isn't used: one statement at a time, each for all accounts
 * that asked meanwhile. What it is granted goes into `LeaseCells`.
 */
export class LeaseDesk {
  readonly #options: LeaseDeskOptions;
  readonly #table: UsageTable;
  readonly #cells: LeaseCells;
  readonly #leases = new Map<string, Lease>();
  readonly #waiting = new Map<string, Waiting>();
  /** Leases to tell the database about without asking for more. */
  readonly #toSettle = new Set<Lease>();
  /** Leases of which nothing is left. */
  readonly #toClose = new Set<Lease>();
  #running: Promise<void> | null = null;
  #granted = 0;
  #returned = 0;
  #folded = 0;
  #statements = 0;
  readonly #outcomes = { granted: 0, used_up: 0, unavailable: 0 };

  constructor(options: LeaseDeskOptions) {
    this.#options = options;
    this.#table = new UsageTable(options.usage);
    this.#cells = new LeaseCells(options.usage);
  }

  get counts(): LeaseCounts {
    return {
      granted: this.#granted,
      returned: this.#returned,
      folded: this.#folded,
      statements: this.#statements,
      outcomes: { ...this.#outcomes },
    };
  }

  /** Answers that may still be given without asking. */
  get held(): number {
    let held = 0;
    for (const { accountId, month } of this.#leases.values())
      held += this.#cells.left(accountId, month);
    return held;
  }

  /** Asks for more. Never rejects. */
  async ask(request: LeaseRequest): Promise<LeaseOutcome> {
    const outcome = await this.#ask(request);
    this.#outcomes[outcome]++;
    return outcome;
  }

  /** Returns what wasn't used for a while; call it every second. */
  async sweep(): Promise<void> {
    const nowMs = performance.now();
    for (const lease of this.#leases.values()) {
      const { accountId, month } = lease;
      const left = this.#cells.left(accountId, month);
      if (left !== lease.left) {
        lease.left = left;
        lease.leftSinceMs = nowMs;
      }
      if (lease.isUnsure) this.#toSettle.add(lease);
      if (nowMs - lease.leftSinceMs < IDLE_MS) continue;
      if (left > 0) this.#takeBack(lease);
      else if (!lease.isUnsure) this.#toClose.add(lease);
    }
    await this.#drive();
  }

  /** Counts what vanished processes hold as used; returns how many answers that were. Rejects if the database fails. */
  async fold(): Promise<number> {
    this.#statements++;
    const folded = await this.#options.store.fold();
    this.#folded += folded;
    return folded;
  }

  /**
   * Returns everything, once no thread answers any more and all usage is written. Rejects if the database fails: other
   * processes then count what is left as used.
   */
  async returnAll(): Promise<void> {
    // A renewal may be on its way, whose grant is returned too.
    await this.#finish();
    for (const lease of this.#leases.values()) {
      this.#takeBack(lease);
      if (lease.isUnsure) this.#toSettle.add(lease);
    }
    await this.#finish();
    const { store } = this.#options;
    const leases = [...this.#leases.values()];
    for (let start = 0; start < leases.length; start += MAX_BATCH) {
      const batch = leases.slice(start, start + MAX_BATCH);
      for (const closed of await store.close(batch))
        this.#leases.delete(nameOf(closed));
    }
  }

  #ask(request: LeaseRequest): Promise<LeaseOutcome> {
    const name = nameOf(request);
    const same = this.#waiting.get(name);
    if (same !== undefined) return same.done.promise;
    const usedUp = this.#leases.get(name)?.usedUp;
    if (usedUp?.quota === request.quota && performance.now() < usedUp.untilMs)
      return Promise.resolve("used_up");
    const done = Promise.withResolvers<LeaseOutcome>();
    const timer = setTimeout(() => done.resolve("unavailable"), WAIT_MS);
    this.#waiting.set(name, { request, done, timer, attempts: 0 });
    void this.#drive();
    return done.promise;
  }

  /** Sends statements until no one waits. Never rejects. */
  #drive(): Promise<void> {
    this.#running ??= this.#work().finally(() => {
      this.#running = null;
      if (this.#hasWork) void this.#drive();
    });
    return this.#running;
  }

  async #finish(): Promise<void> {
    while (this.#running !== null || this.#hasWork) await this.#drive();
  }

  get #hasWork(): boolean {
    return this.#waiting.size + this.#toSettle.size + this.#toClose.size > 0;
  }

  async #work(): Promise<void> {
    // What arrives in one turn of the event loop goes out together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#hasWork) {
      const asking = [...this.#waiting].slice(0, MAX_BATCH);
      const wants = new Map<string, { lease: Lease; want: LeaseWant }>();
      for (const [name, { request }] of asking) {
        const lease = this.#leaseOf(name, request);
        const want = this.#wish(lease, request);
        wants.set(name, { lease, want: wantOf(lease, request.quota, want) });
      }
      for (const lease of [...this.#toSettle].slice(0, MAX_BATCH)) {
        this.#toSettle.delete(lease);
        const name = nameOf(lease);
        if (lease.isOpen && !wants.has(name))
          wants.set(name, { lease, want: wantOf(lease, 0, 0) });
      }
      if (wants.size > 0) await this.#settle([...wants.values()], asking);
      await this.#close();
    }
  }

  async #settle(
    wants: readonly { readonly lease: Lease; readonly want: LeaseWant }[],
    asking: readonly (readonly [string, Waiting])[],
  ): Promise<void> {
    const { clock, flushes, liveNodes, store } = this.#options;
    for (const { lease } of wants) lease.isUnsure = lease.isOpen;
    try {
      const closed = wants.filter(({ lease }) => !lease.isOpen);
      if (closed.length > 0) {
        this.#statements++;
        await store.open(
          closed.map(({ want }) => want),
          clock(),
        );
        for (const { lease } of closed) {
          lease.isOpen = true;
          // Usually nothing. If the database lost the lease, what is left of it here is made known to it again.
          lease.granted = this.#cells.left(lease.accountId, lease.month);
          lease.takenBefore = 0;
        }
      }
      const flushesBefore = flushes();
      for (const { lease } of wants) lease.isUnsure = true;
      this.#statements++;
      const grants = await store.settle(
        wants.map(({ lease, want }) => ({ ...want, granted: lease.granted })),
        liveNodes(),
      );
      const isQuiet = flushesBefore !== null && flushesBefore === flushes();
      const byName = new Map(grants.map((grant) => [nameOf(grant), grant]));
      for (const { lease, want } of wants)
        this.#apply(lease, want, byName.get(nameOf(lease)), isQuiet);
      for (const [name, waiting] of asking)
        this.#answer(name, waiting, byName.get(name));
    } catch {
      for (const [name, waiting] of asking)
        this.#resolve(name, waiting, "unavailable");
    }
  }

  #apply(
    lease: Lease,
    { quota, want }: LeaseWant,
    grant: LeaseGrant | undefined,
    isQuiet: boolean,
  ): void {
    lease.isUnsure = false;
    if (grant === undefined) {
      lease.isOpen = false;
      return;
    }
    const { accountId, given, month, used } = grant;
    const nowMs = performance.now();
    // Otherwise `used` may have usage that this process still counts as unwritten.
    if (isQuiet) this.#table.takeIn(accountId, month, used);
    lease.usedUp =
      want > 0 && given === 0 ? { quota, untilMs: nowMs + USED_UP_MS } : null;
    if (given === 0) return;
    lease.granted += given;
    this.#granted += given;
    this.#makeRoom(lease);
    if (!this.#cells.add(accountId, month, given)) this.#toSettle.add(lease);
    lease.left = this.#cells.left(accountId, month);
    lease.leftSinceMs = nowMs;
  }

  #answer(name: string, waiting: Waiting, grant: LeaseGrant | undefined): void {
    if (grant === undefined && ++waiting.attempts < MAX_ATTEMPTS) return;
    if (grant === undefined) this.#resolve(name, waiting, "unavailable");
    else this.#resolve(name, waiting, grant.given > 0 ? "granted" : "used_up");
  }

  #resolve(name: string, waiting: Waiting, outcome: LeaseOutcome): void {
    clearTimeout(waiting.timer);
    this.#waiting.delete(name);
    waiting.done.resolve(outcome);
  }

  /** The month two earlier shares the cell; nothing should be left of it. */
  #makeRoom({ accountId, month }: AccountMonth): void {
    const earlier = this.#leases.get(nameOf({ accountId, month: month - 2 }));
    if (earlier !== undefined) this.#takeBack(earlier);
  }

  /** Takes what is left out of the cells, and has the database told. */
  #takeBack(lease: Lease): void {
    const left = this.#cells.takeBack(lease.accountId, lease.month);
    if (left === 0) return;
    lease.granted -= left;
    lease.left = 0;
    this.#returned += left;
    this.#toSettle.add(lease);
  }

  /** In one flow with the other statements, so that no lease is closed while it is granted something. */
  async #close(): Promise<void> {
    const batch: Lease[] = [];
    for (const lease of this.#toClose) {
      if (batch.length === MAX_BATCH) break;
      this.#toClose.delete(lease);
      const isIdle = this.#cells.left(lease.accountId, lease.month) === 0;
      if (isIdle && !this.#waiting.has(nameOf(lease))) batch.push(lease);
    }
    if (batch.length === 0) return;
    this.#statements++;
    const closed = new Set(
      (await this.#options.store.close(batch).catch(() => [])).map(nameOf),
    );
    const nowMs = performance.now();
    for (const lease of batch) {
      if (closed.has(nameOf(lease))) this.#leases.delete(nameOf(lease));
      else lease.leftSinceMs = nowMs;
    }
  }

  #leaseOf(name: string, { accountId, month }: AccountMonth): Lease {
    let lease = this.#leases.get(name);
    if (lease === undefined) {
      const nowMs = performance.now();
      lease = {
        accountId,
        month,
        isOpen: false,
        granted: 0,
        isUnsure: false,
        takenBefore: 0,
        askedMs: nowMs,
        left: 0,
        leftSinceMs: nowMs,
        usedUp: null,
      };
      this.#leases.set(name, lease);
    }
    return lease;
  }

  /** How many answers to ask for: what the account needs for some seconds at its rate here. */
  #wish(lease: Lease, { burstPerSecond }: LeaseRequest): number {
    const nowMs = performance.now();
    const left = this.#cells.left(lease.accountId, lease.month);
    const taken = lease.granted - left;
    const seconds = Math.max(nowMs - lease.askedMs, 1) / 1000;
    const rate = Math.min(
      (taken - lease.takenBefore) / seconds,
      burstPerSecond,
    );
    lease.takenBefore = taken;
    lease.askedMs = nowMs;
    return Math.max(Math.ceil(rate * LEASE_SECONDS), MIN_WANT);
  }
}

function wantOf(
  { accountId, granted, month }: Lease,
  quota: number,
  want: number,
): LeaseWant {
  return { accountId, month, quota, want, granted };
}

function nameOf({ accountId, month }: AccountMonth): string {
  return `${accountId} ${month}`;
}
