import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { after, suite, test } from "node:test";
import { fullTest } from "../support/pure/full-run.ts";
import { createKey } from "../support/program/create-key.ts";
import { demoFolder } from "../support/program/demo-folder.ts";
import {
  ProgramProcess,
  runProgram,
  succeed,
} from "../support/program/program.ts";
import { until } from "../support/pure/until.ts";
import {
  startOtlpReceiver,
  type ReceivedPoint,
} from "../support/app/servers/otlp-receiver.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

const demo = await demoFolder();
after(() => demo[Symbol.dispose]());
const key = await createKey(demo.path);

/** The service as a separate process, once it has data, and requests to it with a key. */
async function serve(environment: Readonly<Record<string, string>>): Promise<{
  program: ProgramProcess;
  url: string;
  ask: (path: string, headers?: Record<string, string>) => Promise<number>;
}> {
  const program = new ProgramProcess(
    ["serve", "--port", "0", "--workers", "1", "--data-dir", demo.path],
    { PORTAL: "off", NODE_NAME: "node-a", ...environment },
  );
  const [, url = ""] = await program.printed(/Listening on (http:\S+) with/);
  const ask = async (
    path: string,
    headers: Record<string, string> = {},
  ): Promise<number> => {
    const answer = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  await until("data", async () => (await ask("/readyz")) === 200);
  return { program, url, ask };
}

/** An NPI of the demo data. */
async function knownNpi(url: string): Promise<string> {
  const answer = await fetch(`${url}/v1/providers/search?limit=1`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const [npi = ""] = /\b[12]\d{9}\b/.exec(await answer.text()) ?? [];
  return npi;
}

suite("with OTEL_EXPORTER_OTLP_ENDPOINT,", () => {
  test("each answer is a server span of its route, in the caller's trace, without key, query, path, or client", async () => {
    await using collector = await startOtlpReceiver();
    const { ask, program, url } = await serve({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_HEADERS: "x-test=token-of-operator",
      OTEL_METRICS_EXPORTER: "none",
      OTEL_BSP_SCHEDULE_DELAY: "50",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    });
    await using _program = program;
    const npi = await knownNpi(url);
    const traceparent = `00-${TRACE}-${SPAN}-01`;
    const headers = {
      traceparent,
      tracestate: "vendor=value",
      "user-agent": "secret-agent",
    };
    assert.equal(await ask(`/v1/providers/${npi}`, headers), 200);
    assert.equal(
      await ask("/v1/providers/search?last_name=zebedee", headers),
      200,
    );
    assert.equal(await ask("/nowhere/zebedee", headers), 404);
    const ofTrace = () =>
      collector.spans.filter(({ traceId }) => traceId === TRACE);
    await until("three spans of the trace", () => ofTrace().length === 3);
    const facts = ofTrace().map(
      ({ attributes, kind, name, parentSpanId, traceState }) => {
        assert.equal(parentSpanId, SPAN);
        assert.equal(traceState, "vendor=value");
        assert.equal(kind, 2);
        return [name, attributes];
      },
    );
    const common = {
      "http.request.method": "GET",
      "network.protocol.version": "1.1",
      "url.scheme": "http",
    };
    assert.deepEqual(facts, [
      [
        "GET /v1/providers/:npi",
        {
          ...common,
          "http.response.status_code": 200,
          "http.route": "/v1/providers/:npi",
        },
      ],
      [
        "GET /v1/providers/search",
        {
          ...common,
          "http.response.status_code": 200,
          "http.route": "/v1/providers/search",
        },
      ],
      ["GET", { ...common, "http.response.status_code": 404 }],
    ]);
    const [span] = ofTrace();
    assert.ok(span !== undefined && span.ms >= 0 && span.ms < 60_000);
    const { "service.instance.id": instance, ...resource } = span.resource;
    assert.match(String(instance), /^[0-9a-f-]{36}$/);
    assert.equal(resource["service.name"], "provider-directory");
    assert.equal(resource["provider_directory.node"], "node-a");
    assert.equal(resource["deployment.environment.name"], "test");
    assert.equal(resource["telemetry.sdk.name"], "opentelemetry");
    assert.ok(
      !Object.keys(resource).some((name) => name.startsWith("process")),
    );
    assert.deepEqual(collector.tokens, new Set(["token-of-operator"]));
    assert.equal(collector.metrics.size, 0);
    for (const secret of [key, npi, "zebedee", "secret-agent", "127.0.0.1"])
      assert.ok(!collector.received.includes(secret), secret);

    // The log has the ids of the spans.
    program.kill("SIGTERM");
    const { code, out } = await program.ended();
    assert.equal(code, 0);
    const logged = out
      .split("\n")
      .filter((line) => line.includes(TRACE))
      .map((line): string => JSON.parse(line).span_id);
    assert.deepEqual(
      logged,
      ofTrace().map(({ spanId }) => spanId),
    );
  });

  fullTest(
    "the sampler of OTEL_TRACES_SAMPLER decides, and errors of the service are marked",
    async () => {
      await using collector = await startOtlpReceiver();
      const { ask, program } = await serve({
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0",
        OTEL_METRICS_EXPORTER: "none",
        DRAIN_DELAY: "1",
      });
      await using _program = program;
      await ask("/v1/status", {
        traceparent: `00-${"1".repeat(32)}-${SPAN}-00`,
      });
      await ask("/v1/status");
      program.kill("SIGTERM");
      await until("/readyz to fail", async () => {
        const traceparent = `00-${TRACE}-${SPAN}-01`;
        return (await ask("/readyz", { traceparent })) === 503;
      });
      assert.equal((await program.ended()).code, 0);
      // What waited was sent when the service stopped.
      assert.deepEqual(
        [...new Set(collector.spans.map(({ traceId }) => traceId))],
        [TRACE],
      );
      const last = collector.spans.at(-1);
      assert.equal(last?.status, 2);
      assert.equal(last?.attributes["error.type"], "503");
    },
  );

  test("the metrics are those of /metrics, histograms included", async () => {
    await using collector = await startOtlpReceiver();
    const { ask, program } = await serve({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_TRACES_EXPORTER: "none",
      OTEL_METRIC_EXPORT_INTERVAL: "200",
      METRICS: "127.0.0.1:0",
    });
    await using _program = program;
    for (let times = 0; times < 3; times++)
      await ask("/v1/providers/search?limit=1");
    const valueOf = (
      name: string,
      attributes: ReceivedPoint["attributes"] = {},
    ): unknown =>
      collector.metrics
        .get(`provider_directory_${name}`)
        ?.points.find(({ attributes: each }) =>
          Object.entries(attributes).every(
            ([label, value]) => each[label] === value,
          ),
        )?.value;
    await until(
      "the answers",
      () =>
        valueOf("answers_total", { operation: "search", status: "200" }) === 3,
    );
    assert.equal(
      collector.metrics.get("provider_directory_answers_total")?.kind,
      "sum",
    );
    assert.equal(valueOf("workers"), 1);
    assert.equal(valueOf("node_info", { name: "node-a" }), 1);
    const times = Object(valueOf("answer_seconds", { operation: "search" }));
    assert.equal(Number(times.count), 3);
    assert.equal(times.bucketCounts.length, times.explicitBounds.length + 1);

    const [, metricsUrl = ""] = await program.printed(/Metrics: (\S+)/);
    const text = await (await fetch(metricsUrl)).text();
    const described = [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(
      ([, name, help]): [unknown, unknown] => [name, help],
    );
    assert.deepEqual(
      new Map(
        [...collector.metrics].map(([name, { description }]) => [
          name,
          description,
        ]),
      ),
      new Map(described),
    );
    assert.equal(collector.spans.length, 0);
  });

  fullTest("protobuf is the default", async () => {
    await using collector = await startOtlpReceiver();
    const { ask, program } = await serve({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: "50",
      OTEL_METRIC_EXPORT_INTERVAL: "200",
    });
    await using _program = program;
    await ask("/v1/providers/search?limit=1");
    const sent = (path: string, part: string) => () =>
      collector.protobuf.some(
        (each) => each.path === path && each.body.includes(part),
      );
    await until("a span", sent("/v1/traces", "GET /v1/providers/search"));
    await until(
      "metrics",
      sent("/v1/metrics", "provider_directory_answer_seconds"),
    );
  });

  fullTest(
    "a collector that never answers delays neither answers nor the stop, and is logged",
    async () => {
      const server = createServer(() => undefined);
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = Object(server.address());
      const { ask, program } = await serve({
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        OTEL_EXPORTER_OTLP_TIMEOUT: "500",
        OTEL_BSP_SCHEDULE_DELAY: "50",
      });
      await using _program = program;
      assert.equal(await ask("/v1/status"), 200);
      await program.printed(/cannot send telemetry/);
      assert.equal(await ask("/v1/status"), 200);
      program.kill("SIGTERM");
      assert.equal((await program.ended()).code, 0);
      server.closeAllConnections();
      server.close();
    },
  );

  fullTest(
    "a collector that accepts and never answers delays the stop by two seconds, not by its timeout",
    async () => {
      const paths = new Set<string | undefined>();
      const server = createServer(({ url }) => void paths.add(url));
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = Object(server.address());
      const { ask, program } = await serve({
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        OTEL_EXPORTER_OTLP_TIMEOUT: "600000",
        OTEL_METRIC_EXPORT_TIMEOUT: "600000",
        OTEL_METRIC_EXPORT_INTERVAL: "600000",
        OTEL_BSP_SCHEDULE_DELAY: "50",
      });
      await using _program = program;
      assert.equal(await ask("/v1/status"), 200);
      await until("spans on their way", () => paths.has("/v1/traces"));
      const beganMs = performance.now();
      program.kill("SIGTERM");
      assert.equal((await program.ended()).code, 0);
      // Workers were ended by force after 12 seconds, and the process after the timeout.
      assert.ok(performance.now() - beganMs < 9_000);
      assert.ok(paths.has("/v1/metrics"));
      server.closeAllConnections();
      server.close();
    },
  );

  test("values that the program can't honor stop it with a sentence", async () => {
    const faults: [string, string, RegExp][] = [
      ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", /must be one of http\/protobuf/],
      ["OTEL_TRACES_EXPORTER", "zipkin", /must be one of otlp, none/],
      ["OTEL_TRACES_SAMPLER", "jaeger_remote", /must be one of always_on/],
      ["OTEL_TRACES_SAMPLER_ARG", "2", /must be a number from 0 to 1/],
      ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317", /must be an http/],
    ];
    for (const [name, value, problem] of faults) {
      const { code, err } = await runProgram(
        ["serve", "--data-dir", demo.path],
        {
          environment: {
            OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
            OTEL_TRACES_SAMPLER: "traceidratio",
            [name]: value,
          },
        },
      );
      assert.equal(code, 2, name);
      assert.match(err, problem);
      assert.match(err, new RegExp(`: ${name} must`));
    }
    assert.match(await succeed(["serve", "--help"]), /OTEL_ variables, see/);
  });
});

fullTest("without OTEL_EXPORTER_OTLP_ENDPOINT, nothing is sent", async () => {
  await using collector = await startOtlpReceiver();
  const { ask, program } = await serve({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: "50",
  });
  await using _program = program;
  assert.equal(await ask("/v1/status"), 200);
  program.kill("SIGTERM");
  const { code, out } = await program.ended();
  assert.equal(code, 0);
  assert.equal(collector.received, "");
  assert.doesNotMatch(out, /span_id/);
});
