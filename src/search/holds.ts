/** Counts who still uses something. It is closed once it has ended and is not held. */
export class Holds {
  /** Resolves once it is closed. */
  readonly ended: Promise<void>;
  readonly #close: () => void;
  readonly #cuts = new Set<() => void>();
  #hasEnded = false;

  constructor(close: () => void) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    let isClosed = false;
    this.#close = () => {
      // It may be taken again after it ended.
      if (isClosed) return;
      isClosed = true;
      close();
      resolve();
    };
  }

  /** Holds it until the hold is disposed of. `onCut` is called if that must happen now. */
  take(onCut: () => void): Disposable {
    const cut = () => onCut();
    this.#cuts.add(cut);
    return {
      [Symbol.dispose]: () => {
        if (!this.#cuts.delete(cut)) return;
        if (this.#hasEnded && this.#cuts.size === 0) this.#close();
      },
    };
  }

  /** Asks for all holds to be disposed of. */
  cut(): void {
    for (const cut of this.#cuts) cut();
  }

  /** Ends it; more than once does nothing. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#cuts.size === 0) this.#close();
  }
}
