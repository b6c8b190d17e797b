/**
 * Makes slices of long answers: one in each round of the thread, so a thread with many exports answers everything else
 * in between. They don't wait behind the requests in the queue: that would be once for each slice of each export.
 */
export class Slices {
  #waiting: (() => void)[] = [];

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
    setImmediate(() => this.#makeNext());
  }

  #makeNext(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#goOn();
  }
}
