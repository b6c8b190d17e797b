import {
  ANSWERED,
  KEY_REFUSALS,
  type AnswerCounts,
  type Answered,
  type KeyRefusal,
} from "../../http/pipeline/answer-counts.ts";
import { ERROR_CODES, type ErrorCode } from "../../contract/errors/errors.ts";
import type { HistogramSample } from "./metrics-text.ts";

/** Upper bounds of the histogram's buckets, in milliseconds. The last bucket has no bound. */
const TIME_BOUNDS_MS = [
  0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000,
] as const;

const FIRST_STATUS = 100;
const STATUSES = 500;
const TIMES = TIME_BOUNDS_MS.length + 1;

/** The memory layout, in elements. */
const TIME_COUNTS = ANSWERED.length * STATUSES;
const TIME_SUMS = TIME_COUNTS + ANSWERED.length * TIMES;
const FAILURES = TIME_SUMS + ANSWERED.length;
const KEYS_REFUSED = FAILURES + ERROR_CODES.length;
const LENGTH = KEYS_REFUSED + KEY_REFUSALS.length;

/** Makes memory in which one thread counts its answers and another reads them. */
export function createAnswerMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(LENGTH * Float64Array.BYTES_PER_ELEMENT);
}

/**
 * Counts a thread's answers. Only this thread writes to the memory, so counting is a plain addition. A replacement
 * thread continues with a dead thread's memory.
 */
export class AnswerMemory implements AnswerCounts {
  readonly #counts: Float64Array<SharedArrayBuffer>;

  constructor(memory: SharedArrayBuffer) {
    this.#counts = new Float64Array(memory);
  }

  noteAnswer(answered: Answered, status: number, ms: number): void {
    const row = ANSWERED.indexOf(answered);
    this.#counts[row * STATUSES + status - FIRST_STATUS]! += 1;
    this.#counts[TIME_COUNTS + row * TIMES + timeClassOf(ms)]! += 1;
    this.#counts[TIME_SUMS + row]! += ms;
  }

  noteFailure(code: ErrorCode): void {
    this.#counts[FAILURES + ERROR_CODES.indexOf(code)]! += 1;
  }

  noteKeyRefused(reason: KeyRefusal): void {
    this.#counts[KEYS_REFUSED + KEY_REFUSALS.indexOf(reason)]! += 1;
  }
}

/** The sums over several threads. */
export class AnswerSums {
  readonly #sums = new Float64Array(LENGTH);

  constructor(memories: readonly SharedArrayBuffer[]) {
    for (const memory of memories)
      for (const [place, count] of new Float64Array(memory).entries())
        this.#sums[place]! += count;
  }

  /** Answers by status; never 0. */
  answers(): { answered: Answered; status: number; count: number }[] {
    return ANSWERED.flatMap((answered, index) =>
      [...this.#part(index * STATUSES, STATUSES)].flatMap((count, status) =>
        count === 0 ? [] : [{ answered, status: status + FIRST_STATUS, count }],
      ),
    );
  }

  /** Durations of each kind of answers. */
  seconds(): HistogramSample[] {
    return ANSWERED.map((answered, index) => ({
      labels: { operation: answered },
      bounds: TIME_BOUNDS_MS.map((bound) => bound / 1000),
      counts: [...this.#part(TIME_COUNTS + index * TIMES, TIMES)],
      sum: this.#sums[TIME_SUMS + index]! / 1000,
    }));
  }

  failures(): [ErrorCode, number][] {
    return ERROR_CODES.map((code, at) => [code, this.#sums[FAILURES + at]!]);
  }

  keysRefused(): [KeyRefusal, number][] {
    return KEY_REFUSALS.map((reason, at) => [
      reason,
      this.#sums[KEYS_REFUSED + at]!,
    ]);
  }

  #part(begin: number, length: number): Float64Array {
    return this.#sums.subarray(begin, begin + length);
  }
}

function timeClassOf(ms: number): number {
  let at = 0;
  while (at < TIME_BOUNDS_MS.length && ms > TIME_BOUNDS_MS[at]!) at++;
  return at;
}
