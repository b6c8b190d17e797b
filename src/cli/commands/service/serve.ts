import { localUrl } from "../../../server/free-port.ts";
import { NO_OPERANDS, type Command } from "../../command.ts";
import {
  readServeOptions,
  SERVE_SETTINGS,
  serveUntilStopped,
} from "./serve-until-stopped.ts";

export const serveCommand: Command = {
  words: ["serve"],
  operands: NO_OPERANDS,
  settings: SERVE_SETTINGS,
  summary: "Serve the API and the portal over HTTP.",
  details: [
    "It starts without data too, and takes up each import and rollback in the data folder within five seconds. The log is JSON lines on standard output.",
    "With --update it gets what is lacking at those times, in a process of its own: the same as the command update does, with the same options. Without data it does so at once.",
    "SIGTERM or SIGINT stops it: running requests finish within ten seconds, and what was counted is written down. A second signal ends it at once.",
  ],
  prepare(reader) {
    const options = readServeOptions(reader, "info");
    return (context) =>
      serveUntilStopped(options, context, (service, url) => {
        const { metricsPort, snapshot, workers } = service;
        context.err(
          `Listening on ${url} with ${workers === 1 ? "one worker" : `${workers} workers`}; the documentation is at ${url}/docs.`,
        );
        if (metricsPort !== null && options.metrics !== null)
          context.err(
            `Metrics are at ${localUrl(options.metrics.host, metricsPort)}/metrics.`,
          );
        if (options.publicUrl === null && isLoopback(options.host))
          context.err(
            `Only this machine can reach it (HOST is ${options.host}): put a reverse proxy in front and set PUBLIC_URL, or set HOST to an address of the network. docs/deploying.md shows how.`,
          );
        if (snapshot === null)
          context.err(
            "There are no data to serve yet: import a registry file, and they are served as soon as that is done. If there are snapshots, the log says what keeps them from being served.",
          );
        else
          context.err(`Serving snapshot ${snapshot.id}: ${snapshot.source}.`);
      });
  },
};

function isLoopback(host: string): boolean {
  return /^(localhost|127\..*|::1|\[::1\])$/.test(host);
}
