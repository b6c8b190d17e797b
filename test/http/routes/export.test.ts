import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import test from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { ExportParameters } from "../../../src/contract/parameters.ts";
import {
  sendRows,
  type Cut,
  type Pace,
} from "../../../src/http/exports/send-rows.ts";
import { turnsOf } from "../../../src/http/limits/fair-queue.ts";
import { AccountShares } from "../../../src/http/limits/account-share.ts";
import type { AnswerFacts } from "../../../src/http/pipeline/request-log.ts";
import { rowFormat } from "../../../src/search/render/row-formats.ts";
import { rounds } from "../../support/pure/full-run.ts";
import { badParameters, errorOf } from "../../support/pure/http-error.ts";
import { until } from "../../support/pure/until.ts";
import { inventedNpi } from "../../support/pure/registry/invented-npi.ts";
import { rawRow } from "../../support/pure/registry/raw-row.ts";
import {
  FULL,
  people,
  SmallRegistry,
} from "../../support/pure/registry/small-registry.ts";
import { csvRows } from "../../support/pure/reference/csv-records.ts";
import { issueKey } from "../../support/app/accounts-installation.ts";
import {
  CROWD,
  organizations,
  sampleDirectory,
} from "../../support/pure/engine/sample-directory.ts";
import {
  startHttpService,
  type HttpService,
} from "../../support/app/http-service.ts";

const EXPORT = "/v1/providers/export";
/** The sample's providers. */
const ALL = CROWD + 6;
/** More than the buffers of a connection take. */
const MANY = rounds(60_000, 25_000);

let many: ReturnType<typeof organizations> | null = null;

/** A directory whose export doesn't fit in buffers. */
function manyProviders() {
  return (many ??= organizations(MANY, (number) => ({
    organization: `INVENTED CLINIC ${number} ${"OF EXAMPLE ".repeat(20)}`,
  })));
}

test("an export has all records of a search, in its order, with the total", async () => {
  await using service = await startHttpService();
  const answer = await service.get(`${EXPORT}?state=il`);
  assert.equal(answer.statusCode, 200);
  assert.equal(
    answer.headers["content-type"],
    "application/x-ndjson; charset=utf-8",
  );
  const { data, meta } = (
    await service.get("/v1/providers/search?state=il&limit=100")
  ).json();
  assert.equal(answer.headers["x-total-count"], String(meta.total));
  const lines = answer.body.split("\n");
  assert.equal(lines.length, meta.total + 1);
  assert.equal(lines.at(-1), "");
  assert.deepEqual(
    lines.slice(0, 100).map((line): unknown => JSON.parse(line).npi),
    data.map(({ npi }: { npi: string }) => npi),
  );
  const [first = ""] = lines;
  const { npi } = JSON.parse(first);
  const looked = await service.get(`/v1/providers/${npi}`);
  assert.deepEqual(JSON.parse(first), looked.json().data);
  assert.equal(answer.headers.snapshot, looked.headers.snapshot);
  assert.equal(
    answer.headers["content-disposition"],
    'attachment; filename="providers-20261116T031500000Z.ndjson"',
  );
});

test("JSON Lines are the lines of NDJSON with another type and file name, and take no columns", async () => {
  await using service = await startHttpService();
  for (const query of ["state=il", "state=MO&include=all", "name=zzzz"]) {
    const ndjson = await service.get(`${EXPORT}?${query}`);
    const answer = await service.get(`${EXPORT}?${query}&format=JSONL`);
    assert.equal(answer.statusCode, 200, answer.body);
    assert.equal(answer.body, ndjson.body);
    assert.equal(
      answer.headers["content-type"],
      "application/jsonl; charset=utf-8",
    );
    assert.equal(
      answer.headers["content-disposition"],
      'attachment; filename="providers-20261116T031500000Z.jsonl"',
    );
    assert.equal(
      answer.headers["x-total-count"],
      ndjson.headers["x-total-count"],
    );
  }
  const refused = await service.get(`${EXPORT}?format=jsonl&columns=npi`);
  assert.equal(refused.statusCode, 400);
  assert.deepEqual(badParameters(refused.body), ["columns invalid_parameter"]);
});

