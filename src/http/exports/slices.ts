import type { TakeTurn } from "../limits/fair-queue.ts";

/**
 * Makes slices of long answers: one in each round of the thread, in the queue of the other requests, so a thread with
 * many exports answers everything else in between.
 */
export class Slices {
  readonly #takeTurn: TakeTurn;
  #waiting: (() => void)[] = [];

  constructor(takeTurn: TakeTurn) {
    this.#takeTurn = takeTurn;
  }

  /** Resolves to what `make` returns, in its turn; rejects with what it throws. */
  make<Slice>(make: () => Slice): Promise<Slice> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(make());
        } catch (error) {
          reject(error);
        }
      });
      if (this.#waiting.length === 1) this.#goOn();
    });
  }

  #goOn(): void {
    setImmediate(() => this.#takeTurn(() => this.#makeNext()));
  }

  #makeNext(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#goOn();
  }
}
