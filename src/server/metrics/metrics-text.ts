/** The type of the text, as Prometheus wants it. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const PREFIX = "provider_directory_";

type Labels = Readonly<Record<string, string>>;

/** One value of a metric; a histogram's have the ends of their names before them. */
export interface Sample {
  readonly suffix?: "_bucket" | "_sum" | "_count";
  readonly labels?: Labels;
  readonly value: number;
}

/** A metric with all its values. */
export interface Metric {
  /** Without the program's name, which is set before it but for names that all programs share (`process_`). */
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** A metric with one value; null leaves it out. */
export function single(
  type: "counter" | "gauge",
  name: string,
  value: number | null,
  help: string,
): Metric {
  return { name, type, help, samples: value === null ? [] : [{ value }] };
}

/** Writes metrics in Prometheus's text format, version 0.0.4. One without a value is left out. */
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
