import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import type { AnswerCounts } from "./answer-counts.ts";
import { PARAMETER_NAMES } from "../../contract/parameters.ts";
import {
  parseQuery,
  queryOf,
  type QueryPairs,
} from "../queries/query-string.ts";
import {
  parentSpan,
  type AnswerTracer,
  type TracedAnswer,
  type TraceIds,
} from "./trace-context.ts";

/**
 * The facts that are logged about an answer once it is rendered. Parameters are logged without their values, which are
 * people's names. Unknown parameters are left out, because users put keys there. Headers are never logged.
 */
export interface AnswerFacts {
  readonly request_id: string;
  /** The request's trace and span, if it has them. */
  readonly trace_id: string | undefined;
  readonly span_id: string | undefined;
  readonly method: string;
  /** The route's path, null for an unknown one. */
  readonly route: string | null;
  readonly status: number;
  /** Milliseconds since its turn (`fair-queue.ts`). */
  readonly ms: number;
  readonly account: number | null;
  readonly key: string | null;
  readonly params: readonly string[];
  /** The rows of an export, and why it ended before the last one. */
  readonly rows?: number | undefined;
  readonly cut?: string | undefined;
}

/** What is logged about an export only. */
type ExportFacts = Pick<AnswerFacts, "rows" | "cut">;

export type AnswerLog = (facts: AnswerFacts) => void;

declare module "fastify" {
  interface FastifyRequest {
    /** The time of arrival, by `performance.now()`. */
    receivedMs: number;
  }
}

const NONE: readonly string[] = [];

/** What answers are written down in; null for what is off. */
export interface AnswerNotes {
  readonly answerLog: AnswerLog | null;
  /** Makes a span of each answer. */
  readonly answerTracer: AnswerTracer | null;
  readonly answerCounts: AnswerCounts | null;
}

/** Traces, logs, and counts an answer, each if it is on. */
export function noteAnswer(
  deps: AnswerNotes,
  request: FastifyRequest,
  status: number,
  exported: ExportFacts = {},
): void {
  const { answerCounts, answerLog } = deps;
  const ids = traceAnswer(deps, request.raw, {
    method: request.method,
    route: request.routeOptions.url ?? null,
    status,
    receivedMs: request.receivedMs,
  });
  answerLog?.({ ...answerFacts(request, status, ids), ...exported });
  if (answerCounts !== null) countAnswer(answerCounts, request, status);
}

/** Makes the span of an answer, if traces are on, and returns the ids for its log line. */
export function traceAnswer(
  { answerLog, answerTracer }: Pick<AnswerNotes, "answerLog" | "answerTracer">,
  { headers, httpVersion }: IncomingMessage,
  answer: Omit<TracedAnswer, "httpVersion" | "parent">,
): TraceIds | null {
  if (answerTracer === null && answerLog === null) return null;
  const parent = parentSpan(headers);
  if (answerTracer !== null)
    return answerTracer({ ...answer, httpVersion, parent });
  return parent === null
    ? null
    : { traceId: parent.traceId, spanId: undefined };
}

function answerFacts(
  request: FastifyRequest,
  status: number,
  ids: TraceIds | null,
): AnswerFacts {
  const { caller } = request;
  return {
    request_id: request.id,
    trace_id: ids?.traceId,
    span_id: ids?.spanId,
    method: request.method,
    route: request.routeOptions.url ?? null,
    status,
    ms: millisecondsSince(request.receivedMs),
    account: caller === null ? null : caller.account.id,
    key: caller === null ? request.keyVerdict : "valid",
    params: parameterNames(parseQuery(queryOf(request.url))),
  };
}

/** Counts an answer. */
function countAnswer(
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

/** The names of known parameters, each once. */
export function parameterNames(pairs: QueryPairs): readonly string[] {
  if (pairs.length === 0) return NONE;
  const names: string[] = [];
  for (const [name] of pairs)
    if (PARAMETER_NAMES.has(name) && !names.includes(name)) names.push(name);
  return names;
}
