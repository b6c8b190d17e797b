import assert from "node:assert/strict";
import test from "node:test";
import type { Response } from "light-my-request";
import { answerLogTo } from "../../src/server/log/log.ts";
import { startHttpService } from "../support/app/http-service.ts";
import type { HttpService } from "../support/app/http-service.ts";
import { askRaw } from "../support/pure/raw-http.ts";
import { SAMPLE } from "../support/pure/engine/sample-directory.ts";

const URL = `/v1/providers/${SAMPLE.person}`;
/** Shared by two services, so that they give the same answers. */
const TAG_SECRET = Buffer.alloc(32, 1);
const SEARCH = "/v1/providers/search";
const NEARBY = "/v1/providers/nearby";
const PAGES = [
  `${SEARCH}?state=MO`,
  `${SEARCH}?last_name=obrien&state=&limit=1`,
  `${SEARCH}?limit=1&page=2&name=O%27Brien+maria`,
  `${SEARCH}?name=nothing+like+it`,
  `${SEARCH}?snapshot=20261116T031500000Z&entity_type=organization`,
  `${NEARBY}?zip=63101`,
  `${NEARBY}?lat=38.6&lng=-90.2&radius=500&limit=2&sort=name`,
];
const SOURCE = { node: "a", thread: "test" };
/** What Node adds when it sends an answer over a connection. */
const OF_CONNECTIONS = new Set(["connection", "date", "keep-alive"]);

