import type { Environment, SettingReader } from "./setting-reader.ts";

/** The protocols of OTLP. gRPC would need native HTTP/2 code of other packages. */
const PROTOCOLS = ["http/protobuf", "http/json"] as const;
export type OtlpProtocol = (typeof PROTOCOLS)[number];

/** The data for an OpenTelemetry collector. The packages read addresses, headers, and certificates themselves. */
export interface TelemetrySettings {
  /** Null if no traces are sent. */
  readonly traces: TraceSettings | null;
  /** Null if no metrics are sent. */
  readonly metrics: MetricExportSettings | null;
}

export interface TraceSettings {
  readonly protocol: OtlpProtocol;
  /** The share of traces without a parent that are recorded, 0 to 1. */
  readonly ratio: number;
  /** True if a trace with a parent is recorded if the parent was. */
  readonly isParentBased: boolean;
  /** True if `traceparent` is read. */
  readonly readsParent: boolean;
  /** Limits of the queue of spans; the packages' defaults if absent. */
  readonly batch: {
    readonly maxQueueSize?: number;
    readonly maxExportBatchSize?: number;
    readonly scheduledDelayMillis?: number;
    readonly exportTimeoutMillis?: number;
  };
}

export interface MetricExportSettings {
  readonly protocol: OtlpProtocol;
  readonly intervalMs: number;
  readonly timeoutMs: number;
}

/** The samplers of OTEL_TRACES_SAMPLER; "ratio" is OTEL_TRACES_SAMPLER_ARG. */
const SAMPLERS: Readonly<
  Record<string, { root: number | "ratio"; isParentBased: boolean }>
> = {
  always_on: { root: 1, isParentBased: false },
  always_off: { root: 0, isParentBased: false },
  traceidratio: { root: "ratio", isParentBased: false },
  parentbased_always_on: { root: 1, isParentBased: true },
  parentbased_always_off: { root: 0, isParentBased: true },
  parentbased_traceidratio: { root: "ratio", isParentBased: true },
};

const DEFAULT_INTERVAL_MS = 60_000;
const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Reads the OTEL_ variables by the rules of OpenTelemetry's SDK. Null unless OTEL_EXPORTER_OTLP_ENDPOINT is set. What
 * this program can't do is a problem rather than ignored.
 */
export function readTelemetry(reader: SettingReader): TelemetrySettings | null {
  const variables = new Variables(reader.openTelemetry(), reader.problems);
  const endpoint = variables.text("EXPORTER_OTLP_ENDPOINT");
  if (endpoint === null) return null;
  if (!isHttpUrl(endpoint))
    variables.refuse(
      "EXPORTER_OTLP_ENDPOINT",
      "must be an http:// or https:// URL",
    );
  if (variables.text("SDK_DISABLED")?.toLowerCase() === "true") return null;
  const traces = isExported(variables, "TRACES") ? readTraces(variables) : null;
  const metrics = isExported(variables, "METRICS")
    ? readMetrics(variables)
    : null;
  return traces === null && metrics === null ? null : { traces, metrics };
}

function readTraces(variables: Variables): TraceSettings {
  const { isParentBased, root } = variables.choice(
    "TRACES_SAMPLER",
    SAMPLERS,
    "parentbased_always_on",
  );
  const propagators = variables.list("PROPAGATORS");
  return {
    protocol: readProtocol(variables, "TRACES"),
    ratio:
      root === "ratio"
        ? (variables.number("TRACES_SAMPLER_ARG", 0, 1) ?? 1)
        : root,
    isParentBased,
    readsParent:
      propagators.length === 0 || propagators.includes("tracecontext"),
    batch: withoutNulls({
      maxQueueSize: variables.number("BSP_MAX_QUEUE_SIZE", 1),
      maxExportBatchSize: variables.number("BSP_MAX_EXPORT_BATCH_SIZE", 1),
      scheduledDelayMillis: variables.number("BSP_SCHEDULE_DELAY", 1),
      exportTimeoutMillis: variables.number("BSP_EXPORT_TIMEOUT", 1),
    }),
  };
}

function readMetrics(variables: Variables): MetricExportSettings {
  const intervalMs =
    variables.number("METRIC_EXPORT_INTERVAL", 1) ?? DEFAULT_INTERVAL_MS;
  const timeoutMs =
    variables.number("METRIC_EXPORT_TIMEOUT", 1) ?? DEFAULT_TIMEOUT_MS;
  variables.choice(
    "EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE",
    { cumulative: true },
    "cumulative",
  );
  return {
    protocol: readProtocol(variables, "METRICS"),
    intervalMs,
    timeoutMs: Math.min(timeoutMs, intervalMs),
  };
}

function isExported(
  variables: Variables,
  signal: "TRACES" | "METRICS",
): boolean {
  return variables.choice(
    `${signal}_EXPORTER`,
    { otlp: true, none: false },
    "otlp",
  );
}

function readProtocol(
  variables: Variables,
  signal: "TRACES" | "METRICS",
): OtlpProtocol {
  const own = `EXPORTER_OTLP_${signal}_PROTOCOL`;
  const name = variables.text(own) === null ? "EXPORTER_OTLP_PROTOCOL" : own;
  const [protobuf, json] = PROTOCOLS;
  return variables.choice(
    name,
    { [protobuf]: protobuf, [json]: json },
    protobuf,
  );
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
    const text = this.#variables[`OTEL_${name}`]?.trim() ?? "";
    return text === "" ? null : text;
  }

  list(name: string): string[] {
    return (this.text(name) ?? "")
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== "");
  }

  number(name: string, min: number, max = Infinity): number | null {
    const text = this.text(name);
    if (text === null) return null;
    const value = Number(text);
    if (value >= min && value <= max) return value;
    this.refuse(
      name,
      max === Infinity
        ? `must be a number of at least ${min}`
        : `must be a number from ${min} to ${max}`,
    );
    return null;
  }

  choice<T>(
    name: string,
    choices: Readonly<Record<string, T>>,
    otherwise: string,
  ): T {
    const text = this.text(name)?.toLowerCase() ?? otherwise;
    const chosen = new Map(Object.entries(choices)).get(text);
    if (chosen !== undefined) return chosen;
    this.refuse(name, `must be one of ${Object.keys(choices).join(", ")}`);
    return this.#known(choices, otherwise);
  }

  refuse(name: string, problem: string): void {
    this.#problems.push(`OTEL_${name} ${problem}.`);
  }

  #known<T>(choices: Readonly<Record<string, T>>, name: string): T {
    const value = choices[name];
    if (value === undefined) throw new Error(`"${name}" is no choice.`);
    return value;
  }
}

function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

function withoutNulls<Name extends string>(
  values: Readonly<Record<Name, number | null>>,
): Partial<Record<Name, number>> {
  const given: Partial<Record<Name, number>> = {};
  for (const name in values) {
    const value = values[name];
    if (value !== null) given[name] = value;
  }
  return given;
}