test("an export by name has the order of the search by name", async () => {
  await using service = await startHttpService();
  const search = "/v1/providers/search?state=il&sort=name&limit=100";
  const [first, second] = [
    (await service.get(search)).json(),
    (await service.get(`${search}&page=2`)).json(),
  ];
  const { body } = await service.get(`${EXPORT}?state=il&sort=name`);
  assert.deepEqual(
    body
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line).npi),
    [...first.data, ...second.data].map(({ npi }: { npi: string }) => npi),
  );
});

test("an export is also CSV, compressed, or only a head", async () => {
  await using service = await startHttpService();
  const csv = await service.get(`${EXPORT}?format=CSV&state=MO`);
  assert.equal(
    csv.headers["content-type"],
    "text/csv; charset=utf-8; header=present",
  );
  assert.match(
    csv.body,
    /^npi,entity_type,[^\n]*country\r\n\d{10},[^\n]*\r\n$/,
  );
  const zipped = await service.get(EXPORT, { "accept-encoding": "br, gzip" });
  assert.equal(zipped.headers["content-encoding"], "gzip");
  const plain = await service.get(EXPORT);
  assert.equal(gunzipSync(zipped.rawPayload).toString(), plain.body);
  const refused = await service.get(EXPORT, { "accept-encoding": "gzip;q=0" });
  assert.equal(refused.headers["content-encoding"], undefined);
  const head = await service.ask({
    method: "HEAD",
    url: EXPORT,
    headers: { authorization: `Bearer ${service.paidKey}` },
  });
  assert.equal(head.statusCode, 200);
  assert.equal(head.body, "");
  assert.equal(head.headers["x-total-count"], String(ALL));
  const none = await service.get(`${EXPORT}?name=zzzz`);
  assert.equal(none.body, "");
  assert.equal(none.headers["x-total-count"], "0");
});

test("include adds details to lines, and not to tables", async () => {
  await using service = await startHttpService();
  const answer = await service.get(`${EXPORT}?state=MO&include=identifiers`);
  assert.equal(JSON.parse(answer.body).identifiers.length, 2);
  const csv = await service.get(`${EXPORT}?format=csv&include=identity`);
  assert.deepEqual(badParameters(csv.body), ["include invalid_parameter"]);
  for (const [query, parameter] of [
    ["format=xml", "format"],
    ["limit=5", "limit"],
    ["page=1", "page"],
    ["state=XX", "state"],
  ] as const)
    assert.deepEqual(
      badParameters((await service.get(`${EXPORT}?${query}`)).body),
      [`${parameter} invalid_parameter`],
    );
  const gone = await service.get(`${EXPORT}?snapshot=20200101T000000000Z`);
  assert.equal(errorOf(gone.body).code, "snapshot_gone");
});