interface RequestParts {
  readonly url: string;
  readonly method: "GET" | "HEAD" | "OPTIONS" | "POST";
  readonly headers: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Over a connection, where rendered answers are written as bytes. */
async function askOverConnection(
  service: HttpService,
  { headers, method, url }: RequestParts,
): Promise<Answer> {
  const lines = Object.entries({ ...headers, connection: "close" }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const port = await service.listen();
  const answer = await askRaw(
    port,
    `${method} ${url} HTTP/1.1\r\n${lines.join("")}\r\n`,
  );
  return {
    status: answer.status,
    headers: comparable(answer.headers),
    body: answer.body,
  };
}

/** Without a connection, so Node writes everything. */
async function askWithoutConnection(
  service: HttpService,
  { headers, method, url }: RequestParts,
): Promise<Answer> {
  const answer = await service.ask({ url, method, headers });
  const given = Object.entries(answer.headers).map(
    ([name, value]) => [name, String(value)] as const,
  );
  return {
    status: answer.statusCode,
    headers: comparable(given),
    body: answer.rawPayload.toString("latin1"),
  };
}

function comparable(
  headers: Iterable<readonly [string, string]>,
): Record<string, string> {
  return Object.fromEntries(
    [...headers]
      .filter(([name]) => !OF_CONNECTIONS.has(name))
      .sort(([a], [b]) => a.localeCompare(b)),
  );
}

function plain(
  service: HttpService,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): RequestParts {
  const authorization = `Bearer ${service.paidKey}`;
  return {
    url,
    method: "GET",
    headers: { host: "directory.example", authorization, ...headers },
  };
}

const REQUESTS: readonly ((service: HttpService) => RequestParts)[] = [
  (service) => plain(service, URL),
  (service) => plain(service, URL, { "accept-encoding": "gzip, br" }),
  (service) => plain(service, URL, { "x-request-id": "mine" }),
  (service) => plain(service, URL, { "x-request-id": "not mine" }),
  (service) =>
    plain(service, URL, { authorization: `bEARER ${service.paidKey}` }),
  (service) =>
    plain(service, URL, { authorization: `Basic ${service.paidKey}` }),
  (service) => plain(service, URL, { authorization: "Bearer pd_live_typo" }),
  (service) => plain(service, URL, { accept: "application/problem+json" }),
  (service) => plain(service, URL, { "if-none-match": "*" }),
  (service) => plain(service, URL, { "if-none-match": '"another"' }),
  (service) =>
    plain(service, URL, {
      "if-modified-since": "Mon, 16 Nov 2026 03:15:00 GMT",
    }),
  (service) => plain(service, URL, { cookie: "x".repeat(17_000) }),
  (service) => plain(service, `${URL}?`),
  (service) => plain(service, `${URL}?limit=1`),
  (service) => plain(service, `${URL}/`),
  (service) => plain(service, URL.replace("v1", "V1")),
  (service) => plain(service, URL.replace("/1", "/%31")),
  (service) => plain(service, `${URL.slice(0, -1)}x`),
  (service) => plain(service, `${URL.slice(0, -2)}00`),
  ...Object.values(SAMPLE).map(
    (npi) => (service: HttpService) => plain(service, `/v1/providers/${npi}`),
  ),
  ...[
    ...PAGES,
    SEARCH,
    `${SEARCH}?`,
    `${SEARCH}/?state=MO`,
    `${SEARCH}?state=MO&state=MO`,
    `${SEARCH}?limit=0&unknown=1`,
    `${SEARCH}?snapshot=20001116T031500000Z`,
    `${SEARCH}?taxonomy_scope=any&taxonomy=207Q00000X`,
    `${SEARCH}?name=%ff`,
    NEARBY,
    `${NEARBY}?zip=99999`,
    `${NEARBY}?lat=38.6`,
  ].map((url) => (service: HttpService) => plain(service, url)),
  ...[
    { "accept-encoding": "gzip" },
    { "accept-encoding": "identity" },
    { accept: "text/html" },
    { "if-none-match": "*" },
    { authorization: "Bearer pd_live_typo" },
    { authorization: "" },
  ].map(
    (headers) => (service: HttpService) =>
      plain(service, `${SEARCH}?state=MO`, headers),
  ),
  (service) => ({ ...plain(service, `${SEARCH}?state=MO`), method: "HEAD" }),
  (service) => ({ ...plain(service, `${SEARCH}?state=MO`), method: "POST" }),
  (service) => ({ ...plain(service, URL), method: "HEAD" }),
  (service) => ({ ...plain(service, URL), method: "OPTIONS" }),
  (service) => ({ ...plain(service, URL), method: "POST" }),
  (service) => ({
    ...plain(service, URL),
    headers: { host: "directory.example" },
  }),
];

test("lookups and pages are the same whether they are written as bytes or by Node, whatever the request", async () => {
  await using one = await startHttpService({ tagSecret: TAG_SECRET });
  await using other = await startHttpService({ tagSecret: TAG_SECRET });
  for (const [index, request] of REQUESTS.entries()) {
    for (const { installation } of [one, other])
      installation.clock.nowMs += 1_000;
    assert.deepEqual(
      await askOverConnection(one, request(one)),
      await askWithoutConnection(other, request(other)),
      `request ${index}`,
    );
  }
});

test("every request with a key takes one token of the burst limit, whatever becomes of it", async () => {
  await using service = await startHttpService();
  const { headers: first } = await service.get(URL);
  const tag = String(first.etag);
  let left = burstLeft(first);
  for (const [url, headers, status] of [
    [URL, {}, 200],
    [URL, { "if-none-match": tag }, 304],
    [URL, { "if-none-match": "*" }, 304],
    [URL, { "accept-encoding": "gzip" }, 200],
    [`${SEARCH}?state=MO`, {}, 200],
    [`${SEARCH}?limit=0`, {}, 400],
    [`/v1/providers/${SAMPLE.absent}`, {}, 404],
    [`/v1/providers?npi=${SAMPLE.person}`, {}, 200],
    ["/v1/providers/export?state=MO", {}, 200],
    ["/api/?version=2.1&number=1", {}, 200],
  ] as const) {
    const authorization = `Bearer ${service.paidKey}`;
    const answer = await service.ask({
      url,
      headers: { authorization, ...headers },
    });
    assert.equal(answer.statusCode, status, url);
    assert.equal(burstLeft(answer.headers), --left, url);
  }
});

test("a request that the month has too few answers for takes one token and counts nothing", async () => {
  await using service = await startHttpService();
  const { clock } = service.installation;
  const authorization = `Bearer ${service.freeKey}`;
  const ask = (url: string) => {
    clock.nowMs += 1_000;
    return service.ask({ url, headers: { authorization } });
  };
  const batch = `/v1/providers?npi=${Array(400).fill(SAMPLE.person).join(",")}`;
  await ask(batch);
  await ask(batch);
  const refused = await ask(batch);
  assert.equal(refused.statusCode, 429);
  assert.match(refused.body, /"quota_exceeded"/);
  assert.equal(refused.headers["x-ratelimit-remaining"], "200");
  assert.equal(burstLeft(refused.headers), 9);
});

function burstLeft({ ratelimit }: Response["headers"]): number {
  return Number(/"burst";r=(\d+)/.exec(String(ratelimit))?.[1]);
}

test("a plain lookup without a Host is malformed like any request", async () => {
  await using service = await startHttpService();
  const { headers } = plain(service, URL);
  const { authorization = "" } = headers;
  const asked = {
    url: URL,
    method: "GET",
    headers: { authorization },
  } as const;
  const { body, status } = await askOverConnection(service, asked);
  assert.equal(status, 400);
  assert.match(body, /"malformed_request"/);
});

test("without data both are the same", async () => {
  await using one = await startHttpService({ tagSecret: TAG_SECRET });
  await using other = await startHttpService({ tagSecret: TAG_SECRET });
  for (const service of [one, other]) service.data.directory = null;
  assert.deepEqual(
    await askOverConnection(one, plain(one, URL)),
    await askWithoutConnection(other, plain(other, URL)),
  );
});

test("lookups and pages are logged alike, however they are written", async () => {
  const lines: string[] = [];
  await using service = await startHttpService({
    answerLog: answerLogTo((line) => lines.push(line), SOURCE),
  });
  for (const url of [URL, ...PAGES]) {
    const traced = plain(service, url, {
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    });
    lines.length = 0;
    await askOverConnection(service, traced);
    await askWithoutConnection(service, traced);
    assertSameFacts(lines);
  }
});

/** Two answers' lines of the log, but for what differs in each. */
function assertSameFacts(lines: readonly string[]): void {
  const facts = lines.map((line) => {
    const { ms, request_id, time, ...rest } = JSON.parse(line);
    assert.deepEqual(
      [typeof ms, typeof request_id, typeof time],
      ["number", "string", "string"],
    );
    return rest;
  });
  assert.equal(facts.length, 2);
  assert.deepEqual(facts[0], facts[1]);
  assert.equal(facts[0].trace_id, "4bf92f3577b34da6a3ce929d0e0e4736");
}
