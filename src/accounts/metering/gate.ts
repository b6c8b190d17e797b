import type { Operation } from "../../contract/operation.ts";

/**
 * The gate between a request and the data: whose key it is, and how much its account may still use. It works in memory
 * that the threads of a process share, the same way on both databases; `openGate` makes one for a thread.
 */
export interface Gate {
  /** Verifies a key. The key is never stored or logged. */
  verify(key: string, nowMs: number): KeyVerdict;
  /**
   * True if changes of keys are known but for the last two seconds, or can't be known. False if the process was
   * suspended, or its supervisor is late: then verify again.
   */
  areKeysCurrent(): boolean;
  /** True if this thread has accepted the key before. */
  isInUse(key: string): boolean;
  /**
   * Verifies a key again that is unknown, or of which changes may be, once all keys are read that were made until now.
   * Never rejects.
   */
  verifyAgain(key: string, nowMs: number): Promise<KeyVerdict>;
  /** Makes the handle of an account that was identified otherwise; null if memory has no space for it. */
  accountOf(id: number, plan: Plan): AccountHandle | null;
  /** Reads the account's month from the database if this process doesn't know it. Null if it does. Never rejects. */
  beginMonth(account: AccountHandle, nowMs: number): Promise<void> | null;
  /** Takes one token from the account's bucket, or says how long to wait for one. */
  takeBurst(account: AccountHandle, nowMs: number): BurstState;
  /** Takes one token from the bucket of an account owner's requests with a session. */
  takeOwnerBurst(accountId: number, rate: BurstRate, nowMs: number): BurstState;
  /** Reads the month's state now; counts nothing. */
  quota(account: AccountHandle, nowMs: number): QuotaState;
  /** Reads an account's use of the month, as `quota` has it; null if this process doesn't know it. */
  used(accountId: number, nowMs: number): number | null;
  /**
   * Counts one answer from the data, or `answers` of them, or says why not. It counts all of them or none. Waits, a few
   * seconds at most, if more must be prepaid. `answers` is at least 1.
   */
  takeQuota(
    account: AccountHandle,
    nowMs: number,
    operation: Operation,
    answers?: number,
  ): QuotaTaking | Promise<QuotaTaking>;
  /** Gives back answers that were counted in this month and not sent. */
  giveBack(
    account: AccountHandle,
    nowMs: number,
    operation: Operation,
    answers: number,
  ): void;
}

/**
 * The outcome of a key check. Clients get the same answer for every `unknown`; its reason is only for logs and metrics.
 */
export type KeyVerdict =
  | { readonly status: "valid"; readonly account: AccountHandle }
  | { readonly status: "suspended" }
  | { readonly status: "unknown"; readonly reason: UnknownKeyReason }
  /** The database is away, and memory can't be trusted any more, or doesn't know the key. */
  | { readonly status: "unavailable"; readonly retryAfterSeconds: number };

/** `malformed` keys have a wrong shape or checksum, and cost no look-up. */
export type UnknownKeyReason =
  "malformed" | "never_issued" | "revoked" | "expired";

/** The outcome of counting answers; nothing is counted unless it is "taken". */
export type QuotaTaking =
  | "taken"
  /** The month has fewer left. */
  | "used_up"
  /** More would have to be prepaid, but the database is away or doesn't answer. */
  | "unavailable";

/** The account of a verified key; valid for the current request only. */
export interface AccountHandle {
  readonly id: number;
  /** Its place in the memory that threads share (`AccountTable`). */
  readonly place: number;
  /** Where the process counts answers to the key; -1 if it has no space for that. */
  readonly keyPlace: number;
  readonly plan: Plan;
}

/** The limits of an account. */
export interface Plan {
  readonly name: string;
  /** Counted answers in a calendar month, UTC. */
  readonly monthlyQuota: number;
  /** Size of the burst bucket, and its refill a second. */
  readonly burstPerSecond: number;
}

/** A bucket's refill in tokens a second, and its size. */
export interface BurstRate {
  readonly perSecond: number;
  readonly size: number;
}

/** The burst bucket after an attempt to take a token. */
export interface BurstState {
  readonly allowed: boolean;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Whole seconds until one more request is allowed: 0 while tokens remain, ≥ 1 when refused. */
  readonly retryAfterSeconds: number;
  /** Whole seconds until the bucket is full again. */
  readonly resetSeconds: number;
}

/** An account's calendar month, UTC. */
export interface QuotaState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds to the first of next month, ≥ 1. */
  readonly resetSeconds: number;
  /** The first of next month, in epoch seconds. */
  readonly resetAt: number;
  /** Seconds in this month. */
  readonly windowSeconds: number;
}
