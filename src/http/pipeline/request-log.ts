import type { FastifyRequest } from "fastify";
import type { AnswerCounts } from "./answer-counts.ts";
import { PARAMETER_NAMES } from "../../contract/parameters.ts";
import { parseQuery, queryOf } from "../queries/query-string.ts";

/**
 * The facts that are logged about an answer once it is handed to the system. Parameters are logged without their
 * values, which are people's names. Unknown parameters are left out, because users put keys there. Headers are never
 * logged.
 */
export interface AnswerFacts {
  readonly request_id: string;
  readonly method: string;
  /** The route's path, null for an unknown one. */
  readonly route: string | null;
  readonly status: number;
  /** Milliseconds since its turn (`fair-queue.ts`). */
  readonly ms: number;
  readonly account: number | null;
  readonly key: string | null;
  readonly params: readonly string[];
}

export type AnswerLog = (facts: AnswerFacts) => void;

declare module "fastify" {
  interface FastifyRequest {
    /** The time of arrival, by `performance.now()`. */
    receivedMs: number;
  }
}

const NONE: readonly string[] = [];

export function answerFacts(
  request: FastifyRequest,
  status: number,
): AnswerFacts {
  const { caller } = request;
  return {
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url ?? null,
    status,
    ms: millisecondsSince(request.receivedMs),
    account: caller === null ? null : caller.account.id,
    key: caller === null ? request.keyVerdict : "valid",
    params: parameterNames(queryOf(request.url)),
  };
}

/** Counts an answer. */
export function countAnswer(
  counts: AnswerCounts,
  { caller, keyVerdict, receivedMs, routeOptions }: FastifyRequest,
  status: number,
): void {
  counts.noteAnswer(
    routeOptions.config?.counted ?? "none",
    status,
    performance.now() - receivedMs,
  );
  if (caller === null && keyVerdict !== null) counts.noteKeyRefused(keyVerdict);
}

/** Milliseconds since a time of `performance.now()`, to the microsecond. */
export function millisecondsSince(beganMs: number): number {
  return Math.round((performance.now() - beganMs) * 1000) / 1000;
}

function parameterNames(query: string): readonly string[] {
  if (query === "") return NONE;
  const names = new Set(parseQuery(query).map(([name]) => name));
  return [...names].filter((name) => PARAMETER_NAMES.has(name));
}
