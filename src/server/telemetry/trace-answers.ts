import {
  createTraceState,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
} from "@opentelemetry/api";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { BaseLogger } from "pino";
import type {
  AnswerTracer,
  ParentSpan,
  TracedAnswer,
} from "../../http/pipeline/request-log.ts";
import type { TraceSettings } from "../../settings/telemetry-settings.ts";
import {
  endWithinLimit,
  logFaults,
  resourceOf,
  SCOPE,
  type TelemetrySource,
} from "./collector.ts";

/** The methods that a span may have; others are `_OTHER`, as everyone can make some up. */
const METHODS = /^(?:CONNECT|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT|TRACE)$/;

/**
 * Opens the traces of a thread: spans are sent to the collector in batches, and the rest when `owned` is disposed of.
 * `logger` gets what goes wrong.
 */
export async function traceAnswers(
  { batch, isParentBased, protocol, ratio, readsParent }: TraceSettings,
  source: TelemetrySource,
  logger: BaseLogger,
  owned: AsyncDisposableStack,
): Promise<AnswerTracer> {
  logFaults(logger);
  const root = new TraceIdRatioBasedSampler(ratio);
  // The exporter reads its address, headers, and the like from the OTEL_ variables.
  const { OTLPTraceExporter } = await (protocol === "http/json"
    ? import("@opentelemetry/exporter-trace-otlp-http")
    : import("@opentelemetry/exporter-trace-otlp-proto"));
  const exporter = new OTLPTraceExporter();
  const provider = new TracerProvider({
    resource: resourceOf(source),
    sampler: isParentBased ? new ParentBasedSampler({ root }) : root,
    spanProcessors: [new BatchSpanProcessor({ ...batch, exporter })],
  });
  owned.defer(() => endWithinLimit(provider));
  const tracer = provider.getTracer(SCOPE, source.version);
  return (answer) => {
    const endMs = Date.now();
    const startTime = endMs - (performance.now() - answer.receivedMs);
    const parent = readsParent ? answer.parent : null;
    const attributes = attributesOf(answer);
    const span = tracer.startSpan(
      nameOf(answer),
      { kind: SpanKind.SERVER, startTime, attributes },
      parent === null ? ROOT_CONTEXT : contextOf(parent),
    );
    if (answer.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endMs);
    return span.spanContext();
  };
}

/**
 * Returns the semantic conventions' attributes of a server span, without those that say who asked for whom: `url.path`
 * has NPIs, `url.query` names, `client.address` and `user_agent.original` are the client's.
 */
function attributesOf({
  httpVersion,
  method,
  route,
  status,
}: TracedAnswer): Attributes {
  return {
    "http.request.method": METHODS.test(method) ? method : "_OTHER",
    "http.response.status_code": status,
    "network.protocol.version": httpVersion,
    "url.scheme": "http",
    ...(route === null ? {} : { "http.route": route }),
    ...(status >= 500 ? { "error.type": String(status) } : {}),
  };
}

function nameOf({ method, route }: TracedAnswer): string {
  const name = METHODS.test(method) ? method : "HTTP";
  return route === null ? name : `${name} ${route}`;
}

function contextOf({ flags, spanId, state, traceId }: ParentSpan): Context {
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: flags,
    isRemote: true,
    ...(state === undefined ? {} : { traceState: createTraceState(state) }),
  });
}
