import type { AccountMonth } from "../metering/usage-table.ts";

/** How long a request waits for the database. */
const WAIT_MS = 2_000;
/** The first pause before a request is sent again, and the longest; it doubles each time. */
const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 160;

/** A request for a lease. */
export interface LeaseRequest extends AccountMonth {
  readonly quota: number;
  /** The most answers a second that the account's plan allows. */
  readonly burstPerSecond: number;
}

/**
 * What became of it. `timed_out` says nothing about other accounts; `unavailable` means that the database is away.
 */
export type LeaseOutcome = "granted" | "used_up" | "timed_out" | "unavailable";

interface Waiting {
  readonly request: LeaseRequest;
  readonly done: PromiseWithResolvers<LeaseOutcome>;
  readonly timer: NodeJS.Timeout;
  attempts: number;
}

/** Requests for leases that wait for the database: one for each account and month, named by the caller. */
export class LeaseRequests {
  readonly #onReady: () => void;
  readonly #waiting = new Map<string, Waiting>();
  /** Those to send with the next statement. */
  readonly #ready = new Set<string>();

  /** `onReady` is called when a request can be sent. */
  constructor(onReady: () => void) {
    this.#onReady = onReady;
  }

  has(name: string): boolean {
    return this.#waiting.has(name);
  }

  /** Whether one that isn't in `except` can be sent. */
  hasReady(except: ReadonlySet<string>): boolean {
    for (const name of this.#ready) if (!except.has(name)) return true;
    return false;
  }

  /** Adds a request, unless the same waits already. The outcome is "timed_out" if `settle` isn't called in time. */
  add(name: string, request: LeaseRequest): Promise<LeaseOutcome> {
    const same = this.#waiting.get(name);
    if (same !== undefined) return same.done.promise;
    const done = Promise.withResolvers<LeaseOutcome>();
    // After this thread was busy, the answer may have arrived and is read first.
    const timer = setTimeout(
      () => setImmediate(() => this.#end(name, waiting, "timed_out")),
      WAIT_MS,
    );
    const waiting: Waiting = { request, done, timer, attempts: 0 };
    this.#waiting.set(name, waiting);
    this.#ready.add(name);
    this.#onReady();
    return done.promise;
  }

  /** Takes requests to send, at most `most` and none that is in `except`. */
  take(most: number, except: ReadonlySet<string>): [string, LeaseRequest][] {
    const taken: [string, LeaseRequest][] = [];
    for (const name of this.#ready) {
      if (taken.length === most) break;
      if (except.has(name)) continue;
      this.#ready.delete(name);
      const waiting = this.#waiting.get(name);
      if (waiting !== undefined) taken.push([name, waiting.request]);
    }
    return taken;
  }

  settle(name: string, outcome: LeaseOutcome): void {
    const waiting = this.#waiting.get(name);
    if (waiting !== undefined) this.#end(name, waiting, outcome);
  }

  /** Lets a request be sent again, after a pause. */
  retry(name: string): void {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) return;
    const pauseMs = MIN_PAUSE_MS * 2 ** waiting.attempts++;
    setTimeout(
      () => {
        if (this.#waiting.get(name) !== waiting) return;
        this.#ready.add(name);
        this.#onReady();
      },
      Math.min(pauseMs, MAX_PAUSE_MS),
    );
  }

  /** Gives up all that wait. */
  cancel(): void {
    for (const [name, waiting] of this.#waiting)
      this.#end(name, waiting, "timed_out");
  }

  #end(name: string, waiting: Waiting, outcome: LeaseOutcome): void {
    if (this.#waiting.get(name) !== waiting) return;
    clearTimeout(waiting.timer);
    this.#waiting.delete(name);
    this.#ready.delete(name);
    waiting.done.resolve(outcome);
  }
}
