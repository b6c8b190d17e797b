import { setTimeout } from "node:timers/promises";
import { diag, DiagLogLevel } from "@opentelemetry/api";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from "@opentelemetry/resources";
import type { BaseLogger } from "pino";

/** The process that traces and metrics come from. */
export interface TelemetrySource {
  /** The process's UUID. */
  readonly process: string;
  /** The node's name. */
  readonly node: string;
  /** The program's version. */
  readonly version: string;
}

/** The name of the instrumentation, and of the service unless OTEL_SERVICE_NAME is set. */
export const SCOPE = "provider-directory";

/** A time limit for the last spans and metrics when the service stops. */
const LAST_EXPORT_MS = 1_000;
/** The least time between two messages about a collector that is away. */
const LOG_INTERVAL_MS = 60_000;
/** The packages' errors are long. */
const MAX_REASON = 500;

/**
 * Describes the service, with the attributes that operators set in OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES. The
 * SDK's other detectors are left out: they would send the command line, which may contain secrets.
 */
export function resourceOf({
  node,
  process,
  version,
}: TelemetrySource): Resource {
  return defaultResource()
    .merge(
      resourceFromAttributes({
        "service.name": SCOPE,
        "service.version": version,
        "service.instance.id": process,
        "provider_directory.node": node,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
}

/**
 * Makes the packages log here what goes wrong, at most once a minute in each thread. Requests never wait for the
 * collector.
 */
export function logFaults(logger: BaseLogger): void {
  let quietUntilMs = 0;
  const report = (message: string): void => {
    if (Date.now() < quietUntilMs) return;
    quietUntilMs = Date.now() + LOG_INTERVAL_MS;
    logger.warn(
      { reason: message.slice(0, MAX_REASON) },
      "cannot send telemetry",
    );
  };
  // At this level, only errors and warnings are reported.
  const all = { error: report, warn: report, info: report };
  diag.setLogger(
    { ...all, debug: report, verbose: report },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

/** Sends the rest and ends, within a time limit: a collector that is away must not keep the service from stopping. */
export async function endWithinLimit(provider: {
  shutdown(): Promise<void>;
}): Promise<void> {
  await Promise.race([
    // Its faults are logged.
    provider.shutdown().catch(() => undefined),
    setTimeout(LAST_EXPORT_MS, undefined, { ref: false }),
  ]);
}
