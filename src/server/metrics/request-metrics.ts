import {
  KEY_REFUSALS,
  UNREAD,
  type AnswerCounts,
} from "../../http/pipeline/answer-counts.ts";
import type { KeyRefusal } from "../../http/pipeline/answer-counts.ts";
import { ERROR_CODES, type ErrorCode } from "../../contract/errors.ts";
import { PAGE_PATHS } from "../../site/page-paths.ts";

/** What answers are counted as: the operations, what else there is, `malformed` for what was never routed, and `none` for no such path. */
export const ANSWERED = [
  "lookup",
  "search",
  "nearby",
  "changes",
  "status",
  "health",
  "documentation",
  "account",
  "auth",
  "billing",
  "explorer",
  "page",
  "asset",
  "malformed",
  "none",
] as const;
export type Answered = (typeof ANSWERED)[number];

/** Upper bounds of the classes of times, in milliseconds; a last class has all that takes longer. */
export const TIME_BOUNDS_MS = [
  0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000,
] as const;

const FIRST_STATUS = 100;
const STATUSES = 500;
const TIMES = TIME_BOUNDS_MS.length + 1;

/** Where things stand in the memory, in elements. */
const TIME_COUNTS = ANSWERED.length * STATUSES;
const TIME_SUMS = TIME_COUNTS + ANSWERED.length * TIMES;
const FAILURES = TIME_SUMS + ANSWERED.length;
const KEYS_REFUSED = FAILURES + ERROR_CODES.length;
const LENGTH = KEYS_REFUSED + KEY_REFUSALS.length;

/** Of routes as they are declared: each covers itself and what is below it; the first that does counts. */
const BY_ROUTE: readonly (readonly [string, Answered])[] = [
  ["/v1/providers/search", "search"],
  ["/v1/providers/nearby", "nearby"],
  ["/v1/providers/:npi", "lookup"],
  ["/v1/changes", "changes"],
  ["/v1/status", "status"],
  ["/healthz", "health"],
  ["/readyz", "health"],
  ["/openapi.json", "documentation"],
  ["/docs", "documentation"],
  ["/account/billing", "billing"],
  ["/billing", "billing"],
  ["/account", "account"],
  ["/auth", "auth"],
  ["/explore", "explorer"],
  ["/.well-known/change-password", "page"],
  ["/.well-known", "documentation"],
  ["/assets", "asset"],
  ["/favicon.ico", "asset"],
  ["/portal.json", "page"],
];
const PAGES: ReadonlySet<string | null> = new Set(Object.values(PAGE_PATHS));

/** Memory in which one thread counts its answers and another reads them. */
export function createAnswerMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(LENGTH * Float64Array.BYTES_PER_ELEMENT);
}

/**
 * Counts a thread's answers. It alone writes to its memory, so that counting is an addition without any exchange between
 * threads; a thread that takes a dead one's place goes on with its memory.
 */
export class AnswerMemory implements AnswerCounts {
  readonly #counts: Float64Array<SharedArrayBuffer>;
  /** By route as it was declared, of which there are few. */
  readonly #answered = new Map<string | null, number>();

  constructor(memory: SharedArrayBuffer) {
    this.#counts = new Float64Array(memory);
  }

  noteAnswer(route: string | null, status: number, ms: number): void {
    const answered = this.#answeredOf(route);
    this.#counts[answered * STATUSES + status - FIRST_STATUS]! += 1;
    this.#counts[TIME_COUNTS + answered * TIMES + timeClassOf(ms)]! += 1;
    this.#counts[TIME_SUMS + answered]! += ms;
  }

  noteFailure(code: ErrorCode): void {
    this.#counts[FAILURES + ERROR_CODES.indexOf(code)]! += 1;
  }

  noteKeyRefused(reason: KeyRefusal): void {
    this.#counts[KEYS_REFUSED + KEY_REFUSALS.indexOf(reason)]! += 1;
  }

  #answeredOf(route: string | null): number {
    let answered = this.#answered.get(route);
    if (answered === undefined) {
      answered = ANSWERED.indexOf(answeredBy(route));
      this.#answered.set(route, answered);
    }
    return answered;
  }
}

/** How long answers of one kind took. */
export interface AnswerTimes {
  readonly answered: Answered;
  /** Answers by class of time, not yet added up. */
  readonly counts: readonly number[];
  readonly sumMs: number;
}

/** What several threads counted, added up. */
export class AnswerSums {
  readonly #sums = new Float64Array(LENGTH);

  constructor(memories: readonly SharedArrayBuffer[]) {
    for (const memory of memories)
      for (const [place, count] of new Float64Array(memory).entries())
        this.#sums[place]! += count;
  }

  /** How often which status was answered; never 0. */
  answers(): { answered: Answered; status: number; count: number }[] {
    return ANSWERED.flatMap((answered, index) =>
      [...this.#part(index * STATUSES, STATUSES)].flatMap((count, status) =>
        count === 0 ? [] : [{ answered, status: status + FIRST_STATUS, count }],
      ),
    );
  }

  times(): AnswerTimes[] {
    return ANSWERED.map((answered, index) => ({
      answered,
      counts: [...this.#part(TIME_COUNTS + index * TIMES, TIMES)],
      sumMs: this.#sums[TIME_SUMS + index] ?? 0,
    }));
  }

  failures(): { code: ErrorCode; count: number }[] {
    const counts = this.#part(FAILURES, ERROR_CODES.length);
    return ERROR_CODES.map((code, index) => ({
      code,
      count: counts[index] ?? 0,
    }));
  }

  keysRefused(): { reason: KeyRefusal; count: number }[] {
    const counts = this.#part(KEYS_REFUSED, KEY_REFUSALS.length);
    return KEY_REFUSALS.map((reason, index) => ({
      reason,
      count: counts[index] ?? 0,
    }));
  }

  #part(begin: number, length: number): Float64Array {
    return this.#sums.subarray(begin, begin + length);
  }
}

/** What the answers of a route count as. */
function answeredBy(route: string | null): Answered {
  if (route === UNREAD) return "malformed";
  if (PAGES.has(route)) return "page";
  const found = BY_ROUTE.find(
    ([beginning]) =>
      route === beginning || route?.startsWith(`${beginning}/`) === true,
  );
  return found?.[1] ?? "none";
}

function timeClassOf(ms: number): number {
  let at = 0;
  while (at < TIME_BOUNDS_MS.length && ms > TIME_BOUNDS_MS[at]!) at++;
  return at;
}
