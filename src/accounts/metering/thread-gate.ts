import { hash } from "node:crypto";
import type { Operation } from "../../contract/operation.ts";
import { isWellFormedKey } from "../keys/api-key.ts";
import {
  hashWords,
  KeyTable,
  NO_KEY,
  planIn,
  statusIn,
} from "../keys/key-table.ts";
import { DEFAULT_PLAN } from "../plans.ts";
import { AccountTable } from "./account-table.ts";
import {
  changeWithin,
  machineMs,
  SIGNALS,
  viewCounts,
  type GateMemory,
} from "./gate-memory.ts";
import type {
  AccountHandle,
  BurstRate,
  BurstState,
  KeyVerdict,
  Plan,
  QuotaState,
  QuotaTaking,
} from "./gate.ts";
import { KeyUses } from "./key-uses.ts";
import { monthAt, type Month } from "./month.ts";
import { NOWHERE } from "./shared-index.ts";

/**
 * The treatment of an account of which nothing is prepaid while the database is away: it waits, or is counted in memory
 * only, so that nodes together may exceed its quota.
 */
export type WhenAway = "strict" | "grace";

export interface GateOptions {
  /** The same in all threads of a process, in one order. */
  readonly plans: ReadonlyMap<string, Plan>;
  /** The process's memory (`createGateMemory`), which its `GateKeeper` keeps current. */
  readonly memory: GateMemory;
  /** The time that keys work from memory while the database is away, in milliseconds. */
  readonly graceMs?: number;
  readonly whenAway?: WhenAway;
}

/** Five minutes. */
export const DEFAULT_GRACE_MS = 300_000;

/** The longest wait for the database, in milliseconds. */
const WAIT_MS = 2_000;

/** The time that a change of a key may stay unknown while the database answers, in milliseconds. */
const CURRENT_MS = 2_000;

/** Keys whose place is remembered, because the shape, the checksum and the hash take 2 µs. */
const MAX_REMEMBERED = 10_000;

const MALFORMED: KeyVerdict = { status: "unknown", reason: "malformed" };
const NEVER_ISSUED: KeyVerdict = { status: "unknown", reason: "never_issued" };
const REVOKED: KeyVerdict = { status: "unknown", reason: "revoked" };
const EXPIRED: KeyVerdict = { status: "unknown", reason: "expired" };
const SUSPENDED: KeyVerdict = { status: "suspended" };
const UNAVAILABLE: KeyVerdict = { status: "unavailable", retryAfterSeconds: 5 };

/** The state of the bucket of an account that found no place. */
const NO_BURST: BurstState = {
  allowed: false,
  remaining: 0,
  retryAfterSeconds: 1,
  resetSeconds: 1,
};

/** A key that this thread has seen. */
interface SeenKey {
  readonly place: number;
  readonly keyId: number;
  /** The state of the key, and what follows from it. */
  state: number;
  endMs: number;
  verdict: KeyVerdict;
  /** The time when it was last used successfully, in epoch seconds; 0 for never. */
  notedSecond: number;
}

/** The part of a gate that a request needs. */
export type Gate = Pick<ThreadGate, keyof ThreadGate>;

/**
 * A thread's gate between a request and the data: whose key it is, and how much its account may still use. It works in
 * memory that the threads of a process share, the same way on both databases.
 */
export class ThreadGate {
  readonly #keys: KeyTable;
  readonly #accounts: AccountTable;
  readonly #keyUses: KeyUses;
  readonly #plans: readonly Plan[];
  readonly #signals: Int32Array<SharedArrayBuffer>;
  readonly #keysAsOf: BigInt64Array<SharedArrayBuffer>;
  readonly #graceMs: number;
  readonly #whenAway: WhenAway;
  readonly #seen = new Map<string, SeenKey>();
  #month: Month = monthAt(0);

  constructor({
    graceMs = DEFAULT_GRACE_MS,
    memory,
    plans,
    whenAway = "grace",
  }: GateOptions) {
    const { keysAsOf, signals } = viewCounts(memory);
    this.#keys = new KeyTable(memory.keys);
    this.#accounts = new AccountTable(memory);
    this.#keyUses = new KeyUses(memory);
    this.#plans = [...plans.values()];
    this.#signals = signals;
    this.#keysAsOf = keysAsOf;
    this.#graceMs = graceMs;
    this.#whenAway = whenAway;
  }

