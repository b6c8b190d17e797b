import { takeToken } from "./burst-bucket.ts";
import type { BurstRate, BurstState } from "./gate.ts";
import {
  changeWithin,
  RECORD_WORDS,
  SIGNALS,
  viewCounts,
  type GateMemory,
} from "./gate-memory.ts";
import { NOWHERE, SharedIndex } from "./shared-index.ts";

/*
 * An account's record. The first words are pairs, one for even and one for odd months, so that the old month's count
 * stays while the new one starts; each is a month and a count (`packCount`).
 */

/** Prepaid: answers that this process may still give. */
const LEFT = 0;
/** The month's use in the database when it last said so: answers given, and prepaid by any process. */
const USED = 2;
/** Answers given without having been prepaid, which the database doesn't have yet. */
const OWED = 4;
/** Answers that threads wait for. */
const WANTED = 6;
const KEYS_BUCKET = 8;
const OWNER_BUCKET = 9;
const QUOTA = 10;
/**
 * Words of 32 bits: how often the database was asked, when it last was, and how many are left when more are prepaid.
 */
const ASKED = 22;
const ASKED_AT = 23;
const RENEW_AT = 24;

/** The smallest amount of which more is prepaid before it is used up. */
const MIN_RENEWED = 4;
const NEVER = -1;

/** A count in a month as one number: the month's number × 2³⁶ + the count. Exact, and fits a 64-bit word. */
const MONTH_UNIT = 2 ** 36;

/** An account and the number of a month. */
export interface AccountMonth {
  readonly accountId: number;
  readonly month: number;
}

/** Answers that threads want of an account's month. */
export interface Wanted extends AccountMonth {
  readonly place: number;
  readonly quota: number;
  /** The most that one of them needs at once, with those that are left. */
  readonly answers: number;
}

/** The outcome of taking prepaid answers: too few are left of the month, or of what is prepaid. */
export type PrepaidTaking = "taken" | "used_up" | "short";

/**
 * Accounts in the memory that all threads of a process share. Every change is one atomic exchange, so an answer is
 * given once, or given back, never both. An account has a place, which never changes.
 */
export class AccountTable {
  readonly #index: SharedIndex;
  readonly #records: BigInt64Array<SharedArrayBuffer>;
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #signals: Int32Array<SharedArrayBuffer>;
  /** A bit for each account that threads want answers of. */
  readonly #wanting: Int32Array<SharedArrayBuffer>;

  constructor(memory: GateMemory) {
    const counts = viewCounts(memory);
    this.#index = new SharedIndex(counts.accounts);
    this.#records = counts.records;
    this.#words = counts.recordWords;
    this.#signals = counts.signals;
    this.#wanting = counts.wanting;
  }

