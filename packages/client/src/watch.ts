import { ConnectionError, DirectoryError, TimeoutError } from "./errors.ts";

/** The longest time of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** What can end a request before its response is complete: the caller's signal, and the time. */
export class Watch {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #timeoutMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timedOut: TimeoutError | null = null;

  constructor(timeoutMs: number, outer: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#outer = outer;
    outer?.addEventListener("abort", this.#abort);
    this.start();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the time from the beginning. */
  start(): void {
    this.rest();
    if (this.#timeoutMs <= 0 || this.#timeoutMs > MAX_TIMER_MS) return;
    this.#timer = setTimeout(() => {
      this.#timedOut = new TimeoutError(
        `The service sent nothing for ${this.#timeoutMs} ms. If that is too short, give the client or the call a longer timeoutMs.`,
      );
      this.#controller.abort(this.#timedOut);
    }, this.#timeoutMs);
  }

  /** Stops the time while the caller does something else. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  /** Ends the watch; the response is complete or lost. */
  end(): void {
    this.rest();
    this.#outer?.removeEventListener("abort", this.#abort);
  }

  /** Ends the request. */
  cancel(): void {
    this.end();
    this.#controller.abort();
  }

  /** Returns what really ended the request. */
  explain(error: unknown): unknown {
    if (this.#outer?.aborted === true) return this.#outer.reason;
    if (this.#timedOut !== null) return this.#timedOut;
    if (error instanceof DirectoryError) return error;
    return new ConnectionError(
      `The service could not be reached, or the connection broke (${reasonOf(error)}).`,
      { cause: error },
    );
  }

  readonly #abort = (): void => this.#controller.abort(this.#outer?.reason);
}

/** Finds the words of an error: Node's `fetch` has them in the cause of "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
