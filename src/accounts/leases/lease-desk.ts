import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseAway } from "../database/postgresql-fault.ts";
import { type AccountMonth, UsageTable } from "../metering/usage-table.ts";
import { LeaseCells } from "./lease-cells.ts";
import {
  isUsedUp,
  nameOf,
  newLease,
  report,
  USED_UP_MS,
  wish,
  type Lease,
  type LeaseCounts,
} from "./lease.ts";
import {
  LeaseRequests,
  outcomeWith,
  type LeaseOutcome,
  type LeaseRequest,
} from "./lease-requests.ts";
import type { LeaseAnswer, LeaseStore, LeaseWant } from "./lease-store.ts";

/** Accounts in one statement. */
const MAX_BATCH = 1_000;
/** Statements at once. */
const MAX_LANES = 3;
/** Other accounts don't wait longer for a statement. */
const SLOW_MS = 250;
/** What was not touched for this long is returned. */
const IDLE_MS = 30_000;
/** How long a stop tries to return what other statements have locked, and how often. */
const RETURN_MS = 2_000;
const RETURN_EVERY_MS = 20;

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

/**
 * Gets leases for all threads of a process, and returns what isn't used: one statement at a time, each for all accounts
 * that asked meanwhile, and another while one is slow. No account is in two statements at once. What it is
 * granted goes into `LeaseCells`.
 */
