import { takeToken } from "./burst-bucket.ts";
import type { BurstRate, BurstState } from "./gate.ts";
import { NOWHERE, SharedIndex } from "./shared-index.ts";
import { RECORD_WORDS, viewUsageBuffer } from "./usage-buffer.ts";

/**
 * An account's record. Counters come in pairs, one for even and one for odd months, so that the old month's count stays
 * for the flusher while the new one starts. A counter is one 64-bit word (`packCount`).
 *
 * - COUNTED: all known usage, including what the database does not have yet. Requests add to it.
 * - WRITTEN: the database's count as last seen. COUNTED − WRITTEN remains to be written. Only the flusher changes it
 * while its month lasts.
 *
 * The burst buckets follow. The other words belong to `LeaseCells`.
 */
const COUNTED = 0;
const WRITTEN = 2;
const KEYS_BUCKET = 4;
const OWNER_BUCKET = 5;

/** The words of a record about leases; `left` and `taken` are pairs like the counters. See `LeaseCells`. */
export const LEASE_WORDS = { renewAt: 7, left: 12, taken: 14 } as const;

/** A count in a month as one number: the month's number × 2³⁶ + the count. Exact, and fits a 64-bit word. */
const MONTH_UNIT = 2 ** 36;

/** Reads an account's usage in a month from the database; called once for each month. */
export type UsageReader = (accountId: number, month: number) => number;

/** An account and the number of a month. */
export interface AccountMonth {
  readonly accountId: number;
  readonly month: number;
}

/** An account's counts in a month that are not yet in the database. */
export interface UsageDelta extends AccountMonth {
  /** Answers to its keys. */
  readonly count: number;
  /**
   * How many answers taken from a lease are not yet written as such; none if omitted. It may be more or less than
   * `count`: an answer is counted a moment before it is noted as taken.
   */
  readonly leased?: number;
}

type Unwritten = Pick<UsageDelta, "month" | "count" | "leased">;

/** An account's counts in a month, as in the database. */
export interface UsageTotal {
  readonly accountId: number;
  readonly month: number;
  readonly used: number;
  /** What other processes have leased of the quota; unknown if omitted. */
  readonly leasedElsewhere?: number;
}

/**
 * Accounts' usage in memory shared by all threads of a process (`createUsageBuffer`). Every change is one atomic
 * exchange, so that no number of threads exceeds a quota by even one request.
 */
export class UsageTable {
  readonly #index: SharedIndex;
  readonly #records: BigInt64Array<SharedArrayBuffer>;
  readonly #leasedElsewhere: BigInt64Array<SharedArrayBuffer>;
  readonly #overflows: Int32Array<SharedArrayBuffer>;

  constructor(buffer: SharedArrayBuffer) {
    const memory = viewUsageBuffer(buffer);
    this.#index = new SharedIndex(memory.accounts);
    this.#records = memory.records;
    this.#leasedElsewhere = memory.leasedElsewhere;
    this.#overflows = memory.overflows;
  }

  /** Ensures that an account has a record. False if the table is full; do not call the other methods then. */
  admit(accountId: number): boolean {
    return this.#index.claim(accountId) !== NOWHERE;
  }