test("a request names the columns of CSV, each once; anything else is refused with the possible names", async () => {
  await using service = await startHttpService();
  const ask = (query: string) => service.get(`${EXPORT}?state=il&${query}`);
  const answer = await ask("format=csv&columns=zip5,%20NPI,last_updated");
  assert.equal(answer.statusCode, 200, answer.body);
  const whole = csvRows((await ask("format=csv")).body);
  const rows = csvRows(answer.body);
  assert.ok(answer.body.startsWith("zip5,npi,last_updated\r\n"));
  assert.deepEqual(
    rows,
    whole.map(({ last_updated, npi, postal_code = "" }) => ({
      zip5: postal_code.slice(0, 5),
      npi,
      last_updated,
    })),
  );
  for (const [query, says] of [
    ["format=csv&columns=npi,telephone", /: npi, .*country, zip5, zip, phone/],
    ["format=csv&columns=npi,NPI", /each at most once: npi/],
    ["columns=npi", /columns chooses the columns of CSV/],
  ] as const) {
    const refused = await ask(query);
    assert.equal(refused.statusCode, 400, query);
    assert.deepEqual(badParameters(refused.body), [
      "columns invalid_parameter",
    ]);
    assert.match(refused.body, says);
  }
  using registry = new SmallRegistry();
  await registry.import(FULL, people(2), { details: new Set(["taxonomies"]) });
  using directory = registry.directory();
  service.data.directory = directory;
  const held = await service.get(
    `${EXPORT}?format=csv&columns=npi,taxonomy_codes`,
  );
  assert.equal(held.statusCode, 200, held.body);
  const missing = await service.get(`${EXPORT}?format=csv&columns=npi,phone`);
  const { code, param } = errorOf(missing.body);
  assert.deepEqual([code, param], ["details_not_held", "columns"]);
});

test("an export counts one answer per 100 rows begun, and a 304 to its tag none", async () => {
  await using service = await startHttpService();
  const before = left(await service.get("/v1/providers/search?limit=1"));
  const whole = await service.get(EXPORT);
  assert.equal(before - left(whole), 2);
  const one = await service.get(`${EXPORT}?state=MO`);
  assert.equal(left(whole) - left(one), 1);
  const empty = await service.get(`${EXPORT}?name=zzzz`);
  assert.equal(left(one) - left(empty), 1);
  const same = await service.get(EXPORT, {
    "if-none-match": String(whole.headers.etag),
  });
  assert.equal(same.statusCode, 304);
  assert.equal(left(same), left(empty));
  const other = await service.get(`${EXPORT}?format=csv`, {
    "if-none-match": String(whole.headers.etag),
  });
  assert.equal(other.statusCode, 200);
  const since = await service.get(EXPORT, {
    "if-modified-since": String(whole.headers["last-modified"]),
  });
  assert.equal(since.statusCode, 304);
  assert.equal(left(other) - left(since), 1);
});

test("an export that the month does not allow is refused as a whole", async () => {
  await using service = await startHttpService();
  service.data.directory = await manyProviders();
  const headers = { authorization: `Bearer ${service.freeKey}` };
  const before = await service.ask({ url: "/v1/providers/search", headers });
  const remaining = left(before);
  assert.ok(remaining < MANY / 100 + 1000);
  const limit = Number(before.headers["x-ratelimit-limit"]);
  const takes = Math.ceil(MANY / 100);
  for (let rest = remaining; rest >= takes; rest -= takes) {
    service.installation.clock.nowMs += 1_000;
    const head = await service.ask({ url: `${EXPORT}?format=csv`, headers });
    assert.equal(head.statusCode, 200);
  }
  service.installation.clock.nowMs += 1_000;
  const refused = await service.ask({ url: EXPORT, headers });
  assert.equal(refused.statusCode, 429);
  const { code, message } = errorOf(refused.body);
  assert.equal(code, "quota_exceeded");
  assert.ok(
    message.startsWith(
      `This request counts as ${takes}, and only ${remaining % takes} of ${limit} are left this month.`,
    ),
  );
  assert.equal(left(refused), remaining % takes);
});

test("a client that goes away ends the work, and its slot is free again", async () => {
  const lines: AnswerFacts[] = [];
  await using service = await startHttpService({
    answerLog: (facts) => lines.push(facts),
  });
  service.data.directory = await manyProviders();
  const clients = await Promise.all(
    Array.from({ length: 4 }, () => begin(service)),
  );
  const fifth = await service.get(EXPORT);
  assert.equal(fifth.statusCode, 429);
  assert.equal(errorOf(fifth.body).code, "too_many_at_once");
  assert.equal(fifth.headers["retry-after"], "10");
  lines.length = 0;
  for (const client of clients) client.destroy();
  await until("the exports to end", () => lines.length === 4);
  for (const { cut, rows, status } of lines) {
    assert.equal(status, 200);
    assert.equal(cut, "client_gone");
    assert.ok(rows !== undefined && rows < MANY);
  }
  const again = await service.get(`${EXPORT}?format=csv`);
  assert.equal(again.statusCode, 200);
  await until("the log line", () => lines.length === 5);
  assert.deepEqual([lines.at(-1)?.rows, lines.at(-1)?.cut], [MANY, undefined]);
});

