import { NOWHERE, SharedIndex } from "../metering/shared-index.ts";
import { RECORD_WORDS, viewUsageBuffer } from "../metering/usage-buffer.ts";
import {
  countOf,
  LEASE_WORDS,
  monthOf,
  packCount,
} from "../metering/usage-table.ts";

/** `take` found too few answers. */
export const TOO_FEW_LEFT = -1;

/**
 * What accounts may still use of their leases, in the memory that all threads of a process share. Every change is one
 * atomic exchange, so an answer is either taken or returned, never both. Accounts must be in the usage table.
 *
 * - `left`: answers left in a month (`packCount`).
 * - `taken`: answers taken and not yet written. Threads add to it, only the flusher subtracts.
 * - `renewAt`: the thread that takes the answer that leaves this many asks for more.
 */
export class LeaseCells {
  readonly #index: SharedIndex;
  readonly #records: BigInt64Array<SharedArrayBuffer>;

  /** `usage` comes from `createUsageBuffer`. */
  constructor(usage: SharedArrayBuffer) {
    const memory = viewUsageBuffer(usage);
    this.#index = new SharedIndex(memory.accounts);
    this.#records = memory.records;
  }

  /** How many answers an account has left in a month. */
  left(accountId: number, month: number): number {
    const place = this.#index.find(accountId);
    if (place === NOWHERE) return 0;
    const left = this.#load(leftCell(place, month));
    return monthOf(left) === month ? countOf(left) : 0;
  }

  /**
   * Takes answers, all or none; returns how many are left then, or TOO_FEW_LEFT. Call `noteTaken` once they are
   * counted.
   */
  take(accountId: number, month: number, answers: number): number {
    const place = this.#index.find(accountId);
    if (place === NOWHERE) return TOO_FEW_LEFT;
    const cell = leftCell(place, month);
    for (;;) {
      const left = this.#load(cell);
      if (monthOf(left) !== month || countOf(left) < answers)
        return TOO_FEW_LEFT;
      if (this.#exchange(cell, left, left - answers))
        return countOf(left) - answers;
    }
  }

  /** Records that answers that were taken are counted. */
  noteTaken(accountId: number, month: number, answers: number): void {
    const place = this.#index.find(accountId);
    const cell = place * RECORD_WORDS + LEASE_WORDS.taken + (month & 1);
    Atomics.add(this.#records, cell, BigInt(answers));
  }

  /** Gives answers back that were taken and are no longer counted. */
  giveBack(accountId: number, month: number, answers: number): void {
    const place = this.#index.find(accountId);
    if (place === NOWHERE) return;
    const cell = leftCell(place, month);
    for (;;) {
      const left = this.#load(cell);
      if (monthOf(left) !== month) return;
      if (this.#exchange(cell, left, left + answers)) return;
    }
  }

  /** How many answers are left when more are requested. */
  renewAt(accountId: number): number {
    const place = this.#index.find(accountId);
    return this.#load(place * RECORD_WORDS + LEASE_WORDS.renewAt);
  }

  /**
   * For the supervisor: adds a grant. Call `takeBack` for the month two earlier before, which shares the cell.
   * False if the account isn't in the table; the grant must be returned then.
   */
  add(accountId: number, month: number, granted: number): boolean {
    const place = this.#index.find(accountId);
    if (place === NOWHERE) return false;
    const cell = leftCell(place, month);
    for (;;) {
      const left = this.#load(cell);
      const before = monthOf(left) === month ? countOf(left) : 0;
      const renewAt = Math.floor((before + granted) / 4);
      Atomics.store(
        this.#records,
        place * RECORD_WORDS + LEASE_WORDS.renewAt,
        BigInt(renewAt),
      );
      if (this.#exchange(cell, left, packCount(month, before + granted)))
        return true;
    }
  }

  /** For the supervisor: takes all that is left in a month, and returns how many that is. */
  takeBack(accountId: number, month: number): number {
    const place = this.#index.find(accountId);
    if (place === NOWHERE) return 0;
    const cell = leftCell(place, month);
    for (;;) {
      const left = this.#load(cell);
      if (monthOf(left) !== month) return 0;
      if (this.#exchange(cell, left, packCount(month, 0))) return countOf(left);
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

function leftCell(place: number, month: number): number {
  return place * RECORD_WORDS + LEASE_WORDS.left + (month & 1);
}
