import { localUrl } from "../../../server/free-port.ts";
import { NO_OPERANDS, type Command } from "../../command.ts";
import {
  readServeOptions,
  SERVE_SETTINGS,
  serveUntilStopped,
  type ServeOptions,
} from "./serve-until-stopped.ts";

export const serveCommand: Command = {
  operands: NO_OPERANDS,
  settings: SERVE_SETTINGS,
  summary: "Serve the API and the portal over HTTP.",
  details: [
    "Starts without data too, and switches to each import and rollback within five seconds. Writes its log to standard output as JSON lines.",
    "With --update, runs the update command at those times, with the same options, in a separate process. If there is no registry data yet, the first update starts at once.",
    "OTEL_EXPORTER_OTLP_ENDPOINT sends traces and metrics to an OpenTelemetry collector. For this and its other OTEL_ variables, see docs/metrics.md.",
    "SIGTERM or SIGINT stops the service: /readyz is 503 at once, requests are served for another --drain-delay, running ones finish within ten seconds, and the usage counted so far is written. A second signal stops it at once.",
  ],
  prepare(reader) {
    const options = readServeOptions(reader, "info");
    return (context) =>
      serveUntilStopped(options, context, (service, url) => {
        const { metricsPort, snapshot, workers } = service;
        context.err(
          `Listening on ${url} with ${workers === 1 ? "one worker" : `${workers} workers`}. API documentation: ${url}/docs`,
        );
        if (metricsPort !== null && options.metrics !== null)
          context.err(
            `Metrics: ${localUrl(options.metrics.host, metricsPort)}/metrics`,
          );
        if (options.publicUrl === null && isLoopback(options.host))
          context.err(
            `Only this machine can reach the service (HOST is ${options.host}). Put a reverse proxy in front and set PUBLIC_URL, or set HOST to a network address. See docs/deploying.md.`,
          );
        if (snapshot === null)
          context.err(
            `No data to serve yet. ${nextData(options)} If there are snapshots, the log says why none is served.`,
          );
        else
          context.err(`Serving snapshot ${snapshot.id}: ${snapshot.source}.`);
      });
  },
};

/** Names the source of the first data. */
function nextData({ snapshotStore, update }: ServeOptions): string {
  if (snapshotStore !== null)
    return "The service pulls what is published to the snapshot store.";
  if (update !== null) return "The scheduled update imports it.";
  return "Run update, or import a registry file; the service picks it up.";
}

function isLoopback(host: string): boolean {
  return /^(localhost|127\..*|::1|\[::1\])$/.test(host);
}
