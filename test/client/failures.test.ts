import assert from "node:assert/strict";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { test } from "node:test";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import {
  ApiError,
  BadRequestError,
  ConnectionError,
  IncompleteError,
  ProviderDirectory,
  QuotaExceededError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnavailableError,
  UnexpectedResponseError,
  type ClientOptions,
} from "../../packages/client/src/index.ts";

/** What lies between a client and a service, and misbehaves: it gives each request the next response. */
class Misbehaving implements AsyncDisposable {
  readonly requests: IncomingMessage[] = [];
  readonly #server = createServer((request, response) => {
    this.requests.push(request);
    const next = this.#responses.shift();
    if (next === undefined) response.writeHead(500).end();
    else next(request, response);
  });
  #responses: RequestListener[] = [];

  /** Listens, and returns a client. */
  async client(
    responses: RequestListener[],
    options: Partial<ClientOptions> = {},
  ): Promise<ProviderDirectory> {
    this.#responses = responses;
    this.requests.length = 0;
    if (!this.#server.listening) {
      this.#server.listen(0, "127.0.0.1");
      await once(this.#server, "listening");
    }
    return new ProviderDirectory({
      baseUrl: this.url,
      apiKey: KEY,
      ...options,
    });
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error();
    return `http://127.0.0.1:${address.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    if (this.#server.listening) await once(this.#server, "close");
  }
}

const KEY = "pd_live_invented";
const NPI = "1234567893";
const NAME = "providers.parquet";
const FILE = { snapshot: "20261116T031500000Z", name: NAME };

function failing(
  status: number,
  code: string | null,
  headers: Record<string, string> = {},
): RequestListener {
  const body =
    code === null
      ? "<h1>Bad gateway</h1>"
      : JSON.stringify({ error: { code, message: `It is ${code}.`, status } });
  return (_, response) => response.writeHead(status, headers).end(body);
}

const found: RequestListener = (_, response) =>
  response.end(JSON.stringify({ data: { npi: NPI }, meta: {} }));

const broken: RequestListener = ({ socket }) => socket.destroy();

/** Sends no response. */
const silent: RequestListener = () => undefined;

/** Sends a file, and calls `then` with the response instead of ending it. */
function sending(
  headers: Record<string, string | number>,
  body: string | Uint8Array,
  then: (response: ServerResponse) => void = (response) => response.end(),
): RequestListener {
  return (_, response) => {
    response.writeHead(200, headers);
    response.write(body, () => then(response));
  };
}

function cut({ socket }: ServerResponse): void {
  socket?.destroy();
}

async function read(rows: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of rows) count++;
  return count;
}

test("a request is sent again, twice at most, where that is safe and helps", async () => {
  await using server = new Misbehaving();
  const helped: RequestListener[][] = [
    [failing(503, "service_busy", { "retry-after": "0" }), broken, found],
    [failing(429, "rate_limit_exceeded", { "retry-after": "0" }), found],
    [failing(502, null), found],
    [failing(504, null), found],
    [sending({ "content-length": 99 }, "{", cut), found],
  ];
  for (const responses of helped) {
    const { length } = responses;
    const client = await server.client(responses);
    assert.equal((await client.providers.get(NPI)).npi, NPI);
    assert.equal(server.requests.length, length);
  }
  const lasting: [RequestListener, typeof ApiError][] = [
    [
      failing(429, "quota_exceeded", { "retry-after": "1" }),
      QuotaExceededError,
    ],
    [
      failing(429, "rate_limit_exceeded", { "retry-after": "3600" }),
      RateLimitError,
    ],
    [
      failing(503, "data_not_loaded", { "retry-after": "31" }),
      UnavailableError,
    ],
    [failing(500, "internal_error"), ServerError],
    [failing(418, null), ApiError],
    [failing(400, "constructor"), BadRequestError],
  ];
  for (const [response, Expected] of lasting) {
    const client = await server.client([response, found]);
    await assert.rejects(client.providers.get(NPI), Expected);
    assert.equal(server.requests.length, 1);
  }
  const busy = failing(503, "service_busy", { "retry-after": "0" });
  let client = await server.client([busy, busy, busy, found]);
  await assert.rejects(client.providers.get(NPI), UnavailableError);
  assert.equal(server.requests.length, 3);
  client = await server.client([busy, found], { maxRetries: 0 });
  await assert.rejects(client.providers.get(NPI), (error) => {
    assert.ok(error instanceof UnavailableError);
    assert.equal(error.retryAfter, 0);
    assert.equal(error.message, "It is service_busy.");
    return true;
  });
});

test("an export is sent again only if the service said that it counted nothing", async () => {
  await using server = new Misbehaving();
  const busy = failing(503, "service_busy", { "retry-after": "0" });
  const rows = sending({ "x-total-count": 1 }, `{"npi":"${NPI}"}\n`);
  let client = await server.client([busy, rows]);
  assert.equal(await read(client.providers.export({})), 1);
  for (const [response, Expected] of [
    [broken, ConnectionError],
    [failing(502, null), ServerError],
    [failing(503, null), UnavailableError],
  ] as const) {
    client = await server.client([response, rows]);
    await assert.rejects(read(client.providers.export({})), Expected);
    assert.equal(server.requests.length, 1);
  }
});

test("a cut export never ends as if it were complete", async () => {
  await using server = new Misbehaving();
  const line = `{"npi":"${NPI}"}\n`;
  const total = { "x-total-count": 3 };
  const csv = { ...total, "content-type": "text/csv; charset=utf-8" };
  const gzip = { ...total, "content-encoding": "gzip" };
  const half = gzipSync(line.repeat(3)).subarray(0, -12);
  const records: [RequestListener, typeof ConnectionError][] = [
    [sending(total, line + line, cut), ConnectionError],
    [sending({ ...total, "content-length": 999 }, line, cut), ConnectionError],
    // A proxy ended what was cut as if it were whole.
    [sending(total, line + line), IncompleteError],
    [sending(total, line + line + line.trim()), IncompleteError],
    [sending({}, line), UnexpectedResponseError],
  ];
  for (const [response, Expected] of records) {
    const client = await server.client([response]);
    await assert.rejects(read(client.providers.export({})), Expected);
  }
  const zipped = await server.client([sending(gzip, half)]);
  await assert.rejects(read(zipped.providers.export({})));
  const table = 'npi,name\r\n1,"A\r\n""B"", C"\r\n2,D\r\n';
  for (const [text, isWhole] of [
    [`${table}3,"\r\n"\r\n`, true],
    [table, false],
    [`${table}3,"\r\n`, false],
    ["", false],
  ] as const) {
    const client = await server.client([sending(csv, text)]);
    const body = client.providers.export({ format: "csv" }).stream();
    const whole = new Response(await body).text();
    if (isWhole) assert.equal(await whole, text);
    else await assert.rejects(whole, IncompleteError);
  }
});