  /** Records that an account was counted elsewhere because the table is full. */
  noteOverflow(): void {
    Atomics.add(this.#overflows, 0, 1);
  }

  /** How many times that happened. */
  get overflows(): number {
    return Atomics.load(this.#overflows, 0);
  }

  /** Takes a token from the bucket of an account's keys. */
  takeToken(
    accountId: number,
    burstPerSecond: number,
    nowMs: number,
  ): BurstState {
    const cell = this.#recordOf(accountId) + KEYS_BUCKET;
    return takeToken(this.#records, cell, burstPerSecond, nowMs);
  }

  /** Takes a token from the bucket of an account owner's requests with a session. */
  takeOwnerToken(
    accountId: number,
    { perSecond, size }: BurstRate,
    nowMs: number,
  ): BurstState {
    const cell = this.#recordOf(accountId) + OWNER_BUCKET;
    return takeToken(this.#records, cell, perSecond, nowMs, size);
  }

  /** Starts an account's month with the database's count, unless it is already started. */
  begin(accountId: number, month: number, used: number): void {
    this.#current(this.#recordOf(accountId), accountId, month, () => used);
  }

  /** An account's usage in a month, as far as this process knows. */
  used(accountId: number, month: number, read: UsageReader): number {
    return countOf(
      this.#current(this.#recordOf(accountId), accountId, month, read),
    );
  }

  /** What other processes had leased of an account's quota in a month when the database last said so. */
  leasedElsewhere(accountId: number, month: number): number {
    const place = this.#index.find(accountId);
    if (place === NOWHERE) return 0;
    const leased = Number(Atomics.load(this.#leasedElsewhere, place));
    return monthOf(leased) === month ? countOf(leased) : 0;
  }

  /** Counts more answers, which a lease allows, or fewer, which were given back. */
  add(accountId: number, month: number, answers: number): void {
    const record = this.#recordOf(accountId);
    const cell = record + COUNTED + (month & 1);
    for (;;) {
      const counted = this.#current(record, accountId, month, () => 0);
      if (this.#exchange(cell, counted, counted + answers)) return;
    }
  }

  /** Counts more answers, all or none, unless that exceeds the limit; returns whether it did. */
  count(
    accountId: number,
    month: number,
    answers: number,
    limit: number,
    read: UsageReader,
  ): boolean {
    const record = this.#recordOf(accountId);
    const cell = record + COUNTED + (month & 1);
    for (;;) {
      const counted = this.#current(record, accountId, month, read);
      if (countOf(counted) + answers > limit) return false;
      if (this.#exchange(cell, counted, counted + answers)) return true;
    }
  }

  /** For the flusher: everything that remains to be written. */
  unwritten(): UsageDelta[] {
    const deltas: UsageDelta[] = [];
    const size = this.#index.size;
    for (let place = 0; place < size; place++) {
      const accountId = this.#index.idAt(place);
      if (accountId === 0) continue;
      const record = place * RECORD_WORDS;
      for (let parity = 0; parity < 2; parity++) {
        // First: an answer from a lease is counted before it is noted as taken.
        const cell = record + LEASE_WORDS.taken + parity;
        const taken = Number(Atomics.load(this.#records, cell));
        const used = this.#unwrittenOf(record + parity, taken);
        if (used !== null) deltas.push({ accountId, ...used });
      }
    }
    return deltas;
  }

  /** What remains to be written of one counter, of which `taken` are from a lease; null if nothing does. */
  #unwrittenOf(cell: number, taken: number): Unwritten | null {
    const written = this.#load(cell + WRITTEN);
    const counted = this.#load(cell + COUNTED);
    // A counter whose two months differ is just starting its month.
    if (monthOf(counted) !== monthOf(written)) return null;
    const month = monthOf(counted);
    const count = Math.max(counted - written, 0);
    if (taken > 0) return { month, count, leased: taken };
    return count > 0 ? { month, count } : null;
  }

  /**
   * For the flusher: takes in the database's counts after `own` of this process's were added. Other processes'
   * additions then count here too.
   */
  settle(
    { accountId, leasedElsewhere, month, used }: UsageTotal,
    own: Pick<UsageDelta, "count" | "leased">,
  ): void {
    const place = this.#index.find(accountId);
    if (place === NOWHERE) return;
    const record = place * RECORD_WORDS;
    if (own.leased !== undefined)
      Atomics.sub(
        this.#records,
        record + LEASE_WORDS.taken + (month & 1),
        BigInt(own.leased),
      );
    if (leasedElsewhere !== undefined)
      this.#noteElsewhere(place, month, leasedElsewhere);
    this.#settle(record, month, used, own.count);
  }

  /** Takes in the database's counts while nothing of this process is being written; nothing if there is no record. */
  takeIn({
    accountId,
    leasedElsewhere,
    month,
    used,
  }: Required<UsageTotal>): void {
    const place = this.#index.find(accountId);
    if (place === NOWHERE) return;
    this.begin(accountId, month, used);
    this.#noteElsewhere(place, month, leasedElsewhere);
    this.#settle(place * RECORD_WORDS, month, used, 0);
  }

  #noteElsewhere(place: number, month: number, leased: number): void {
    const before = Number(Atomics.load(this.#leasedElsewhere, place));
    if (monthOf(before) > month) return;
    const packed = BigInt(packCount(month, Math.max(leased, 0)));
    Atomics.store(this.#leasedElsewhere, place, packed);
  }

  #settle(counters: number, month: number, used: number, own: number): void {
    const record = counters + (month & 1);
    const written = this.#load(record + WRITTEN);
    // Until COUNTED has started the month, it starts from WRITTEN, which must not change meanwhile.
    if (
      monthOf(written) !== month ||
      monthOf(this.#load(record + COUNTED)) !== month
    )
      return;
    const foreign = used - own - countOf(written);
    if (
      !this.#exchange(record + WRITTEN, written, packCount(month, used)) ||
      foreign === 0
    )
      return;
    for (;;) {
      const counted = this.#load(record + COUNTED);
      if (
        monthOf(counted) !== month ||
        this.#exchange(record + COUNTED, counted, counted + foreign)
      )
        return;
    }
  }

  /** The counter of a month, started from the database if it is new. */
  #current(
    record: number,
    accountId: number,
    month: number,
    read: UsageReader,
  ): number {
    const parity = month & 1;
    for (;;) {
      const counted = this.#load(record + COUNTED + parity);
      if (monthOf(counted) === month) return counted;
      let written = this.#load(record + WRITTEN + parity);
      if (monthOf(written) !== month) {
        const start = packCount(month, read(accountId, month));
        // All threads that start a month at once must use the same number: the first one's.
        if (!this.#exchange(record + WRITTEN + parity, written, start))
          continue;
        written = start;
      }
      this.#exchange(record + COUNTED + parity, counted, written);
    }
  }

  #recordOf(accountId: number): number {
    const place = this.#index.find(accountId);
    if (place === NOWHERE)
      throw new Error(
        `Account ${accountId} was not admitted to the usage table`,
      );
    return place * RECORD_WORDS;
  }

  #load(cell: number): number {
    return Number(Atomics.load(this.#records, cell));
  }

  #exchange(cell: number, before: number, after: number): boolean {
    const expected = BigInt(before);
    return (
      Atomics.compareExchange(this.#records, cell, expected, BigInt(after)) ===
      expected
    );
  }
}

export function packCount(month: number, count: number): number {
  return month * MONTH_UNIT + count;
}

export function monthOf(counter: number): number {
  return Math.floor(counter / MONTH_UNIT);
}

export function countOf(counter: number): number {
  return counter % MONTH_UNIT;
}
