import type { MetricsAddress } from "../../settings/service-settings.ts";
import type { Parsed, Setting } from "./setting.ts";

export const METRICS: Setting<MetricsAddress | null> = {
  flag: "metrics",
  variable: "METRICS",
  takes: "HOST:PORT",
  help: "Where to serve metrics for Prometheus, at /metrics; they need no key, so choose an address that is not public.",
  fallback: null,
  fallbackText: "nowhere",
  parse: parseMetricsAddress,
};

/** A host and a port, an IPv6 address in brackets; a port alone is one of this machine's own. */
function parseMetricsAddress(text: string): Parsed<MetricsAddress> {
  const [, , bracketed, plain, digits] =
    /^((?:\[([0-9a-f:.]+)\]|([^:[\]]+)):)?([0-9]{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  return port <= 65_535
    ? { ok: true, value: { host: bracketed ?? plain ?? "127.0.0.1", port } }
    : { ok: false, problem: "must be an address such as 127.0.0.1:9464" };
}
