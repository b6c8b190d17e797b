import { createServer } from "node:http";
import type { MetricsAddress } from "../../settings/addresses.ts";
import { listenUnshared, portOf } from "../free-port.ts";
import { METRICS_TYPE } from "./metrics-text.ts";

const PATH = "/metrics";

export type MetricsListening =
  | { readonly outcome: "listening"; readonly port: number }
  /** One sentence for the operator. */
  | { readonly outcome: "refused"; readonly message: string };

/** Serves only `GET /metrics`, on a separate port for the operator, without a key, until `owned` is disposed of. */
export async function listenForMetrics(
  { host, port }: MetricsAddress,
  text: () => string,
  owned: AsyncDisposableStack,
): Promise<MetricsListening> {
  const server = createServer((request, response) => {
    if (request.url?.split("?")[0] !== PATH) {
      response.writeHead(404).end();
    } else if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD" }).end();
    } else {
      response.writeHead(200, { "content-type": METRICS_TYPE });
      response.end(request.method === "HEAD" ? undefined : text());
    }
  });
  const fault = await listenUnshared(server, host, port);
  if (fault !== null)
    return {
      outcome: "refused",
      message: `Cannot serve metrics on ${host}:${port} (${fault}). Choose another address of this machine with --metrics.`,
    };
  owned.defer(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return { outcome: "listening", port: portOf(server) };
}