test("an export goes on with its snapshot after a swap, until that is released", async () => {
  const lines: AnswerFacts[] = [];
  await using service = await startHttpService({
    answerLog: (facts) => lines.push(facts),
  });
  const first = await sampleDirectory({
    rows: Array.from({ length: MANY }, (_, index) =>
      rawRow({
        npi: inventedNpi(210_000_000 + index),
        entityType: "1",
        last: `EXAMPLE ${index} ${"LONG ".repeat(40)}`,
      }),
    ),
  });
  service.data.directory = first;
  const slow = await begin(service, `${EXPORT}?include=identity`);
  const cutOff = await begin(service, `${EXPORT}?include=identity`);
  service.data.directory = await manyProviders();
  first[Symbol.dispose]();
  const text = await restOf(slow);
  assert.equal(text.match(/"last":"EXAMPLE /g)?.length, MANY);
  assert.ok(text.endsWith("\r\n0\r\n\r\n"));
  first.expirePins();
  await first.closed();
  await until("the log line", () => lines.length === 2);
  assert.equal(lines[1]?.cut, "released");
  cutOff.destroy();
});

test("an export whose details cannot be read is cut, not ended", async () => {
  await using service = await startHttpService();
  const directory = await sampleDirectory();
  service.data.directory = directory;
  const find = directory.lookup.find(inventedNpi(200_000_001), ["identity"]);
  assert.notEqual(find, null);
  directory[Symbol.dispose]();
  const client = await request(service, `${EXPORT}?include=identity`);
  await assert.rejects(restOf(client), { code: "ECONNRESET" });
});

test("a worker runs 16 exports at the same time, and 4 of an account", async () => {
  await using service = await startHttpService();
  service.data.directory = await manyProviders();
  const keys = [service.paidKey];
  for (let account = 1; account < 5; account++)
    keys.push(
      await issueKey(
        service.installation.accounts,
        `reader${account}@clinic.example`,
        "paid",
      ),
    );
  const clients: Socket[] = [];
  for (const key of keys)
    for (let reader = 0; reader < 5; reader++)
      clients.push(await begin(service, EXPORT, key));
  const answers = clients.map((client) => String(client.read()));
  assert.deepEqual(
    answers.map((answer) => answer.split(" ")[1]),
    keys.flatMap((_, account) =>
      account < 4
        ? ["200", "200", "200", "200", "429"]
        : // It displaces one reader, as it has no export yet.
          ["200", "503", "503", "503", "503"],
    ),
  );
  for (const answer of answers)
    if (!answer.startsWith("HTTP/1.1 200"))
      assert.match(answer, /\r\nretry-after: 10\r\n/);
  for (const client of clients) client.destroy();
});

test("a client that stops to read is cut off", async () => {
  await using exporting = await startExporting({
    stalledMs: 200,
    bytesPerSecond: 1,
    behindMs: Infinity,
  });
  const { client, cuts } = exporting;
  await until("the export to end", () => cuts.length === 1);
  assert.deepEqual(cuts, ["stalled"]);
  await assert.rejects(restOf(client), { code: "ECONNRESET" });
});

test("a client that reads too slowly is cut off, although it never stops", async () => {
  await using exporting = await startExporting({
    stalledMs: 600_000,
    bytesPerSecond: 1e12,
    behindMs: 100,
  });
  const { client, cuts } = exporting;
  let read = 0;
  await until("the export to end", () => {
    read += client.read()?.length ?? 0;
    return cuts.length === 1;
  });
  assert.ok(read > 0);
  assert.deepEqual(cuts, ["stalled"]);
});

test("a client may read slowly as long as it keeps the pace", async () => {
  await using exporting = await startExporting({
    stalledMs: 600_000,
    bytesPerSecond: 1_000_000,
    // Much less than the whole takes at this pace.
    behindMs: 10_000,
  });
  const { client, cuts } = exporting;
  let pauses = 0;
  for await (const _piece of client) if (pauses++ % 50 === 0) await nextTurn();
  assert.deepEqual(cuts, [null]);
});

test("no parameter puts a header into the answer", async () => {
  await using service = await startHttpService();
  const injected = encodeURIComponent("\r\nX-Injected: 1\r\n\r\n");
  const names = Object.keys(ExportParameters.properties);
  for (const name of names) {
    const answer = await service.get(`${EXPORT}?${name}=${injected}`);
    assert.equal(answer.headers["x-injected"], undefined, name);
    assert.ok([200, 400].includes(answer.statusCode), name);
    const within = await service.get(`${EXPORT}?${name}=IL${injected}`);
    assert.equal(within.headers["x-injected"], undefined, name);
  }
});

test("a key without quota gets nothing, and nothing is counted", async () => {
  await using service = await startHttpService();
  const headers = { authorization: `Bearer ${service.freeKey}` };
  const next = (url: string, method: "GET" | "HEAD" = "GET") => {
    service.installation.clock.nowMs += 1_000;
    return service.ask({ method, url, headers });
  };
  const search = "/v1/providers/search?limit=1";
  let remaining = left(await next(search));
  // An export of the sample counts as two.
  while (remaining > 0)
    remaining = left(await next(remaining > 1 ? EXPORT : search));
  for (const method of ["GET", "HEAD"] as const) {
    const refused = await next(EXPORT, method);
    assert.equal(refused.statusCode, 429);
    assert.equal(refused.headers["x-total-count"], undefined);
    assert.equal(left(refused), 0);
  }
});

/** A server of one export, and a client that has asked for it and reads nothing by itself. */
async function startExporting(pace: Pace) {
  await using owned = new AsyncDisposableStack();
  const directory = await manyProviders();
  const cuts: (Cut | null)[] = [];
  const server = createServer((_request, response) => {
    void sendRows({
      response,
      rows: directory.lookup.rows(
        directory.search.all({}),
        rowFormat("ndjson"),
      ),
      takeTurn: turnsOf(() => 0),
      compressed: false,
      workbook: null,
      pace,
      place: new AccountShares({ all: 1, account: 1 }).open(1),
      released: new AbortController().signal,
    }).then((cut) => cuts.push(cut));
  });
  owned.use(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const client = connect(address.port, "127.0.0.1");
  client.on("error", () => undefined);
  client.write(
    "GET / HTTP/1.1\r\nHost: directory.example\r\nConnection: close\r\n\r\n",
  );
  const running = owned.move();
  return { client, cuts, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function left({ headers }: { headers: Record<string, unknown> }): number {
  return Number(headers["x-ratelimit-remaining"]);
}

/** Sends a request over a connection that reads nothing by itself. */
async function request(
  service: HttpService,
  url: string,
  key = service.paidKey,
): Promise<Socket> {
  const port = await service.listen();
  service.installation.clock.nowMs += 1_000;
  const client = connect(port, "127.0.0.1");
  client.on("error", () => undefined);
  client.write(
    `GET ${url} HTTP/1.1\r\nHost: directory.example\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
  return client;
}

/** The same, once the answer has begun. */
async function begin(
  service: HttpService,
  url = EXPORT,
  key = service.paidKey,
): Promise<Socket> {
  const client = await request(service, url, key);
  await once(client, "readable");
  return client;
}

async function restOf(client: Socket): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of client) {
    assert.ok(piece instanceof Buffer);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