export class LeaseDesk {
  readonly #options: LeaseDeskOptions;
  readonly #table: UsageTable;
  readonly #cells: LeaseCells;
  readonly #leases = new Map<string, Lease>();
  readonly #requests = new LeaseRequests(() => void this.#drive());
  /** Leases to tell the database about without asking for more. */
  readonly #toSettle = new Set<Lease>();
  /** Leases of which nothing is left. */
  readonly #toClose = new Set<Lease>();
  /** What sends statements, how many of them wait for a slow one, and the leases that these are about. */
  readonly #lanes = new Set<Promise<void>>();
  #slow = 0;
  readonly #inFlight = new Set<string>();
  #isAway = false;
  #granted = 0;
  #returned = 0;
  #folded = 0;
  #statements = 0;
  readonly #outcomes = {
    granted: 0,
    used_up: 0,
    timed_out: 0,
    unavailable: 0,
  };

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

  /** Returns the leases of accounts whose plan may have become smaller. */
  recall(accounts: ReadonlySet<number>): void {
    if (accounts.size === 0) return;
    for (const lease of this.#leases.values()) {
      if (!accounts.has(lease.accountId)) continue;
      this.#takeBack(lease);
      lease.isRecalled = this.#inFlight.has(nameOf(lease));
    }
    void this.#drive();
  }

  /** Counts what vanished processes hold as used; returns how many answers that were. Rejects if the database fails. */
  async fold(): Promise<number> {
    let all = 0;
    let folded: number;
    do {
      this.#statements++;
      folded = await this.#options.store.fold();
      this.#folded += folded;
      all += folded;
    } while (folded > 0);
    return all;
  }

  /**
   * Returns everything, once no thread answers any more and all usage is written. Rejects if the database fails: other
   * processes then count what is left as used.
   */
  async returnAll(): Promise<void> {
    // A renewal may be on its way, whose grant is returned too.
    this.#requests.cancel();
    await this.#finish();
    for (const lease of this.#leases.values()) this.#takeBack(lease);
    const untilMs = performance.now() + RETURN_MS;
    for (;;) {
      for (const lease of this.#leases.values())
        if (lease.isUnsure) this.#toSettle.add(lease);
      const isDone = this.#toSettle.size === 0;
      await this.#finish();
      if (isDone || this.#isAway || performance.now() > untilMs) break;
      if (this.#hasUnsure) await sleep(RETURN_EVERY_MS);
    }
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
    const lease = this.#leases.get(name);
    if (lease && isUsedUp(lease, request) && !this.#requests.has(name))
      return Promise.resolve("used_up");
    return this.#requests.add(name, request);
  }

  /** Sends statements for what isn't in one, unless that will happen anyway. Never rejects. */
  async #drive(): Promise<void> {
    if (
      this.#lanes.size === this.#slow &&
      this.#lanes.size < MAX_LANES &&
      this.#hasWork
    ) {
      const lane = this.#work().finally(() => {
        this.#lanes.delete(lane);
        void this.#drive();
      });
      this.#lanes.add(lane);
    }
    await Promise.all(this.#lanes);
  }

  async #finish(): Promise<void> {
    while (this.#lanes.size > 0 || this.#hasWork) await this.#drive();
  }

  get #hasWork(): boolean {
    const isFree = (lease: Lease) => !this.#inFlight.has(nameOf(lease));
    return (
      this.#requests.hasReady(this.#inFlight) ||
      [...this.#toSettle, ...this.#toClose].some(isFree)
    );
  }

  get #hasUnsure(): boolean {
    return [...this.#leases.values()].some(({ isUnsure }) => isUnsure);
  }

  async #work(): Promise<void> {
    // What arrives in one turn of the event loop goes out together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#hasWork) {
      const asking = this.#requests.take(MAX_BATCH, this.#inFlight);
      const wants = new Map<string, { lease: Lease; want: LeaseWant }>();
      for (const [name, request] of asking) {
        const lease = this.#leaseOf(name, request);
        const left = this.#cells.left(lease.accountId, lease.month);
        wants.set(name, { lease, want: wish(lease, left, request) });
      }
      for (const lease of this.#free(this.#toSettle)) {
        const name = nameOf(lease);
        if (lease.isOpen && !wants.has(name))
          wants.set(name, { lease, want: report(lease) });
      }
      if (wants.size > 0)
        await this.#inLane(wants.keys(), () =>
          this.#settle([...wants.values()]),
        );
      await this.#close();
    }
  }

  /** Takes leases of which no statement is on its way out of a set, as many as fit one. */
  #free(leases: Set<Lease>): Lease[] {
    const free = [...leases]
      .filter((lease) => !this.#inFlight.has(nameOf(lease)))
      .slice(0, MAX_BATCH);
    for (const lease of free) leases.delete(lease);
    return free;
  }

  /** Waits for a statement about some leases, while others may be sent. */
  async #inLane(
    names: Iterable<string>,
    send: () => Promise<void>,
  ): Promise<void> {
    const sent = [...names];
    for (const name of sent) this.#inFlight.add(name);
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.#slow++;
      void this.#drive();
    }, SLOW_MS);
    await send();
    clearTimeout(timer);
    if (isSlow) this.#slow--;
    for (const name of sent) this.#inFlight.delete(name);
  }

  async #settle(
    wants: readonly { readonly lease: Lease; readonly want: LeaseWant }[],
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
      const answers = await store.settle(
        wants.map(({ lease, want }) => ({ ...want, granted: lease.granted })),
        liveNodes(),
      );
      this.#isAway = false;
      const isQuiet = flushesBefore !== null && flushesBefore === flushes();
      const byName = new Map(answers.map((answer) => [nameOf(answer), answer]));
      for (const { lease, want } of wants)
        this.#apply(lease, want, byName.get(nameOf(lease)), isQuiet);
    } catch (error) {
      this.#isAway = isDatabaseAway(error);
      for (const { lease } of wants)
        if (this.#isAway) this.#requests.settle(nameOf(lease), "unavailable");
        else this.#requests.retry(nameOf(lease));
    }
  }

  #apply(
    lease: Lease,
    { need, quota, want }: LeaseWant,
    answer: LeaseAnswer | undefined,
    isQuiet: boolean,
  ): void {
    const name = nameOf(lease);
    if (answer === undefined) {
      lease.isUnsure = false;
      lease.isOpen = false;
    }
    // Nothing was changed. What only returns something is sent again by the next sweep.
    if (answer === undefined || answer.given === null) {
      this.#requests.retry(name);
      return;
    }
    const { accountId, free, given, month } = answer;
    const nowMs = performance.now();
    lease.isUnsure = false;
    // Otherwise `used` may have usage that this process still counts as unwritten.
    if (isQuiet) this.#table.takeIn(answer);
    const had = this.#cells.left(accountId, month) + given;
    // Once nothing is granted, no more is requested, whatever is left here.
    const tooMany = given === 0 ? 1 : had + free + 1;
    lease.usedUp =
      want > 0 && (given === 0 || need > given)
        ? { quota, answers: tooMany, untilMs: nowMs + USED_UP_MS }
        : null;
    if (given > 0) this.#take(lease, given, nowMs);
    if (lease.isRecalled) this.#takeBack(lease);
    lease.isRecalled = false;
    if (want > 0) this.#requests.settleEach(name, outcomeWith(had, tooMany));
  }

  #take(lease: Lease, given: number, nowMs: number): void {
    const { accountId, month } = lease;
    lease.granted += given;
    this.#granted += given;
    this.#makeRoom(lease);
    if (!this.#cells.add(accountId, month, given)) {
      lease.granted -= given;
      this.#toSettle.add(lease);
    }
    lease.left = this.#cells.left(accountId, month);
    lease.leftSinceMs = nowMs;
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
    const batch = this.#free(this.#toClose).filter(
      (lease) =>
        this.#cells.left(lease.accountId, lease.month) === 0 &&
        !this.#requests.has(nameOf(lease)),
    );
    if (batch.length === 0) return;
    this.#statements++;
    await this.#inLane(batch.map(nameOf), async () => {
      const closed = new Set(
        (await this.#options.store.close(batch).catch(() => [])).map(nameOf),
      );
      const nowMs = performance.now();
      for (const lease of batch) {
        if (closed.has(nameOf(lease))) this.#leases.delete(nameOf(lease));
        else lease.leftSinceMs = nowMs;
      }
    });
  }

  #leaseOf(name: string, account: AccountMonth): Lease {
    const lease = this.#leases.get(name) ?? newLease(account);
    this.#leases.set(name, lease);
    return lease;
  }
}