test("a signal and a timeout end a call, a wait, and a stream", async () => {
  await using server = new Misbehaving();
  const reason = new Error("No longer needed.");
  const own = (error: unknown) => error === reason;
  const aborted = AbortSignal.abort(reason);
  let client = await server.client([found]);
  await assert.rejects(client.providers.get(NPI, {}, { signal: aborted }), own);
  assert.equal(server.requests.length, 0);

  let end = new AbortController();
  client = await server.client([() => end.abort(reason)]);
  let signal = end.signal;
  await assert.rejects(client.providers.get(NPI, {}, { signal }), own);

  end = new AbortController();
  ({ signal } = end);
  client = await server.client([
    (request, response) => {
      failing(503, "service_busy", { "retry-after": "30" })(request, response);
      response.once("close", () => setImmediate(() => end.abort(reason)));
    },
  ]);
  await assert.rejects(client.providers.get(NPI, {}, { signal }), own);
  assert.equal(server.requests.length, 1);

  client = await server.client([silent, found]);
  // Long enough for the request to arrive, and for a first row, on a busy machine.
  const short = { timeoutMs: 1_000 };
  await assert.rejects(client.providers.get(NPI, {}, short), TimeoutError);
  assert.equal(server.requests.length, 1);

  const line = `{"npi":"${NPI}"}\n`;
  const stalled = sending({ "x-total-count": 2 }, line, () => undefined);
  client = await server.client([stalled, stalled]);
  let rows = 0;
  await assert.rejects(async () => {
    for await (const _ of client.providers.export({}, short)) rows++;
  }, TimeoutError);
  assert.equal(rows, 1);
  end = new AbortController();
  ({ signal } = end);
  await assert.rejects(async () => {
    for await (const _ of client.providers.export({}, { signal }))
      end.abort(reason);
  }, own);
});

test("the key follows no redirect, and is in no error of the connection", async () => {
  await using other = new Misbehaving();
  await using server = new Misbehaving();
  await other.client([found]);
  for (const location of [`${other.url}/v1/x?key=${KEY}`, "/v1/elsewhere"]) {
    const client = await server.client([failing(307, null, { location })]);
    await assert.rejects(client.providers.get(NPI), (error) => {
      assert.ok(error instanceof UnexpectedResponseError);
      assert.match(error.message, /redirect/);
      return !inspect(error, { depth: 9 }).includes(KEY);
    });
    assert.equal(server.requests.length, 1);
    const [request] = server.requests;
    assert.equal(request?.headers.authorization, `Bearer ${KEY}`);
    assert.ok(!request?.url?.includes(KEY));
  }
  assert.equal(other.requests.length, 0);
  const client = await server.client([broken], { maxRetries: 0 });
  await assert.rejects(client.providers.get(NPI), (error) => {
    assert.ok(error instanceof ConnectionError);
    return !inspect(error, { depth: 9 }).includes(KEY);
  });
});

