import type { AccountMonth } from "../metering/usage-table.ts";
import type { LeaseOutcome, LeaseRequest } from "./lease-requests.ts";
import type { LeaseWant } from "./lease-store.ts";

/** A lease lasts about this long at the rate of the account's answers here. */
const LEASE_SECONDS = 5;
/** The smallest request. */
const MIN_WANT = 10;

/** A lease of this process. */
export interface Lease extends AccountMonth {
  isOpen: boolean;
  /** Granted so far, less what was returned. */
  granted: number;
  /** A statement's answer was lost: the database may think that more was granted. */
  isUnsure: boolean;
  /** What a statement on its way brings is returned: its plan may have changed. */
  isRecalled: boolean;
  /** Answers taken when more was last asked for, and when that was, to tell the rate. */
  takenBefore: number;
  askedMs: number;
  /** What was left when last looked at, and since when. */
  left: number;
  leftSinceMs: number;
  /** How many answers were too many for a quota, until when. */
  usedUp: UsedUp | null;
}

/** How long "nothing is left" is believed. */
export const USED_UP_MS = 1_000;

/** A month that has fewer answers left than some number. */
export interface UsedUp {
  readonly quota: number;
  /** The fewest that are too many; 1 if nothing is left. */
  readonly answers: number;
  /** How long that is believed, in monotonic milliseconds. */
  readonly untilMs: number;
}

/** Counts for metrics, since the process started. */
export interface LeaseCounts {
  readonly granted: number;
  readonly returned: number;
  readonly folded: number;
  readonly statements: number;
  readonly outcomes: Readonly<Record<LeaseOutcome, number>>;
}

/** A lease of nothing, which the database doesn't have yet. */
export function newLease({ accountId, month }: AccountMonth): Lease {
  const nowMs = performance.now();
  return {
    accountId,
    month,
    isOpen: false,
    granted: 0,
    isUnsure: false,
    isRecalled: false,
    takenBefore: 0,
    askedMs: nowMs,
    left: 0,
    leftSinceMs: nowMs,
    usedUp: null,
  };
}

/** Whether fewer answers are left than a request needs, as far as is known. */
export function isUsedUp(
  { usedUp }: Lease,
  { answers, quota }: LeaseRequest,
): boolean {
  return (
    usedUp !== null &&
    usedUp.quota === quota &&
    answers >= usedUp.answers &&
    performance.now() < usedUp.untilMs
  );
}

/** What to ask for if `left` answers are left: what the account needs for some seconds at its rate here. */
export function wish(
  lease: Lease,
  left: number,
  { answers, burstPerSecond, quota }: LeaseRequest,
): LeaseWant {
  const nowMs = performance.now();
  const taken = lease.granted - left;
  const seconds = Math.max(nowMs - lease.askedMs, 1) / 1000;
  const most = burstPerSecond * answers;
  const rate = Math.min((taken - lease.takenBefore) / seconds, most);
  lease.takenBefore = taken;
  lease.askedMs = nowMs;
  const want = Math.max(Math.ceil(rate * LEASE_SECONDS), MIN_WANT);
  const need = Math.max(answers - left, 1);
  return { ...report(lease), quota, want, need };
}

/** Asks for nothing; the database learns what was granted. */
export function report({ accountId, granted, month }: Lease): LeaseWant {
  return { accountId, month, quota: 0, want: 0, need: 0, granted };
}

/** A name for an account and month. */
export function nameOf({ accountId, month }: AccountMonth): string {
  return `${accountId} ${month}`;
}
