/** A collector of OpenTelemetry: takes OTLP over HTTP, as JSON or protobuf. */

import { once } from "node:events";
import { createServer } from "node:http";
import { text, buffer } from "node:stream/consumers";

/** A span, as the collector got it. */
export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly traceState: string | undefined;
  readonly status: number | undefined;
  readonly ms: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The attributes of what sent it. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A value of a metric; histograms have their count, sum, bounds, and counts. */
export interface ReceivedPoint {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly value: unknown;
}

interface ReceivedMetric {
  readonly kind: "sum" | "gauge" | "histogram";
  readonly description: string;
  readonly points: readonly ReceivedPoint[];
}

export interface OtlpReceiver extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** The newest values by name. */
  readonly metrics: ReadonlyMap<string, ReceivedMetric>;
  /** Protobuf bodies, by path. */
  readonly protobuf: readonly {
    readonly path: string;
    readonly body: Buffer;
  }[];
  /** All that arrived as text, to look for what must not be in it. */
  readonly received: string;
  /** The header `x-test` of requests. */
  readonly tokens: ReadonlySet<string | undefined>;
}

type Json = { readonly [name: string]: unknown };

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const metrics = new Map<string, ReceivedMetric>();
  const protobuf: { path: string; body: Buffer }[] = [];
  const tokens = new Set<string | undefined>();
  let received = "";
  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url ?? "";
      tokens.add(String(request.headers["x-test"]));
      if (request.headers["content-type"] === "application/x-protobuf") {
        const body = await buffer(request);
        protobuf.push({ path, body });
        received += body.toString("latin1");
      } else {
        const body = await text(request);
        received += body;
        if (path === "/v1/traces") spans.push(...readSpans(JSON.parse(body)));
        if (path === "/v1/metrics")
          for (const [name, metric] of readMetrics(JSON.parse(body)))
            metrics.set(name, metric);
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The receiver has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    metrics,
    protobuf,
    tokens,
    get received() {
      return received;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function readSpans(body: Json): ReceivedSpan[] {
  return list(body["resourceSpans"]).flatMap((group) =>
    list(group["scopeSpans"]).flatMap((scope) =>
      list(scope["spans"]).map((span) => ({
        name: String(span["name"]),
        kind: Number(span["kind"]),
        traceId: String(span["traceId"]),
        spanId: String(span["spanId"]),
        parentSpanId: optional(span["parentSpanId"]),
        traceState: optional(span["traceState"]),
        status: codeOf(span["status"]),
        ms:
          Number(
            BigInt(String(span["endTimeUnixNano"])) -
              BigInt(String(span["startTimeUnixNano"])),
          ) / 1_000_000,
        attributes: attributesOf(span["attributes"]),
        resource: attributesOf(object(group["resource"])["attributes"]),
      })),
    ),
  );
}

function readMetrics(body: Json): [string, ReceivedMetric][] {
  return list(body["resourceMetrics"]).flatMap((group) =>
    list(group["scopeMetrics"]).flatMap((scope) =>
      list(scope["metrics"]).map((metric): [string, ReceivedMetric] => {
        const kind = (["sum", "gauge", "histogram"] as const).find(
          (each) => each in metric,
        );
        if (kind === undefined) throw new Error("A metric of an unknown kind.");
        const points = list(object(metric[kind])["dataPoints"]).map(
          ({ attributes, ...point }) => ({
            attributes: attributesOf(attributes),
            value: point["asDouble"] ?? point["asInt"] ?? point,
          }),
        );
        const description = String(metric["description"]);
        return [String(metric["name"]), { kind, description, points }];
      }),
    ),
  );
}

function attributesOf(attributes: unknown): Record<string, unknown> {
  return Object.fromEntries(
    list(attributes).map(({ key, value }) => [
      String(key),
      Object.values(object(value))[0],
    ]),
  );
}

function codeOf(status: unknown): number | undefined {
  const { code } = object(status);
  return typeof code === "number" && code !== 0 ? code : undefined;
}

function optional(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
