import { takeToken } from "./burst-bucket.ts";
import type { BurstRate, BurstState } from "./gate.ts";
import { NOWHERE, SharedIndex } from "./shared-index.ts";
import { RECORD_WORDS, viewUsageBuffer } from "./usage-buffer.ts";

/**
 * An account's record. Counters come in pairs, one for even and one for odd months, so that the old month's count stays
 * for the flusher while the new one begins. A counter is one 64-bit word: the month's number × 2³⁶ + what is used.
 *
 * - COUNTED: all that is known to be used, what the database does not have yet included. Requests add to it.
 * - WRITTEN: the database's own count as it was last seen. COUNTED − WRITTEN is what remains to be written; the flusher
 *   alone changes it while its month lasts.
 *
 * Behind them stand the burst buckets. The second half of a record has the same four counters for pages of the explorer.
 */
const COUNTED = 0;
const WRITTEN = 2;
const KEYS_BUCKET = 4;
const OWNER_BUCKET = 5;
const EXPLORER_BUCKET = 6;
const EXPLORER = RECORD_WORDS / 2;

const MONTH_UNIT = 2 ** 36;

/** What the database says an account used in a month; asked once for each month. */
export type UsageReader = (accountId: number, month: number) => number;

/** Counts of an account in a month that the database does not have yet. */
export interface UsageDelta {
  readonly accountId: number;
  readonly month: number;
  /** Answers to its keys. */
  readonly count: number;
  /** Pages of the explorer; none where it is not given. */
  readonly pages?: number;
}

/** The database's counts of an account in a month. */
export interface UsageTotal {
  readonly accountId: number;
  readonly month: number;
  readonly used: number;
  readonly viewed: number;
}

/**
 * What accounts use, in memory that all threads of a process share (`createUsageBuffer`). Every change is one atomic
 * exchange, so that no number of threads can pass a quota by a single request.
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

  /** Makes sure that an account has a record. False when the table is full; its other methods then must not be called. */
  admit(accountId: number): boolean {
    return this.#index.claim(accountId) !== NOWHERE;
  }

  /** Notes that an account was counted elsewhere because the table is full. */
  noteOverflow(): void {
    Atomics.add(this.#overflows, 0, 1);
  }

  /** How often that happened. */
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

  /** Takes a token from the bucket of what an account's owner asks for with a session: of the account, or in the explorer. */
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

  /** Begins an account's month with what the database has of it, unless it is begun already. */
  begin(accountId: number, month: number, used: number): void {
    this.#current(this.#recordOf(accountId), accountId, month, () => used);
  }

  /** What an account used in a month, as far as this process knows. */
  used(accountId: number, month: number, read: UsageReader): number {
    return usedOf(
      this.#current(this.#recordOf(accountId), accountId, month, read),
    );
  }

  /** Counts one more unless the limit is reached; says whether it did. */
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

  /** Begins an account's month of the explorer with what the database has of it, unless it is begun already. */
  beginPages(accountId: number, month: number, viewed: number): void {
    const record = this.#recordOf(accountId) + EXPLORER;
    this.#current(record, accountId, month, () => viewed);
  }

  /** How many pages of the explorer an account viewed in a month; null where that month is not begun here. */
  pages(accountId: number, month: number): number | null {
    const record = this.#recordOf(accountId) + EXPLORER;
    const counted = this.#load(record + COUNTED + (month & 1));
    return monthOf(counted) === month ? usedOf(counted) : null;
  }

  /** Counts one more page unless the limit is reached, or the month is not begun; says whether it did. */
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

  /** What remains to be written of one counter; null for nothing. */
  #unwrittenOf(cell: number): { month: number; count: number } | null {
    const written = this.#load(cell + WRITTEN);
    const counted = this.#load(cell + COUNTED);
    // A counter whose two months differ is only just beginning its month.
    if (counted <= written || monthOf(counted) !== monthOf(written))
      return null;
    return { month: monthOf(counted), count: counted - written };
  }

  /**
   * For the flusher: takes in the database's counts after `own` of this process's were added to them. What others added
   * meanwhile then counts here too.
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
    // Until COUNTED has begun the month it takes its start from WRITTEN, which must stand still meanwhile.
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

  /** The counter of a month, begun from the database if this is the first that is heard of it. */
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
        // Of threads that begin a month together, all must begin it with the same number: the first one's.
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
