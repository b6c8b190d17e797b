import type { Environment, SettingReader } from "./setting-reader.ts";

/** The protocols that OTLP is sent by. gRPC would need native HTTP/2 code of other packages. */
const PROTOCOLS = {
  "http/protobuf": "http/protobuf",
  "http/json": "http/json",
} as const;
export type OtlpProtocol = keyof typeof PROTOCOLS;

/**
 * The traces and metrics that are sent to an OpenTelemetry collector. The packages read addresses, headers, and
 * certificates themselves.
 */
export type TelemetrySettings = NonNullable<ReturnType<typeof readTelemetry>>;
export type TraceSettings = ReturnType<typeof readTraces>;
export type MetricExportSettings = ReturnType<typeof readMetrics>;

/** The samplers of traces without a parent; "ratio" is OTEL_TRACES_SAMPLER_ARG. */
const ROOT_SAMPLERS = {
  always_on: 1,
  always_off: 0,
  traceidratio: "ratio",
} as const;
const PARENT_BASED = "parentbased_";
const SAMPLERS = Object.fromEntries(
  Object.entries(ROOT_SAMPLERS).flatMap(([name, root]) => [
    [name, { root, isParentBased: false }],
    [PARENT_BASED + name, { root, isParentBased: true }],
  ]),
);
const EXPORTERS = { otlp: true, none: false };

/**
 * Reads the OTEL_ variables by the rules and with the defaults of OpenTelemetry's SDK: traces and metrics, null for
 * what isn't sent. Returns null unless OTEL_EXPORTER_OTLP_ENDPOINT is set. Values that this program doesn't support are
 * reported as problems, not ignored.
 */
export function readTelemetry(reader: SettingReader) {
  const otel = new Variables(reader.openTelemetry(), reader.problems);
  const endpoint = otel.text("EXPORTER_OTLP_ENDPOINT");
  if (endpoint === null) return null;
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ""))
    otel.refuse("EXPORTER_OTLP_ENDPOINT", "must be an http:// or https:// URL");
  if (otel.text("SDK_DISABLED")?.toLowerCase() === "true") return null;
  const hasTraces = otel.choice("TRACES_EXPORTER", EXPORTERS, "otlp");
  const traces = hasTraces ? readTraces(otel) : null;
  const hasMetrics = otel.choice("METRICS_EXPORTER", EXPORTERS, "otlp");
  const metrics = hasMetrics ? readMetrics(otel) : null;
  return traces === null && metrics === null ? null : { traces, metrics };
}

function readTraces(otel: Variables) {
  const { isParentBased, root } = otel.choice(
    "TRACES_SAMPLER",
    SAMPLERS,
    "parentbased_always_on",
  );
  const propagators = otel.text("PROPAGATORS") ?? "tracecontext";
  return {
    protocol: otel.protocol("TRACES"),
    /** The share of traces without a parent that are recorded, 0 to 1. */
    ratio: root === "ratio" ? otel.number("TRACES_SAMPLER_ARG", 1, 0, 1) : root,
    /** True if a trace with a parent is recorded if the parent was. */
    isParentBased,
    /** True if `traceparent` is read. */
    readsParent: propagators.split(/[\s,]+/).includes("tracecontext"),
    /** The limits of the queue of spans. */
    batch: {
      maxQueueSize: otel.number("BSP_MAX_QUEUE_SIZE", 2048),
      maxExportBatchSize: otel.number("BSP_MAX_EXPORT_BATCH_SIZE", 512),
      scheduledDelayMillis: otel.number("BSP_SCHEDULE_DELAY", 5_000),
      exportTimeoutMillis: otel.number("BSP_EXPORT_TIMEOUT", 30_000),
    },
  };
}

function readMetrics(otel: Variables) {
  const intervalMs = otel.number("METRIC_EXPORT_INTERVAL", 60_000);
  const timeoutMs = otel.number("METRIC_EXPORT_TIMEOUT", 30_000);
  otel.choice(
    "EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE",
    { cumulative: true },
    "cumulative",
  );
  return {
    protocol: otel.protocol("METRICS"),
    intervalMs,
    timeoutMs: Math.min(timeoutMs, intervalMs),
  };
}

/** The OTEL_ variables, by their names without the prefix. Empty ones count as unset. */
class Variables {
  readonly #variables: Environment;
  readonly #problems: string[];

  constructor(variables: Environment, problems: string[]) {
    this.#variables = variables;
    this.#problems = problems;
  }

  text(name: string): string | null {
    return this.#variables[`OTEL_${name}`]?.trim() || null;
  }

  number(name: string, byDefault: number, min = 1, max = Infinity): number {
    const text = this.text(name);
    const value = text === null ? byDefault : Number(text);
    if (value >= min && value <= max) return value;
    const range =
      max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
    this.refuse(name, `must be a number ${range}`);
    return byDefault;
  }

  choice<T>(
    name: string,
    choices: Readonly<Record<string, T>>,
    byDefault: string,
  ): T {
    const text = this.text(name)?.toLowerCase() ?? byDefault;
    if (Object.hasOwn(choices, text)) return choices[text]!;
    this.refuse(name, `must be one of ${Object.keys(choices).join(", ")}`);
    return choices[byDefault]!;
  }

  protocol(signal: "TRACES" | "METRICS"): OtlpProtocol {
    const own = `EXPORTER_OTLP_${signal}_PROTOCOL`;
    const name = this.text(own) === null ? "EXPORTER_OTLP_PROTOCOL" : own;
    return this.choice(name, PROTOCOLS, "http/protobuf");
  }

  refuse(name: string, problem: string): void {
    this.#problems.push(`OTEL_${name} ${problem}.`);
  }
}
