import { ValueType, type HrTime } from "@opentelemetry/api";
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  PeriodicExportingMetricReader,
  type DataPoint,
  type Histogram,
  type MetricData,
} from "@opentelemetry/sdk-metrics";
import type { BaseLogger } from "pino";
import type { MetricExportSettings } from "../../settings/telemetry-settings.ts";
import { fullName, type Metric } from "../metrics/metrics-text.ts";
import {
  endWithinLimit,
  logFaults,
  resourceOf,
  SCOPE,
  type TelemetrySource,
} from "./collector.ts";

/**
 * Sends the service's metrics to the collector at an interval, under the names that `/metrics` has, and once more when
 * `owned` is disposed of.
 */
export async function exportMetrics(
  { intervalMs, protocol, timeoutMs }: MetricExportSettings,
  source: TelemetrySource,
  read: () => readonly Metric[],
  logger: BaseLogger,
  owned: AsyncDisposableStack,
): Promise<void> {
  logFaults(logger);
  // The exporter reads its address, headers, and the like from the OTEL_ variables.
  const { OTLPMetricExporter } = await (protocol === "http/json"
    ? import("@opentelemetry/exporter-metrics-otlp-http")
    : import("@opentelemetry/exporter-metrics-otlp-proto"));
  const resource = resourceOf(source);
  const startTime = hrTime(performance.timeOrigin);
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: timeoutMs,
    metricProducers: [
      {
        collect() {
          const times = { startTime, endTime: hrTime(Date.now()) };
          const metrics = read()
            .filter(({ samples }) => samples.length > 0)
            .map((metric) => dataOf(metric, times));
          const scope = { name: SCOPE, version: source.version };
          return Promise.resolve({
            resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] },
            errors: [],
          });
        },
      },
    ],
  });
  const provider = new MeterProvider({ resource, readers: [reader] });
  owned.defer(() => endWithinLimit(provider));
}

type Times = Pick<DataPoint<number>, "startTime" | "endTime">;

function dataOf(metric: Metric, times: Times): MetricData {
  const { help: description, type } = metric;
  const name = fullName(metric);
  const base = {
    descriptor: { name, description, unit: "", valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (type === "histogram") {
    const dataPoints = metric.samples.map(
      ({ bounds, counts, labels, sum }): DataPoint<Histogram> => {
        const buckets = { boundaries: [...bounds], counts: [...counts] };
        const count = counts.reduce((all, each) => all + each, 0);
        return { ...times, attributes: labels, value: { buckets, sum, count } };
      },
    );
    return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = metric.samples.map(
    ({ labels: attributes = {}, value }) => ({ ...times, attributes, value }),
  );
  return type === "gauge"
    ? { ...base, dataPointType: DataPointType.GAUGE, dataPoints }
    : {
        ...base,
        dataPointType: DataPointType.SUM,
        dataPoints,
        isMonotonic: true,
      };
}

/** Converts epoch milliseconds to seconds and nanoseconds. */
function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1_000_000)];
}
