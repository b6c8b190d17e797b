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
export interface TraceIds {
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
export function parentSpan({
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
