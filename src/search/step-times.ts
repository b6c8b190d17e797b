import type { Facts } from "./filters/text-filter.ts";

const REPETITIONS = 10;

/** The durations of steps: the first time, and the least of the times after it. */
export class StepTimes {
  readonly #clock: () => number;
  readonly #steps: (Facts & { readonly step: string })[] = [];

  /** `clock` returns milliseconds, with fractions. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** A row for each step, in microseconds. */
  get rows(): readonly Facts[] {
    return this.#steps;
  }

  /**
   * Does something several times, each time after what prepares it. Returns the result of the first and of the last
   * time.
   */
  measure<Prepared, Result>(
    step: string,
    prepare: () => Prepared,
    act: (prepared: Prepared) => Result,
  ): { readonly first: Result; readonly last: Result } {
    const once = (): { readonly result: Result; readonly us: number } => {
      const prepared = prepare();
      const started = this.#clock();
      const result = act(prepared);
      return { result, us: (this.#clock() - started) * 1000 };
    };
    const first = once();
    let last = first;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < REPETITIONS; i++) {
      last = once();
      least = Math.min(least, last.us);
    }
    this.#steps.push({
      step,
      first_us: Math.round(first.us * 10) / 10,
      best_us: Math.round(least * 10) / 10,
    });
    return { first: first.result, last: last.result };
  }
}