  /** Finds or assigns the place of an account; NOWHERE if there is no space for another. */
  placeOf(accountId: number): number {
    const place = this.#index.claim(accountId);
    if (place === NOWHERE) Atomics.add(this.#signals, SIGNALS.overflows, 1);
    return place;
  }

  /** Finds the place of an account; NOWHERE if it has none. */
  find(accountId: number): number {
    return this.#index.find(accountId);
  }

  /** The number of times that an account found no place. */
  get overflows(): number {
    return Atomics.load(this.#signals, SIGNALS.overflows);
  }

  /** Takes a token from the bucket of an account's keys. */
  takeToken(place: number, perSecond: number, nowMs: number): BurstState {
    const cell = cellOf(place, KEYS_BUCKET);
    return takeToken(this.#records, cell, perSecond, nowMs);
  }

  /** Takes a token from the bucket of an account owner's requests with a session. */
  takeOwnerToken(
    place: number,
    { perSecond, size }: BurstRate,
    nowMs: number,
  ): BurstState {
    const cell = cellOf(place, OWNER_BUCKET);
    return takeToken(this.#records, cell, perSecond, nowMs, size);
  }

  /** Takes prepaid answers, all or none. What was prepaid under a larger quota can't be taken under a smaller one. */
  take(
    place: number,
    month: number,
    answers: number,
    quota: number,
  ): PrepaidTaking {
    const cell = cellOf(place, LEFT, month);
    for (;;) {
      const left = this.#load(cell);
      const count = countIn(left, month);
      const used = this.#load(cellOf(place, USED, month));
      if (monthOf(used) === month && countOf(used) - count + answers > quota) {
        // More may have been prepaid in between.
        if (this.#load(cell) !== left) continue;
        return "used_up";
      }
      if (count < answers) return "short";
      if (!this.#exchange(cell, left, left - answers)) continue;
      const renewAt = this.#words[wordOf(place, RENEW_AT)]!;
      if (count > renewAt && count - answers <= renewAt)
        this.want(place, month, 1, quota);
      return "taken";
    }
  }

  /**
   * Takes answers that aren't prepaid, all or none, while the database is away. "short" if the use of the month isn't
   * known; a month that starts meanwhile is.
   */
  takeUnpaid(
    place: number,
    month: number,
    answers: number,
    quota: number,
  ): PrepaidTaking {
    const cell = cellOf(place, USED, month);
    for (;;) {
      const used = this.#load(cell);
      const isKnown =
        monthOf(used) === month ||
        monthOf(this.#load(cellOf(place, USED, month - 1))) === month - 1;
      if (!isKnown) return "short";
      const count = countIn(used, month);
      if (count + answers > quota) return "used_up";
      if (!this.#exchange(cell, used, packCount(month, count + answers)))
        continue;
      this.owe(place, month, answers);
      return "taken";
    }
  }

  /** Gives answers back that were taken and not given. The supervisor may have none prepaid that it knows of. */
  giveBack(place: number, month: number, answers: number): void {
    this.#add(cellOf(place, LEFT, month), month, answers);
    this.#want(place, month, 0);
  }

  /**
   * Reads the month's use: answers of this process, and what others have prepaid. Null until the database has told it.
   */
  used(place: number, month: number): number | null {
    const left = this.left(place, month);
    const used = this.#load(cellOf(place, USED, month));
    return monthOf(used) === month ? Math.max(countOf(used) - left, 0) : null;
  }

  /** Reads how many prepaid answers are left. */
  left(place: number, month: number): number {
    return countIn(this.#load(cellOf(place, LEFT, month)), month);
  }

  /** True if the database was asked about the account in this second. */
  isFresh(place: number): boolean {
    return this.#words[wordOf(place, ASKED_AT)] === monotonicSecond();
  }

  /** Asks the supervisor to prepay answers. `answers` is what one request needs. */
  want(place: number, month: number, answers: number, quota: number): void {
    Atomics.store(this.#records, cellOf(place, QUOTA), BigInt(quota));
    this.#want(place, month, answers);
  }

  /** Notes answers that were given without having been prepaid, for the supervisor to write. */
  owe(place: number, month: number, answers: number): void {
    this.#add(cellOf(place, OWED, month), month, answers);
    this.#want(place, month, 0);
  }

  #want(place: number, month: number, answers: number): void {
    const cell = cellOf(place, WANTED, month);
    for (;;) {
      const before = this.#load(cell);
      const wanted = packCount(month, answers);
      if (before >= wanted || this.#exchange(cell, before, wanted)) break;
    }
    Atomics.or(this.#wanting, place >> 5, 1 << (place & 31));
    Atomics.add(this.#signals, SIGNALS.quotaBell, 1);
    Atomics.notify(this.#signals, SIGNALS.quotaBell);
  }

  /** Asks for that, and waits until the database said something about the account, at most for some milliseconds. */
  async prepay(
    place: number,
    month: number,
    answers: number,
    quota: number,
    withinMs: number,
  ): Promise<void> {
    const asked = wordOf(place, ASKED);
    const before = Atomics.load(this.#words, asked);
    this.want(place, month, answers, quota);
    await changeWithin(this.#words, asked, before, withinMs);
  }

  /** Takes what threads want, for the supervisor; 0 answers if something is owed only. */
  takeWanted(): Wanted[] {
    const all: Wanted[] = [];
    const words = (this.#index.size + 31) >> 5;
    for (let word = 0; word < words; word++) {
      if (Atomics.load(this.#wanting, word) === 0) continue;
      const bits = Atomics.exchange(this.#wanting, word, 0);
      for (let bit = 0; bit < 32; bit++) {
        if ((bits & (1 << bit)) === 0) continue;
        const place = word * 32 + bit;
        const accountId = this.#index.idAt(place);
        const quota = Number(Atomics.load(this.#records, cellOf(place, QUOTA)));
        for (const parity of [0, 1]) {
          const cell = cellOf(place, WANTED, parity);
          const wanted = Number(Atomics.exchange(this.#records, cell, 0n));
          if (wanted === 0) continue;
          const month = monthOf(wanted);
          all.push({
            place,
            accountId,
            month,
            quota,
            answers: countOf(wanted),
          });
        }
      }
    }
    return all;
  }

  /**
   * Adds prepaid answers, for the supervisor. More are wanted once a quarter of them is left, unless there are few:
   * most accounts send one request and no other for a while.
   */
  add(place: number, month: number, answers: number): void {
    const left = this.left(place, month) + answers;
    this.#words[wordOf(place, RENEW_AT)] =
      left < MIN_RENEWED ? NEVER : Math.floor(left / 4);
    this.#add(cellOf(place, LEFT, month), month, answers);
  }

  /** Takes back, for the supervisor, all that is prepaid and left in a month. */
  takeBack(place: number, month: number): number {
    const cell = cellOf(place, LEFT, month);
    for (;;) {
      const left = this.#load(cell);
      const count = countIn(left, month);
      if (count === 0) return 0;
      // First, so that the month never looks more used than it is.
      this.#add(cellOf(place, USED, month), month, -count);
      if (this.#exchange(cell, left, packCount(month, 0))) return count;
      this.#add(cellOf(place, USED, month), month, count);
    }
  }

  /** Takes what is owed in a month, for the supervisor. */
  takeOwed(place: number, month: number): number {
    const cell = cellOf(place, OWED, month);
    const owed = Number(Atomics.exchange(this.#records, cell, 0n));
    return countIn(owed, month);
  }

  /** Notes the use of a month in the database, for the supervisor. */
  noteUsed(place: number, month: number, used: number): void {
    const owed = countIn(this.#load(cellOf(place, OWED, month)), month);
    const cell = cellOf(place, USED, month);
    Atomics.store(this.#records, cell, BigInt(packCount(month, used + owed)));
    Atomics.store(this.#words, wordOf(place, ASKED_AT), monotonicSecond());
  }

  /** Lets the threads that wait try again, for the supervisor, whatever the database said. */
  wake(place: number): void {
    Atomics.add(this.#words, wordOf(place, ASKED), 1);
    Atomics.notify(this.#words, wordOf(place, ASKED));
  }

  /** Adds to a count of a month, which starts at 0. */
  #add(cell: number, month: number, answers: number): void {
    for (;;) {
      const before = this.#load(cell);
      // Two months earlier, which share the cell: what it had counts as used.
      if (monthOf(before) > month) return;
      const count = Math.max(countIn(before, month) + answers, 0);
      if (this.#exchange(cell, before, packCount(month, count))) return;
    }
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

/** Returns the 64-bit word of a record; of a pair, that of the month. */
function cellOf(place: number, word: number, month = 0): number {
  return (place * RECORD_WORDS) / 2 + word + (month & 1);
}

function wordOf(place: number, word: number): number {
  return place * RECORD_WORDS + word;
}

function packCount(month: number, count: number): number {
  return month * MONTH_UNIT + count;
}

function monthOf(packed: number): number {
  return Math.floor(packed / MONTH_UNIT);
}

function countOf(packed: number): number {
  return packed % MONTH_UNIT;
}

/** Returns the count of a month; 0 if the word has another month's. */
function countIn(packed: number, month: number): number {
  return monthOf(packed) === month ? countOf(packed) : 0;
}

/** Returns the same in all threads, whatever the clock says. */
function monotonicSecond(): number {
  return process.hrtime()[0];
}
