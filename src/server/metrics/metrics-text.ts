/** The content type of Prometheus's text format. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const PREFIX = "provider_directory_";

type Labels = Readonly<Record<string, string>>;

/** One value of a metric. */
export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

/** The values of a histogram. */
export interface HistogramSample {
  readonly labels: Labels;
  /** Upper bounds of the buckets; the last bucket has none. */
  readonly bounds: readonly number[];
  /** By bucket, not cumulative: one more than there are bounds. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** A metric and its values, for Prometheus and OpenTelemetry. */
export type Metric = {
  /** Without the prefix, which is added except for standard names (`process_`). */
  readonly name: string;
  readonly help: string;
} & (
  | { readonly type: "counter" | "gauge"; readonly samples: readonly Sample[] }
  | {
      readonly type: "histogram";
      readonly samples: readonly HistogramSample[];
    }
);

/** Formats metrics in Prometheus's text format, version 0.0.4. Omits metrics without a value. */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(describe)
    .join("");
}

/** Returns a metric's name with the prefix. */
export function fullName({ name }: Pick<Metric, "name">): string {
  return name.startsWith("process_") ? name : `${PREFIX}${name}`;
}

function describe(metric: Metric): string {
  const whole = fullName(metric);
  const lines =
    metric.type === "histogram"
      ? metric.samples.flatMap((sample) => describeHistogram(whole, sample))
      : metric.samples.map((sample) => describeSample(whole, sample));
  return `# HELP ${whole} ${metric.help}\n# TYPE ${whole} ${metric.type}\n${lines.join("")}`;
}

function describeHistogram(
  name: string,
  { bounds, counts, labels, sum }: HistogramSample,
): string[] {
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    const le = String(bounds[index] ?? "+Inf");
    return describeSample(`${name}_bucket`, {
      labels: { ...labels, le },
      value: total,
    });
  });
  return [
    ...buckets,
    describeSample(`${name}_sum`, { labels, value: sum }),
    describeSample(`${name}_count`, { labels, value: total }),
  ];
}

function describeSample(name: string, { labels = {}, value }: Sample): string {
  return `${name}${describeLabels(labels)} ${value}\n`;
}

function describeLabels(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => {
    const escaped = value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
    return `${name}="${escaped}"`;
  });
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}
