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
  /** The place where the process counts answers to the key; -1 if it has no space for that. */
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
  /** True if its accounts may take the files of snapshots. */
  readonly files: boolean;
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
