/** Counts the users of something. It is closed once it has ended and is not pinned. */
export class Pins {
  /** Resolves once it is closed. */
  readonly closed: Promise<void>;
  readonly #close: () => void;
  readonly #pins = new Set<{ readonly onExpire: () => void }>();
  #hasEnded = false;

  constructor(close: () => void) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    let isClosed = false;
    this.#close = () => {
      // It may be pinned again after it ended.
      if (isClosed || !this.#hasEnded || this.#pins.size > 0) return;
      isClosed = true;
      close();
      resolve();
    };
  }

  /** Pins it until the pin is disposed of. `onExpire` is called if that must happen now. */
  pin(onExpire: () => void): Disposable {
    const pin = { onExpire };
    this.#pins.add(pin);
    return {
      [Symbol.dispose]: () => {
        if (this.#pins.delete(pin)) this.#close();
      },
    };
  }

  /** Asks for all pins to be disposed of. */
  expire(): void {
    for (const { onExpire } of this.#pins) onExpire();
  }

  /** Ends it; more than once does nothing. */
  end(): void {
    this.#hasEnded = true;
    this.#close();
  }
}
