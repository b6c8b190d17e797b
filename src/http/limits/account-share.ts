import type { ServerResponse } from "node:http";
import { tryAgain, type Failure } from "../pipeline/failure.ts";
import { EXPORT_PACE, SCARCE_BEHIND_MS } from "./server-limits.ts";

/** `Retry-After` of both failures. */
const RETRY_SECONDS = 10;

/** The amounts of something that all accounts of a thread, and each of them, may take at the same time. */
interface Limits {
  readonly all: number;
  readonly account: number;
}

/** The client of an answer that a share is taken for. */
export interface AnswerReader {
  /** Returns the time by which it is behind the pace at which answers must be read, in milliseconds. */
  behindMs(): number;
  /** Ends its answer early. */
  displace(): void;
}

/** The amount that a request has taken, and for whom. */
interface Taken<Account> {
  readonly account: Account;
  amount: number;
}

/**
 * Limits what the requests of a thread take at the same time, such as memory until their clients have read the answers.
 * Accounts are named by their id, visitors by their network.
 *
 * Once everything is taken, an account that has nothing yet displaces the slowest reader of the account that has the
 * most, if that is more than the newcomer then has; else the one that is furthest behind, if that is too far. So slow
 * readers can't keep everything, and a reader that keeps the pace can't be displaced from its account's only place.
 */
export class AccountShares<Account extends number | string = number> {
  readonly #limits: Limits;
  readonly #tooMany: () => Failure;
  readonly #byAccount = new Map<Account, number>();
  /** The readers of answers that are sent. */
  readonly #readers = new Map<Taken<Account>, AnswerReader>();
  /** Takes more than there is, until its answer is sent and displaces another. There is one at a time. */
  #newcomer: Taken<Account> | null = null;
  #taken = 0;
  /** Requests that wait for others of their account, in order of arrival. Each tries again, and says if its wait is over. */
  readonly #waiting = new Map<Account, Set<() => boolean>>();

  constructor(limits: Limits, tooMany = () => tooManyAtOnce()) {
    this.#limits = limits;
    this.#tooMany = tooMany;
  }

