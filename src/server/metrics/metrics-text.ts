/** The content type of Prometheus's text format. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const PREFIX = "provider_directory_";

type Labels = Readonly<Record<string, string>>;

/** One value of a metric. A histogram's values have a name suffix. */
export interface Sample {
  readonly suffix?: "_bucket" | "_sum" | "_count";
  readonly labels?: Labels;
  readonly value: number;
}

/** A metric and its values. */
export interface Metric {
  /** Without the prefix, which is added except for standard names (`process_`). */
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** A metric with one value, or none if it is null. */
export function single(
  type: "counter" | "gauge",
  name: string,
  value: number | null,
  help: string,
): Metric {
  return { name, type, help, samples: value === null ? [] : [{ value }] };
}

/** Formats metrics in Prometheus's text format, version 0.0.4. Omits metrics without a value. */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(describe)
    .join("");
}

function describe({ help, name, samples, type }: Metric): string {
  const whole = name.startsWith("process_") ? name : `${PREFIX}${name}`;
  const lines = samples.map(
    ({ labels = {}, suffix = "", value }) =>
      `${whole}${suffix}${describeLabels(labels)} ${value}\n`,
  );
  return `# HELP ${whole} ${help}\n# TYPE ${whole} ${type}\n${lines.join("")}`;
}

function describeLabels(labels: Labels): string {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escape)}"`,
  );
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

function escape(character: string): string {
  return character === "\n" ? "\\n" : `\\${character}`;
}
