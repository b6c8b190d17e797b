/** Counts who still uses something. It is closed once it has ended and is not held. */
export class Holds {
  /** Resolves once it is closed. */
  readonly ended: Promise<void>;
  readonly #close: () => void;
  #count = 0;
  #hasEnded = false;

  constructor(close: () => void) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#close = () => {
      close();
      resolve();
    };
  }

  take(): Disposable {
    this.#count++;
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#count--;
        if (this.#hasEnded && this.#count === 0) this.#close();
      },
    };
  }

  /** Ends it; more than once does nothing. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#count === 0) this.#close();
  }
}
