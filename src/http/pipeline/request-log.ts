import type { Call, StreamFacts } from "../call.ts";
import type { AnswerCounts } from "./answer-counts.ts";
import { PARAMETER_NAMES } from "../../contract/parameters.ts";
import { parseQuery, queryOf } from "../queries/query-string.ts";
import type { IncomingHttpHeaders } from "node:http";

/** The span of another program that a request belongs to (W3C Trace Context, `traceparent`). */
export interface ParentSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** The flags of version 00: bit 0 means that the caller recorded the trace. */
  readonly flags: number;
  /** `tracestate`, which is passed on as it is; absent without one. */
  readonly state: string | undefined;
}

/** The ids of a request in logs and traces: its trace, and its own span if there is one. */
interface TraceIds {
  readonly traceId: string;
  readonly spanId: string | undefined;
}

/** An answer, of which a span can be made. Never contains what a client sent, except its trace. */
export interface TracedAnswer {
  readonly method: string;
  /** The route's path, null for an unknown one. */
  readonly route: string | null;
  readonly status: number;
  /** `1.0` or `1.1`. */
  readonly httpVersion: string;
  /** The time when the request's turn began, by `performance.now()`. */
  readonly receivedMs: number;
  readonly parent: ParentSpan | null;
}

/** Makes a span of an answer. */
export type AnswerTracer = (answer: TracedAnswer) => TraceIds;

/** Version 00 has exactly four fields; later ones may add more. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const MAX_TRACEPARENT = 256;
/** The length that the specification asks to pass on at least. A longer `tracestate` is dropped as a whole. */
const MAX_TRACESTATE = 512;

/** Reads a request's trace context; null without a valid one. */
function parentSpan({
  traceparent,
  tracestate,
}: IncomingHttpHeaders): ParentSpan | null {
  if (typeof traceparent !== "string" || traceparent.length > MAX_TRACEPARENT)
    return null;
  const [, version, traceId, spanId, flags = "", rest] =
    TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return null;
  if (version === "00" && rest !== undefined) return null;
  const isStateValid =
    typeof tracestate === "string" && tracestate.length <= MAX_TRACESTATE;
  return {
    traceId,
    spanId,
    flags: Number.parseInt(flags, 16),
    state: isStateValid ? tracestate : undefined,
  };
}

/**
 * The facts that are logged about an answer once it is rendered. Parameters are logged without their values, which are
 * people's names. Unknown parameters are left out, because users put keys there. Headers are never logged.
 */
export interface AnswerFacts extends StreamFacts {
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
}

export type AnswerLog = (facts: AnswerFacts) => void;

const NONE: readonly string[] = [];

/** The logs and counts of responses; null for what is off. */
export interface AnswerNotes {
  readonly answerLog: AnswerLog | null;
  /** Makes a span of each answer. */
  readonly answerTracer: AnswerTracer | null;
  readonly answerCounts: AnswerCounts | null;
}

/** Traces, logs, and counts an answer, each if it is on. */
export function noteAnswer(deps: AnswerNotes, call: Call): void {
  const { answerCounts, answerLog } = deps;
  const { caller, facts, id, keyRefusal, match, method, receivedMs, status } =
    call;
  const { counted, path: route } = match.route;
  const ids = traceAnswer(deps, call);
  answerLog?.({
    request_id: id,
    trace_id: ids?.traceId,
    span_id: ids?.spanId,
    method,
    route,
    status,
    ms: millisecondsSince(receivedMs),
    account: caller.account,
    key: caller.account === null ? keyRefusal : "valid",
    params: parameterNames(queryOf(call.url)),
    ...facts,
  });
  answerCounts?.noteAnswer(counted, status, performance.now() - receivedMs);
  if (keyRefusal !== null) answerCounts?.noteKeyRefused(keyRefusal);
}

/** Makes the span of an answer, if traces are on, and returns the ids for its log line. */
function traceAnswer(
  { answerLog, answerTracer }: AnswerNotes,
  { match, method, receivedMs, request, status }: Call,
): TraceIds | null {
  if (answerTracer === null && answerLog === null) return null;
  const { headers } = request;
  const parent =
    headers["traceparent"] === undefined ? null : parentSpan(headers);
  if (answerTracer !== null)
    return answerTracer({
      method,
      route: match.route.path,
      status,
      receivedMs,
      httpVersion: request.httpVersion,
      parent,
    });
  return parent === null
    ? null
    : { traceId: parent.traceId, spanId: undefined };
}

/** Returns the milliseconds since a time of `performance.now()`, to the microsecond. */
function millisecondsSince(beganMs: number): number {
  return Math.round((performance.now() - beganMs) * 1000) / 1000;
}

/** Lists the names of known parameters in a query string, each once. */
function parameterNames(query: string): readonly string[] {
  if (query === "") return NONE;
  const names = new Set(parseQuery(query).map(([name]) => name));
  return [...names].filter((name) => PARAMETER_NAMES.has(name));
}