  /** Makes an empty share of an account, which gives everything back when it is disposed of. */
  open(account: Account): AccountShare {
    const taken: Taken<Account> = { account, amount: 0 };
    return {
      take: (amount) => this.#take(taken, amount),
      takeInTurn: (amount, response, withinMs) =>
        this.#takeInTurn(taken, amount, response, withinMs),
      readBy: (reader) => {
        // Its client has gone since it took something.
        if (taken.amount === 0) return;
        if (this.#newcomer === taken) this.#displaceFor(taken);
        this.#readers.set(taken, reader);
      },
      get amount() {
        return taken.amount;
      },
      [Symbol.dispose]: () => this.#giveBack(taken),
    };
  }

  #take(taken: Taken<Account>, amount: number): Failure | null {
    const held = this.#of(taken.account);
    const own = held + amount;
    if (own > this.#limits.account) return this.#tooMany();
    if (this.#taken + amount > this.#limits.all) {
      const isTurn = (this.#newcomer ?? taken) === taken;
      if (held > taken.amount || !isTurn || this.#slowest(own) === null)
        return serviceBusy();
      this.#newcomer = taken;
    }
    this.#add(taken, amount);
    return null;
  }

  #takeInTurn(
    taken: Taken<Account>,
    amount: number,
    response: ServerResponse,
    withinMs: number,
  ): Promise<Failure | null> {
    const { promise, resolve } = Promise.withResolvers<Failure | null>();
    const { account } = taken;
    const waiting = this.#waiting.get(account) ?? new Set();
    const end = (result: Failure | null): void => {
      clearTimeout(timer);
      response.off("close", stop);
      waiting.delete(attempt);
      if (waiting.size === 0) this.#waiting.delete(account);
      resolve(result);
    };
    const attempt = (): boolean => {
      if (this.#of(account) + amount > this.#limits.account) return false;
      end(this.#take(taken, amount));
      return true;
    };
    const stop = (): void => end(this.#tooMany());
    const timer = setTimeout(stop, withinMs);
    response.once("close", stop);
    if (waiting.size === 0 && attempt()) return promise;
    this.#waiting.set(account, waiting.add(attempt));
    return promise;
  }

  #displaceFor({ account }: Taken<Account>): void {
    this.#newcomer = null;
    while (this.#taken > this.#limits.all) {
      const slowest = this.#slowest(this.#of(account));
      // It has caught up since; the next newcomer displaces one more.
      if (slowest === null) return;
      const reader = this.#readers.get(slowest);
      this.#giveBack(slowest);
      reader?.displace();
    }
  }

  /** Finds what an account that then has `own` may displace; null if nothing. */
  #slowest(own: number): Taken<Account> | null {
    let slowest: Taken<Account> | null = null;
    let most = 0;
    let mostBehindMs = 0;
    for (const [taken, reader] of this.#readers) {
      const total = this.#of(taken.account);
      const behindMs = reader.behindMs();
      if (total <= own && behindMs <= SCARCE_BEHIND_MS) continue;
      const isSlower = total === most && behindMs > mostBehindMs;
      if (slowest !== null && total <= most && !isSlower) continue;
      slowest = taken;
      most = total;
      mostBehindMs = behindMs;
    }
    return slowest;
  }

  #of(account: Account): number {
    return this.#byAccount.get(account) ?? 0;
  }

  #giveBack(taken: Taken<Account>): void {
    this.#readers.delete(taken);
    if (this.#newcomer === taken) this.#newcomer = null;
    this.#add(taken, -taken.amount);
    for (const attempt of this.#waiting.get(taken.account) ?? [])
      if (!attempt()) break;
  }

  #add(taken: Taken<Account>, amount: number): void {
    taken.amount += amount;
    this.#taken += amount;
    const own = this.#of(taken.account) + amount;
    if (own === 0) this.#byAccount.delete(taken.account);
    else this.#byAccount.set(taken.account, own);
  }
}

/** The amount that one request takes. */
export interface AccountShare extends Disposable {
  /**
   * Takes an amount in addition; a failure, and nothing taken, if that is more than its account or the thread may take,
   * and if it can't displace another for it.
   */
  take(amount: number): Failure | null;
  /**
   * Takes an amount as `take` does, but if its account has too much, waits until others of it end: behind those that
   * came before, for at most `withinMs` milliseconds, and while the client of the response is there.
   */
  takeInTurn(
    amount: number,
    response: ServerResponse,
    withinMs: number,
  ): Promise<Failure | null>;
  /**
   * Says who reads the answer, when it is sent. If it took more than there is, another reader is displaced now; from
   * now on this one may be.
   */
  readBy(reader: AnswerReader): void;
  /** The amount that it has taken. */
  readonly amount: number;
}

/** Makes the reader of an answer of known length, which it must have read in the time that the pace allows. */
export function readerOf(
  response: ServerResponse,
  bytes: number,
): AnswerReader {
  const untilMs =
    performance.now() + (bytes / EXPORT_PACE.bytesPerSecond) * 1_000;
  return {
    behindMs: () => performance.now() - untilMs,
    // A reset, so that no client takes a part for the whole.
    displace: () => response.req.socket.resetAndDestroy(),
  };
}

export function tooManyAtOnce(
  message = "Other exports or large responses of this account are still running. Send this request again when one has finished.",
): Failure {
  return {
    code: "too_many_at_once",
    message,
    headers: { "retry-after": String(RETRY_SECONDS) },
  };
}

export function serviceBusy(
  reason = "Too many exports and large responses are running.",
): Failure {
  return tryAgain("service_busy", reason, RETRY_SECONDS);
}

/** Makes the failure of a request that waited too long for its turn (`fair-queue.ts`). */
export function queuedTooLong(): Failure {
  return serviceBusy("More requests arrive than the service can handle.");
}
