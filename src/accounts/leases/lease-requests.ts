import type { AccountMonth } from "../metering/usage-table.ts";

/** How long a request waits for the database. */
const WAIT_MS = 2_000;
/** The first pause before a request is sent again, and the longest; it doubles each time. */
const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 160;

/** A request for a lease. */
export interface LeaseRequest extends AccountMonth {
  readonly quota: number;
  /** The most requests a second that the account's plan allows. */
  readonly burstPerSecond: number;
  /** How many answers are needed at least, with those that are left here. */
  readonly answers: number;
}

/**
 * What became of it. `used_up`: fewer are left than needed. `timed_out` says nothing about other accounts;
 * `unavailable` means that the database is away.
 */
export type LeaseOutcome = "granted" | "used_up" | "timed_out" | "unavailable";

/** One that waits, with those that need as many answers. */
interface Asker {
  readonly request: LeaseRequest;
  readonly done: PromiseWithResolvers<LeaseOutcome>;
  readonly timer: NodeJS.Timeout;
}

/** All that wait for an account's month, by the answers that they need. */
interface Waiting {
  readonly askers: Map<number, Asker>;
  attempts: number;
}

/**
 * Requests for leases that wait for the database, by account and month, named by the caller. Those of one name are sent
 * as one, for as many answers as the largest needs.
 */
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

  /** Adds a request, unless the same waits already. The outcome is "timed_out" if it isn't settled in time. */
  add(name: string, request: LeaseRequest): Promise<LeaseOutcome> {
    const { answers } = request;
    const others = this.#waiting.get(name);
    const same = others?.askers.get(answers);
    if (same !== undefined) return same.done.promise;
    const done = Promise.withResolvers<LeaseOutcome>();
    // After this thread was busy, the answer may have arrived and is read first.
    const timer = setTimeout(
      () => setImmediate(() => this.#end(name, waiting, asker, "timed_out")),
      WAIT_MS,
    );
    const asker: Asker = { request, done, timer };
    const waiting = others ?? { askers: new Map(), attempts: 0 };
    waiting.askers.set(answers, asker);
    // Those that wait already were sent, or will be; `settleEach` sends what that doesn't settle.
    if (others !== undefined) return done.promise;
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
      if (waiting !== undefined) taken.push([name, largestOf(waiting)]);
    }
    return taken;
  }

  /** Settles all of a name. */
  settle(name: string, outcome: LeaseOutcome): void {
    this.settleEach(name, () => outcome);
  }

  /** Settles those of a name by the answers that they need. What is null is sent again. */
  settleEach(
    name: string,
    outcomeOf: (answers: number) => LeaseOutcome | null,
  ): void {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) return;
    for (const [answers, asker] of waiting.askers) {
      const outcome = outcomeOf(answers);
      if (outcome !== null) this.#end(name, waiting, asker, outcome);
    }
    if (waiting.askers.size === 0) return;
    this.#ready.add(name);
    this.#onReady();
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
    for (const name of this.#waiting.keys()) this.settle(name, "timed_out");
  }

  #end(
    name: string,
    waiting: Waiting,
    asker: Asker,
    outcome: LeaseOutcome,
  ): void {
    const { answers } = asker.request;
    if (waiting.askers.get(answers) !== asker) return;
    clearTimeout(asker.timer);
    waiting.askers.delete(answers);
    if (waiting.askers.size === 0) {
      this.#waiting.delete(name);
      this.#ready.delete(name);
    }
    asker.done.resolve(outcome);
  }
}

/** The request that needs the most answers. */
function largestOf({ askers }: Waiting): LeaseRequest {
  const [first, ...others] = [...askers.values()].map(({ request }) => request);
  return others.reduce(
    (largest, request) =>
      request.answers > largest.answers ? request : largest,
    first!,
  );
}

/** What becomes of requests by the answers that they need: null if they must be sent again. */
export function outcomeWith(
  had: number,
  tooMany: number,
): (answers: number) => LeaseOutcome | null {
  return (answers) => {
    if (answers >= tooMany) return "used_up";
    return answers <= had ? "granted" : null;
  };
}
