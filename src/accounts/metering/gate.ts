import type { Operation } from "../../contract/operation.ts";

/**
 * The gate between a request and the data: whose key this is, and how much its account may still ask. Every call is
 * synchronous and does its work in memory; `openGate` makes one for a thread.
 */
export interface Gate {
  /** Whose key this is, and whether it may ask now. The key is never kept or logged. */
  verify(key: string, nowMs: number): KeyVerdict;
  /** Whether this thread knows the key for a real one, without asking anybody. */
  remembers(key: string): boolean;
  /** Takes one token from the account's bucket, or says how long to wait for one. */
  takeBurst(account: AccountHandle, nowMs: number): BurstState;
  /** Takes one token from the bucket of what an account's owner asks for with a session. */
  takeOwnerBurst(accountId: number, rate: BurstRate, nowMs: number): BurstState;
  /** What an account's owner views in the explorer. */
  readonly explorer: ExplorerMeter;
  /** The month's state now; counts nothing. */
  quota(account: AccountHandle, nowMs: number): QuotaState;
  /** Counts one answer taken from the data; false when the month is spent (nothing counted). */
  takeQuota(
    account: AccountHandle,
    nowMs: number,
    operation: Operation,
  ): boolean;
}

/**
 * The outcome of a key check. `unknown` is one answer to everybody outside; its reason is only for logs and metrics.
 */
export type KeyVerdict =
  | SettledVerdict
  /** Memory does not know the key well enough, and the database has been asked. It never rejects. */
  | { readonly status: "pending"; readonly settled: Promise<SettledVerdict> };

export type SettledVerdict =
  | { readonly status: "valid"; readonly account: AccountHandle }
  | { readonly status: "suspended" }
  | { readonly status: "unknown"; readonly reason: UnknownKeyReason }
  /** The database is away, and memory knows nothing of the key that can still be trusted. */
  | { readonly status: "unavailable"; readonly retryAfterSeconds: number };

/** `malformed` keys fail their shape or checksum and cost no look-up. */
export type UnknownKeyReason =
  "malformed" | "never_issued" | "revoked" | "expired";

/** Pages of the explorer, counted apart from answers to keys, and as exactly. */
export interface ExplorerMeter {
  /** Takes one token from the account's bucket, or says how long to wait for one. */
  takeBurst(accountId: number, rate: BurstRate, nowMs: number): BurstState;
  /** The month's state now; null until this process has begun it. */
  month(viewer: Viewer, nowMs: number): QuotaState | null;
  /** Begins the month with what the database has of it; does nothing where it is begun. */
  begin(accountId: number, viewed: number, nowMs: number): void;
  /** Counts one page; false when the month is spent, or not begun (nothing counted). */
  take(viewer: Viewer, nowMs: number): boolean;
}

/** An account whose owner views the explorer. */
export type Viewer = Pick<AccountHandle, "id" | "plan">;

/** An account as a checked key shows it; good for the request at hand, not to be kept for longer. */
export interface AccountHandle {
  readonly id: number;
  /** Where the process counts the answers to the key that was checked; -1 where it has no room for that. */
  readonly keyPlace: number;
  readonly plan: Plan;
}

/** What an account may ask. */
export interface Plan {
  readonly name: string;
  /** Counted answers in a calendar month, UTC. */
  readonly monthlyQuota: number;
  /** Size of the burst bucket, and its refill a second. */
  readonly burstPerSecond: number;
  /** Pages of the explorer in a calendar month, UTC, where it is open only to those who are signed in. */
  readonly explorerPages: number;
}

/** How fast a bucket refills, in tokens a second, and how many it holds. */
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
