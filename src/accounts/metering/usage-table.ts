import { takeToken } from "./burst-bucket.ts";
import type { BurstRate, BurstState } from "./gate.ts";
import { NOWHERE, SharedIndex } from "./shared-index.ts";
import { RECORD_WORDS, viewUsageBuffer } from "./usage-buffer.ts";

/**
 * An account's record. Counters come in pairs, one for even and one for odd months, so that the old month's count stays
 * for the flusher while the new one starts. A counter is one 64-bit word: the month's number × 2³⁶ + the usage.
 *
 * - COUNTED: all known usage, including what the database does not have yet. Requests add to it.
 * - WRITTEN: the database's count as last seen. COUNTED − WRITTEN remains to be written. Only the flusher changes it
 * while its month lasts.
 *
 * The burst buckets follow. The second half of a record has the same four counters for pages of the explorer.
 */
const COUNTED = 0;
const WRITTEN = 2;
const KEYS_BUCKET = 4;
const OWNER_BUCKET = 5;
const EXPLORER_BUCKET = 6;
const EXPLORER = RECORD_WORDS / 2;

const MONTH_UNIT = 2 ** 36;

/** Reads an account's usage in a month from the database; called once for each month. */
export type UsageReader = (accountId: number, month: number) => number;

/** An account's counts in a month that are not yet in the database. */
export interface UsageDelta {
  readonly accountId: number;
  readonly month: number;
  /** Answers to its keys. */
  readonly count: number;
  /** Pages of the explorer; none if omitted. */
  readonly pages?: number;
}

/** An account's counts in a month, as in the database. */
export interface UsageTotal {
  readonly accountId: number;
  readonly month: number;
  readonly used: number;
  readonly viewed: number;
}

/**
 * Accounts' usage in memory shared by all threads of a process (`createUsageBuffer`). Every change is one atomic
 * exchange, so that no number of threads exceeds a quota by even one request.
 */
export class UsageTable {
  readonly #index: SharedIndex;
  readonly #records: BigInt64Array<SharedArrayBuffer>;
  readonly #overflows: Int32Array<SharedArrayBuffer>;

  constructor(buffer: SharedArrayBuffer) {
    const memory = viewUsageBuffer(buffer);
    this.#index = new SharedIndex(memory.accounts);
    this.#records = memory.records;
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

  /**
   * Takes a token from the bucket of an account owner's requests with a session: to the account, or in the explorer.
   */
  takeOwnerToken(
    accountId: number,
    from: "account" | "explorer",
    { perSecond, size }: BurstRate,
    nowMs: number,
  ): BurstState {
    const bucket = from === "account" ? OWNER_BUCKET : EXPLORER_BUCKET;
    const cell = this.#recordOf(accountId) + bucket;
    return takeToken(this.#records, cell, perSecond, nowMs, size);
  }

  /** Starts an account's month with the database's count, unless it is already started. */
  begin(accountId: number, month: number, used: number): void {
    this.#current(this.#recordOf(accountId), accountId, month, () => used);
  }

  /** An account's usage in a month, as far as this process knows. */
  used(accountId: number, month: number, read: UsageReader): number {
    return usedOf(
      this.#current(this.#recordOf(accountId), accountId, month, read),
    );
  }

  /** Counts one more unless the limit is reached; returns whether it did. */
  count(
    accountId: number,
    month: number,
    limit: number,
    read: UsageReader,
  ): boolean {
    const record = this.#recordOf(accountId);
    const cell = record + COUNTED + (month & 1);
    for (;;) {
      const counted = this.#current(record, accountId, month, read);
      if (usedOf(counted) >= limit) return false;
      if (this.#exchange(cell, counted, counted + 1)) return true;
    }
  }

  /** Starts an account's explorer month with the database's count, unless it is already started. */
  beginPages(accountId: number, month: number, viewed: number): void {
    const record = this.#recordOf(accountId) + EXPLORER;
    this.#current(record, accountId, month, () => viewed);
  }

  /** Explorer pages that an account viewed in a month; null if that month is not started here. */
  pages(accountId: number, month: number): number | null {
    const record = this.#recordOf(accountId) + EXPLORER;
    const counted = this.#load(record + COUNTED + (month & 1));
    return monthOf(counted) === month ? usedOf(counted) : null;
  }

  /** Counts one more page unless the limit is reached or the month is not started; returns whether it did. */
  countPage(accountId: number, month: number, limit: number): boolean {
    const cell = this.#recordOf(accountId) + EXPLORER + COUNTED + (month & 1);
    for (;;) {
      const counted = this.#load(cell);
      if (monthOf(counted) !== month || usedOf(counted) >= limit) return false;
      if (this.#exchange(cell, counted, counted + 1)) return true;
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
        const used = this.#unwrittenOf(record + parity);
        const viewed = this.#unwrittenOf(record + EXPLORER + parity);
        if (used !== null && viewed?.month === used.month)
          deltas.push({ accountId, ...used, pages: viewed.count });
        else {
          if (used !== null) deltas.push({ accountId, ...used });
          if (viewed !== null)
            deltas.push({
              accountId,
              month: viewed.month,
              count: 0,
              pages: viewed.count,
            });
        }
      }
    }
    return deltas;
  }

  /** What remains to be written of one counter; null if nothing does. */
  #unwrittenOf(cell: number): { month: number; count: number } | null {
    const written = this.#load(cell + WRITTEN);
    const counted = this.#load(cell + COUNTED);
    // A counter whose two months differ is just starting its month.
    if (counted <= written || monthOf(counted) !== monthOf(written))
      return null;
    return { month: monthOf(counted), count: counted - written };
  }

  /**
   * For the flusher: takes in the database's counts after `own` of this process's were added. Other processes'
   * additions then count here too.
   */
  settle(
    { accountId, month, used, viewed }: UsageTotal,
    own: Pick<UsageDelta, "count" | "pages">,
  ): void {
    const place = this.#index.find(accountId);
    if (place === NOWHERE) return;
    const record = place * RECORD_WORDS;
    this.#settle(record, month, used, own.count);
    this.#settle(record + EXPLORER, month, viewed, own.pages ?? 0);
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
    const foreign = used - own - usedOf(written);
    if (
      !this.#exchange(record + WRITTEN, written, pack(month, used)) ||
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
        const start = pack(month, read(accountId, month));
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

function pack(month: number, used: number): number {
  return month * MONTH_UNIT + used;
}

function monthOf(counter: number): number {
  return Math.floor(counter / MONTH_UNIT);
}

function usedOf(counter: number): number {
  return counter % MONTH_UNIT;
}
