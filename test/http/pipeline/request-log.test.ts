import assert from "node:assert/strict";
import test from "node:test";
import { pino } from "pino";
import { answerLogTo } from "../../../src/server/log/log.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { askRaw, rawGet } from "../../support/pure/raw-http.ts";
import {
  faultyDirectory,
  SAMPLE,
} from "../../support/pure/engine/sample-directory.ts";

const SOURCE = { node: "a", thread: "test" };

interface Line {
  readonly [member: string]: unknown;
}

function recorder() {
  const text: string[] = [];
  const write = (line: string) => void text.push(line);
  return {
    logger: pino({ base: { thread: "test" } }, { write }),
    answerLog: answerLogTo(write, SOURCE),
    text: () => text.join(""),
    lines: () => text.map((line): Line => JSON.parse(line)),
  };
}

test("each answer is a line with its id, route, status, time, account and parameters", async () => {
  const { answerLog, logger, lines } = recorder();
  await using service = await startHttpService({ logger, answerLog });
  await service.get("/v1/providers/search?last_name=obrien&state=MO", {
    "x-request-id": "mine",
  });
  const [line = {}, ...others] = lines();
  assert.equal(others.length, 0);
  const { time, ms, account, ...rest } = line;
  assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
  assert.equal(typeof ms, "number");
  assert.equal(typeof account, "number");
  assert.deepEqual(rest, {
    level: 30,
    node: "a",
    thread: "test",
    request_id: "mine",
    method: "GET",
    route: "/v1/providers/search",
    status: 200,
    key: "valid",
    params: ["last_name", "state"],
    msg: "answered",
  });
});

test("a request id with an API key in it is replaced in header, log, trace, and error", async () => {
  const { answerLog, logger, text } = recorder();
  const traced: unknown[] = [];
  await using service = await startHttpService({
    logger,
    answerLog,
    answerTracer(answer) {
      traced.push(answer);
      return { traceId: "1".repeat(32), spanId: "2".repeat(16) };
    },
  });
  const key = service.paidKey;
  const random = key.slice("pd_live_".length);
  for (const id of [
    key,
    `trace-${key}`,
    `${key}/1`,
    `a.${key}=b`,
    key.slice(0, -1),
    `${key}0`,
    `PD_LIVE_${random}`,
  ])
    for (const url of ["/v1/providers/search?limit=1", "/v1/nowhere"]) {
      const { body, headers } = await service.get(url, { "x-request-id": id });
      assert.match(String(headers["x-request-id"]), /^test-\d+$/, id);
      assert.ok(!JSON.stringify([body, headers]).includes(random.slice(0, -1)));
    }
  assert.equal(traced.length, 14);
  assert.ok(!JSON.stringify(traced).includes(random.slice(0, -1)));
  assert.ok(!text().includes(random.slice(0, -1)));
});

test("the line of a request with a valid traceparent has its trace", async () => {
  const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  const SPAN = "00f067aa0ba902b7";
  const { answerLog, logger, lines } = recorder();
  await using service = await startHttpService({ logger, answerLog });
  const cases: [traceparent: string, trace: string | undefined][] = [
    [`00-${TRACE}-${SPAN}-01`, TRACE],
    [`00-${TRACE}-${SPAN}-00`, TRACE],
    // A later version may add fields.
    [`01-${TRACE}-${SPAN}-01-more`, TRACE],
    [`00-${TRACE}-${SPAN}-01-more`, undefined],
    [`ff-${TRACE}-${SPAN}-01`, undefined],
    [`00-${"0".repeat(32)}-${SPAN}-01`, undefined],
    [`00-${TRACE}-${"0".repeat(16)}-01`, undefined],
    [`00-${TRACE.toUpperCase()}-${SPAN}-01`, undefined],
    [`00-${TRACE}-${SPAN}`, undefined],
    [`00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`, undefined],
    [`01-${TRACE}-${SPAN}-01-${"x".repeat(300)}`, undefined],
    ["", undefined],
  ];
  for (const [traceparent] of cases)
    await service.get("/v1/status", { traceparent });
  assert.deepEqual(
    lines().map((line) => line["trace_id"]),
    cases.map(([, trace]) => trace),
  );
});

test("keys, parameter values and unknown names are never logged", async () => {
  const { answerLog, logger, text, lines } = recorder();
  await using service = await startHttpService({ logger, answerLog });
  const port = await service.listen();
  const { paidKey } = service;
  const secrets = [
    "zebedee",
    paidKey,
    paidKey.slice(10, 30),
    "Bearer",
    SAMPLE.absent,
  ];
  await service.get("/v1/providers/search?name=zebedee&first_name=zebedee");
  await service.get("/v1/providers/search?organization=zebedee&limit=0");
  await service.get(`/v1/providers/search?zebedee=1&${paidKey}=1`);
  await service.get(`/v1/providers/${SAMPLE.absent}?api_key=${paidKey}`);
  await service.get("/v1/providers/search?name=zebedee%ff");
  await service.get("/zebedee");
  await service.get("/%ff/zebedee");
  await service.ask({
    url: "/v1/providers/search",
    headers: { authorization: `Basic ${paidKey}` },
  });
  await askRaw(port, rawGet(`/zebedee ${paidKey}`));
  assert.ok(lines().length >= 9);
  for (const secret of secrets) assert.ok(!text().includes(secret), secret);
});

test("the line says why a key was rejected", async () => {
  const { answerLog, logger, lines } = recorder();
  await using service = await startHttpService({ logger, answerLog });
  const url = `/v1/providers/${SAMPLE.person}`;
  await service.ask({ url });
  await service.ask({ url, headers: { authorization: "Bearer typo" } });
  await service.installation.accounts.keys.revoke(service.freeKey);
  await service.ask({
    url,
    headers: { authorization: `Bearer ${service.freeKey}` },
  });
  await service.ask({ url: "/healthz" });
  assert.deepEqual(
    lines().map(({ key, account }) => [key, account]),
    [
      ["missing", null],
      ["malformed", null],
      ["revoked", null],
      [null, null],
    ],
  );
});

test("internal errors are logged with their cause, under the request id that the client gets", async () => {
  const { answerLog, logger, lines } = recorder();
  await using service = await startHttpService({ logger, answerLog });
  service.data.directory = faultyDirectory(service.data.directory);
  const { headers } = await service.get(`/v1/providers/${SAMPLE.person}`);
  const failure = lines().find(({ msg }) => msg === "failed");
  assert.equal(failure?.["request_id"], headers["x-request-id"]);
  assert.equal(failure?.["level"], 50);
  assert.match(
    String(Reflect.get(Object(failure?.["err"]), "stack")),
    /\n +at /,
  );
});
