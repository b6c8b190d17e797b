import type { FastifyRequest } from "fastify";
import type { AnswerCounts } from "./answer-counts.ts";
import { PARAMETER_NAMES } from "../../contract/parameters.ts";
import { parseQuery, queryOf } from "../queries/query-string.ts";

/**
 * What is logged of an answer when it is handed to the system. It says which parameters were given and never their
 * values, for those are names of people; names of parameters that do not exist are left out too, for people put keys
 * there. No header is logged.
 */
export interface AnswerFacts {
  readonly request_id: string;
  readonly method: string;
  /** The path as it was declared, null where there is none. */
  readonly route: string | null;
  readonly status: number;
  /** How long the answer took from its turn on (`fair-queue.ts`). */
  readonly ms: number;
  readonly account: number | null;
  readonly key: string | null;
  readonly params: readonly string[];
}

export type AnswerLog = (facts: AnswerFacts) => void;

declare module "fastify" {
  interface FastifyRequest {
    /** When the request came, by `performance.now()`. */
    receivedMs: number;
  }
}

const NONE: readonly string[] = [];

/** The facts of an answer that is just being given. */
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

/** Counts an answer that is just being given. */
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

/** How long something took that began at a time of `performance.now()`, to the microsecond. */
export function millisecondsSince(beganMs: number): number {
  return Math.round((performance.now() - beganMs) * 1000) / 1000;
}

function parameterNames(query: string): readonly string[] {
  if (query === "") return NONE;
  const names = new Set(parseQuery(query).map(([name]) => name));
  return [...names].filter((name) => PARAMETER_NAMES.has(name));
}
