/**
 * Pieces of shared memory that one thread fills and another empties, in turn. Two counters say how many were filled and
 * how many emptied since the beginning; each is written by one thread alone and the other waits for it to change.
 */

/** So many pieces may be filled ahead. */
const PIECES = 8;
const FILLED = 0;
const EMPTIED = 1;
/** What the counter of emptied pieces says when the emptying thread has left. */
const LEFT = -1;

/** What the two threads share: hand it to the other one as it is. */
export interface RingMemory {
  readonly counters: SharedArrayBuffer;
  readonly pieces: readonly SharedArrayBuffer[];
}

/** Memory for a ring; of a piece's bytes only those that are used take memory. */
export function ringMemory(pieceBytes: number): RingMemory {
  return {
    counters: new SharedArrayBuffer(8),
    pieces: Array.from(
      { length: PIECES },
      () => new SharedArrayBuffer(pieceBytes),
    ),
  };
}

/** The side that fills. */
export class RingFiller {
  readonly #counters: Int32Array;
  #filled = 0;

  constructor({ counters }: RingMemory) {
    this.#counters = new Int32Array(counters);
  }

  /** The number of the piece to fill next, waited for until it is empty; null when the other side has left. */
  next(): number | null {
    for (;;) {
      const emptied = Atomics.load(this.#counters, EMPTIED);
      if (emptied === LEFT) return null;
      if (this.#filled - emptied < PIECES) return this.#filled % PIECES;
      Atomics.wait(this.#counters, EMPTIED, emptied);
    }
  }

  /** Hands the piece over. */
  fill(): void {
    this.#filled++;
    Atomics.store(this.#counters, FILLED, this.#filled);
    Atomics.notify(this.#counters, FILLED);
  }
}

/** The side that empties. */
export class RingEmptier {
  readonly #counters: Int32Array;
  #emptied = 0;

  constructor({ counters }: RingMemory) {
    this.#counters = new Int32Array(counters);
  }

  /** The number of the next piece that is filled, or null while none is. */
  next(): number | null {
    return Atomics.load(this.#counters, FILLED) === this.#emptied
      ? null
      : this.#emptied % PIECES;
  }

  /** Resolves when a piece was filled since the last `next`, or `wake` was called. */
  async filled(): Promise<void> {
    const { async, value } = Atomics.waitAsync(
      this.#counters,
      FILLED,
      this.#emptied,
    );
    if (async) await value;
  }

  wake(): void {
    Atomics.notify(this.#counters, FILLED);
  }

  /** Gives the piece back to be filled again. */
  empty(): void {
    this.#emptied++;
    Atomics.store(this.#counters, EMPTIED, this.#emptied);
    Atomics.notify(this.#counters, EMPTIED);
  }

  /** Tells the other side that nothing is emptied any more. */
  leave(): void {
    Atomics.store(this.#counters, EMPTIED, LEFT);
    Atomics.notify(this.#counters, EMPTIED);
  }
}