  /** Verifies a key. The key is never stored or logged. */
  verify(key: string, nowMs: number): KeyVerdict {
    const seen = this.#find(key);
    if (seen === "malformed") return MALFORMED;
    if (this.#is(SIGNALS.keysAway)) {
      const isTrusted =
        seen !== null &&
        nowMs - Number(Atomics.load(this.#keysAsOf, 0)) < this.#graceMs;
      const cell = isTrusted ? SIGNALS.fromMemory : SIGNALS.refused;
      Atomics.add(this.#signals, cell, 1);
      if (!isTrusted) return UNAVAILABLE;
    }
    if (seen === null) return NEVER_ISSUED;
    const state = this.#keys.stateOf(seen.place);
    if (state !== seen.state) {
      seen.state = state;
      seen.endMs = this.#keys.endOf(seen.place);
      seen.verdict = this.#judge(seen, state);
    }
    const { verdict } = seen;
    if (verdict.status === "unknown") return verdict;
    // To the millisecond, unlike other changes.
    if (nowMs >= seen.endMs) return EXPIRED;
    if (verdict.status === "valid") this.#note(seen, nowMs);
    return verdict;
  }

  /**
   * True if changes of keys are known but for the last two seconds, or can't be known. False if the process was
   * suspended, or its supervisor is late: then verify again.
   */
  areKeysCurrent(): boolean {
    const readAt = Atomics.load(this.#signals, SIGNALS.keysReadAt);
    const ageMs = (machineMs() - readAt) | 0;
    return ageMs < CURRENT_MS || this.#is(SIGNALS.keysAway);
  }

  /** True if this thread has accepted the key before. */
  isInUse(key: string): boolean {
    return (this.#seen.get(key)?.notedSecond ?? 0) > 0;
  }

  /**
   * Verifies a key again that is unknown, or of which changes may be, once all keys are read that were made until now.
   * Never rejects.
   */
  async verifyAgain(key: string, nowMs: number): Promise<KeyVerdict> {
    const signals = this.#signals;
    const reading = Atomics.load(signals, SIGNALS.readingsStarted) + 1;
    Atomics.add(signals, SIGNALS.keysBell, 1);
    Atomics.notify(signals, SIGNALS.keysBell);
    const untilMs = performance.now() + WAIT_MS;
    for (;;) {
      const ended = Atomics.load(signals, SIGNALS.readingsEnded);
      const leftMs = untilMs - performance.now();
      const isRead = ended >= reading;
      if (isRead || leftMs <= 0 || this.#is(SIGNALS.keysAway)) {
        const verdict = this.verify(key, nowMs);
        return verdict === NEVER_ISSUED && !isRead ? UNAVAILABLE : verdict;
      }
      await changeWithin(signals, SIGNALS.readingsEnded, ended, leftMs);
    }
  }

  /** Makes the handle of an account that was identified otherwise; null if memory has no space for it. */
  accountOf(id: number, plan: Plan): AccountHandle | null {
    const place = this.#accounts.placeOf(id);
    return place === NOWHERE ? null : { id, place, keyPlace: NOWHERE, plan };
  }

  /** Reads the account's month from the database if this process doesn't know it. Null if it does. Never rejects. */
  beginMonth(
    { place, plan }: AccountHandle,
    nowMs: number,
  ): Promise<void> | null {
    const month = this.#monthAt(nowMs).number;
    return this.#accounts.used(place, month) === null &&
      !this.#is(SIGNALS.quotaAway)
      ? this.#accounts.prepay(place, month, 1, plan.monthlyQuota, WAIT_MS)
      : null;
  }

  /** Takes one token from the account's bucket, or says how long to wait for one. */
  takeBurst({ place, plan }: AccountHandle, nowMs: number): BurstState {
    return this.#accounts.takeToken(place, plan.burstPerSecond, nowMs);
  }

  /** Takes one token from the bucket of an account owner's requests with a session. */
  takeOwnerBurst(
    accountId: number,
    rate: BurstRate,
    nowMs: number,
  ): BurstState {
    const place = this.#accounts.placeOf(accountId);
    return place === NOWHERE
      ? NO_BURST
      : this.#accounts.takeOwnerToken(place, rate, nowMs);
  }

  /** Reads the month's state now; counts nothing. */
  quota({ place, plan }: AccountHandle, nowMs: number): QuotaState {
    const month = this.#monthAt(nowMs);
    const limit = plan.monthlyQuota;
    const used = this.#accounts.used(place, month.number) ?? 0;
    const remaining = Math.max(limit - used, 0);
    // What others have prepaid may have been returned since.
    if (remaining === 0 && !this.#accounts.isFresh(place))
      this.#accounts.want(place, month.number, 1, limit);
    return {
      limit,
      remaining,
      resetSeconds: Math.ceil((month.endMs - nowMs) / 1000),
      resetAt: month.endMs / 1000,
      windowSeconds: (month.endMs - month.startMs) / 1000,
    };
  }

  /** Reads an account's use of the month, as `quota` has it; null if this process doesn't know it. */
  used(accountId: number, nowMs: number): number | null {
    const place = this.#accounts.find(accountId);
    return place === NOWHERE
      ? null
      : this.#accounts.used(place, this.#monthAt(nowMs).number);
  }

  /**
   * Counts one answer from the data, or `answers` of them, or says why not. It counts all of them or none. Waits, a few
   * seconds at most, if more must be prepaid. `answers` is at least 1.
   */
  takeQuota(
    account: AccountHandle,
    nowMs: number,
    operation: Operation,
    answers = 1,
  ): QuotaTaking | Promise<QuotaTaking> {
    const month = this.#monthAt(nowMs).number;
    const taking = this.#take(account, month, operation, answers);
    return taking ?? this.#waitAndTake(account, month, operation, answers);
  }

  /** Gives back answers that were counted in this month and not sent. */
  giveBack(
    { keyPlace, place }: AccountHandle,
    nowMs: number,
    operation: Operation,
    answers: number,
  ): void {
    this.#accounts.giveBack(place, this.#monthAt(nowMs).number, answers);
    this.#keyUses.count(keyPlace, operation, -answers);
  }

  /** Counts answers if that is possible now; null if more must be prepaid first. */
  #take(
    { keyPlace, place, plan }: AccountHandle,
    month: number,
    operation: Operation,
    answers: number,
  ): QuotaTaking | null {
    const quota = plan.monthlyQuota;
    let taking = this.#accounts.take(place, month, answers, quota);
    if (taking !== "taken") {
      if (this.#is(SIGNALS.quotaAway)) {
        taking =
          this.#whenAway === "strict"
            ? "short"
            : this.#accounts.takeUnpaid(place, month, answers, quota);
        if (taking === "short") {
          Atomics.add(this.#signals, SIGNALS.refused, 1);
          return "unavailable";
        }
      } else if (taking === "short" || !this.#accounts.isFresh(place))
        return null;
    }
    if (taking !== "taken") return "used_up";
    this.#keyUses.count(keyPlace, operation, answers);
    return "taken";
  }

  async #waitAndTake(
    account: AccountHandle,
    month: number,
    operation: Operation,
    answers: number,
  ): Promise<QuotaTaking> {
    const { place, plan } = account;
    const untilMs = performance.now() + WAIT_MS;
    for (;;) {
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) return "unavailable";
      await this.#accounts.prepay(
        place,
        month,
        answers,
        plan.monthlyQuota,
        leftMs,
      );
      const taking = this.#take(account, month, operation, answers);
      if (taking !== null) return taking;
    }
  }

  /** Finds a key; null if it was never issued. */
  #find(key: string): SeenKey | "malformed" | null {
    const before = this.#seen.get(key);
    if (before !== undefined) return before;
    if (!isWellFormedKey(key)) return "malformed";
    const place = this.#keys.find(hashWords(hash("sha256", key, "buffer")));
    if (place === NO_KEY) return null;
    const { keyId } = this.#keys.factsOf(place);
    const seen = {
      place,
      keyId,
      state: NO_KEY,
      endMs: 0,
      verdict: NEVER_ISSUED,
      notedSecond: 0,
    };
    if (this.#seen.size >= MAX_REMEMBERED) {
      const { value: oldest = "" } = this.#seen.keys().next();
      this.#seen.delete(oldest);
    }
    this.#seen.set(key, seen);
    return seen;
  }

  #judge({ keyId, place }: SeenKey, state: number): KeyVerdict {
    const status = statusIn(state);
    if (status === "deleted") return NEVER_ISSUED;
    if (status === "revoked") return REVOKED;
    if (status === "suspended") return SUSPENDED;
    const plan = this.#plans[planIn(state)]!;
    const account = this.accountOf(this.#keys.factsOf(place).accountId, plan);
    if (account === null) return UNAVAILABLE;
    const keyPlace = this.#keyUses.placeOf(keyId);
    return { status: "valid", account: { ...account, keyPlace } };
  }

  #note(seen: SeenKey, nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second === seen.notedSecond) return;
    seen.notedSecond = second;
    this.#keyUses.note(seen.keyId, second);
  }

  #is(signal: number): boolean {
    return Atomics.load(this.#signals, signal) !== 0;
  }

  #monthAt(nowMs: number): Month {
    if (nowMs < this.#month.startMs || nowMs >= this.#month.endMs)
      this.#month = monthAt(nowMs);
    return this.#month;
  }
}

/** Numbers the plans of an installation; an unknown one has the number of the plan whose limits apply. */
export function planNumbers(
  plans: ReadonlyMap<string, Plan>,
): (name: string) => number {
  const names = [...plans.keys()];
  return (name) => names.indexOf(plans.has(name) ? name : DEFAULT_PLAN);
}