test("settings that cannot work are refused, without showing them", async () => {
  const baseUrl = "http://127.0.0.1:1";
  for (const options of [
    { baseUrl: "directory.example" },
    { baseUrl: `https://${KEY}:x@directory.example` },
    { baseUrl: `https://directory.example?key=${KEY}` },
    { baseUrl, apiKey: `${KEY}\n${KEY}` },
    { baseUrl, apiKey: `${KEY}é` },
  ])
    assert.throws(
      () => new ProviderDirectory(options),
      (error) => error instanceof TypeError && !inspect(error).includes(KEY),
    );
  await using server = new Misbehaving();
  await server.client([]);
  const client = await server.client([found], {
    baseUrl: `${server.url}/npi//`,
    apiKey: ` ${KEY}\n`,
  });
  await client.providers.get(NPI);
  assert.equal(server.requests[0]?.url, `/npi/v1/providers/${NPI}`);
  assert.equal(server.requests[0]?.headers.authorization, `Bearer ${KEY}`);
});

test("what is not the service's is an error", async () => {
  await using server = new Misbehaving();
  for (const response of [
    sending({}, "<html>"),
    // Without the snapshot, the next page may be from other data.
    sending({}, '{"data":[],"meta":{}}'),
  ]) {
    const client = await server.client([response]);
    await assert.rejects(client.providers.search({}), UnexpectedResponseError);
  }
  // An entry short, all verdicts after it would be on another number.
  let client = await server.client([sending({}, '{"data":[],"meta":{}}')]);
  await assert.rejects(
    client.providers.batch([NPI]).toArray(),
    UnexpectedResponseError,
  );
  client = await server.client([failing(403, null)]);
  await assert.rejects(client.providers.get(NPI), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual(
      [error.name, error.code, error.details, error.rateLimit],
      ["PermissionError", null, [], null],
    );
    return true;
  });
});

const unexpected = (message: RegExp) => (error: unknown) =>
  error instanceof UnexpectedResponseError && message.test(error.message);

test("a response or a record that does not end is left", async () => {
  await using server = new Misbehaving();
  const left: Promise<unknown>[] = [];
  const endless =
    (status: number): RequestListener =>
    (_, response) => {
      left.push(once(response, "close"));
      const spaces = Buffer.alloc(2 ** 20, " ");
      const write = () => {
        while (response.write(spaces));
      };
      response.writeHead(status, { "x-total-count": "1" }).on("drain", write);
      write();
    };
  const bomb = gzipSync(Buffer.alloc(100 * 2 ** 20, " "));
  const zipped = sending({ "content-encoding": "gzip" }, bomb);
  const client = await server.client([
    endless(200),
    endless(500),
    zipped,
    endless(200),
  ]);
  for (let requests = 0; requests < 3; requests++)
    await assert.rejects(
      client.providers.get(NPI),
      unexpected(/^A response is longer than 64 MiB/),
    );
  await assert.rejects(
    read(client.providers.export({})),
    unexpected(/^A record is longer than 16 MiB/),
  );
  await Promise.all(left);
  assert.equal(server.requests.length, 4);
});

test("files are listed, and read whole or in ranges", async () => {
  await using server = new Misbehaving();
  const bytes = Buffer.from("PAR1 invented PAR1");
  const url = `/v1/files/${FILE.snapshot}/${NAME}`;
  const list = {
    data: [{ name: NAME, bytes: bytes.length, url }],
    meta: { snapshot: FILE.snapshot },
  };
  const partial: RequestListener = (_, response) =>
    response
      .writeHead(206, { "content-range": `bytes 5-12/${bytes.length}` })
      .end(bytes.subarray(5, 13));
  const rest: RequestListener = (_, response) =>
    response
      .writeHead(206, { "content-range": `bytes 5-17/${bytes.length}` })
      .end(bytes.subarray(5));
  const whole = sending({ "content-length": bytes.length }, bytes);
  let client = await server.client([
    sending({}, JSON.stringify(list)),
    whole,
    partial,
    rest,
  ]);
  const [file] = (await client.files.list()).data;
  assert.ok(file !== undefined);
  assert.deepEqual(Buffer.from(await client.files.bytes(file)), bytes);
  const part = await client.files.bytes(file, {
    range: { start: 5, end: 13 },
  });
  assert.equal(Buffer.from(part).toString(), "invented");
  await client.files.get(FILE, { range: { start: 5 } });
  assert.deepEqual(
    server.requests.map((request) => [request.url, request.headers.range]),
    [
      ["/v1/files", undefined],
      [url, undefined],
      [url, "bytes=5-12"],
      [url, "bytes=5-"],
    ],
  );
  client = await server.client([whole, rest, partial, partial]);
  for (const asked of [
    { start: 5 },
    { start: 6 },
    { start: 5 },
    { start: 5, end: 14 },
  ])
    await assert.rejects(
      client.files.bytes(file, { range: asked }),
      UnexpectedResponseError,
    );
  client = await server.client([
    sending({ "content-length": bytes.length }, "PAR1", cut),
  ]);
  await assert.rejects(client.files.bytes(file), ConnectionError);
  for (const other of ["//other.example/v1/files/a/b", "/v1/files/../status"])
    await assert.rejects(client.files.get({ url: other }), TypeError);
  const above = { snapshot: "..", name: ".." };
  await assert.rejects(client.files.get(above), TypeError);
  const range = { start: 2, end: 2 };
  await assert.rejects(client.files.get(FILE, { range }), RangeError);
});
