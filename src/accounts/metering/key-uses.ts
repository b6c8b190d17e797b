import { OPERATIONS, type Operation } from "../../contract/operation.ts";
import { viewCounts, type GateMemory } from "./gate-memory.ts";
import { NOWHERE, SharedIndex } from "./shared-index.ts";

/** A key's last use, in epoch seconds. */
export interface KeyUse {
  readonly keyId: number;
  readonly second: number;
}

/** Counted answers of a key. */
export interface KeyCount {
  readonly keyId: number;
  readonly operation: Operation;
  readonly count: number;
}

/** The last uses of keys and their operations: recorded by all threads of a process and written by its flusher. */
export class KeyUses {
  readonly #index: SharedIndex;
  readonly #lastUsed: Uint32Array<SharedArrayBuffer>;
  readonly #counts: Int32Array<SharedArrayBuffer>;

  constructor(memory: GateMemory) {
    const { counts, keys, lastUsed } = viewCounts(memory);
    this.#index = new SharedIndex(keys);
    this.#lastUsed = lastUsed;
    this.#counts = counts;
  }

  /** Records a use. If there is no space for another key, its last use stays unknown; nothing depends on it. */
  note(keyId: number, second: number): void {
    const place = this.#index.claim(keyId);
    if (place === NOWHERE) return;
    for (;;) {
      const noted = Atomics.load(this.#lastUsed, place);
      if (
        noted >= second ||
        Atomics.compareExchange(this.#lastUsed, place, noted, second) === noted
      )
        return;
    }
  }

  /** Returns where a key's answers are counted, which never changes; NOWHERE if there is no space for another key. */
  placeOf(keyId: number): number {
    return this.#index.claim(keyId);
  }

  /** Counts answers to the key at a place; NOWHERE counts them only for the account. */
  count(place: number, operation: Operation, answers: number): void {
    if (place === NOWHERE) return;
    const cell = place * OPERATIONS.length + OPERATIONS.indexOf(operation);
    Atomics.add(this.#counts, cell, answers);
  }

  /** The number of answers that were counted since `drainCounts`. */
  get counted(): number {
    let sum = 0;
    const cells = this.#index.size * OPERATIONS.length;
    for (let cell = 0; cell < cells; cell++)
      sum += Atomics.load(this.#counts, cell);
    return sum;
  }

  /** Takes the uses recorded since the last call. */
  drainUses(): KeyUse[] {
    const uses: KeyUse[] = [];
    const size = this.#index.size;
    for (let place = 0; place < size; place++) {
      if (Atomics.load(this.#lastUsed, place) === 0) continue;
      uses.push({
        keyId: this.#index.idAt(place),
        second: Atomics.exchange(this.#lastUsed, place, 0),
      });
    }
    return uses;
  }

  /** Takes the counts since the last call. */
  drainCounts(): KeyCount[] {
    const counts: KeyCount[] = [];
    const cells = this.#index.size * OPERATIONS.length;
    for (let cell = 0; cell < cells; cell++) {
      if (Atomics.load(this.#counts, cell) === 0) continue;
      counts.push({
        keyId: this.#index.idAt(Math.floor(cell / OPERATIONS.length)),
        operation: OPERATIONS[cell % OPERATIONS.length]!,
        count: Atomics.exchange(this.#counts, cell, 0),
      });
    }
    return counts;
  }
}
