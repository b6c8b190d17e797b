import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { inspect } from "node:util";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  CursorGoneError,
  InvalidNpiError,
  isNpi,
  NotFoundError,
  ProviderDirectory,
  SnapshotGoneError,
  type ClientOptions,
} from "../../packages/client/src/index.ts";
import { writeCursor } from "../../src/contract/cursor.ts";
import { checkNpi } from "../../src/registry/npi.ts";
import {
  startHttpService,
  type HttpService,
} from "../support/app/http-service.ts";
import {
  CROWD,
  SAMPLE,
  sampleDirectory,
} from "../support/pure/engine/sample-directory.ts";
import { ChangingRegistry } from "../support/pure/registry/changing-registry.ts";
import { inventedNpi } from "../support/pure/registry/invented-npi.ts";
import {
  FULL,
  npiOf,
  person,
} from "../support/pure/registry/small-registry.ts";

/** The sample's providers. */
const ALL = CROWD + 6;
/** Those of them in Illinois. */
const IN_ILLINOIS = CROWD + 2;

/** A client of a service, and the URLs of its requests. Time goes on before each of them. */
async function clientOf(
  service: HttpService,
  options: Partial<ClientOptions> = {},
) {
  const requests: URL[] = [];
  const client = new ProviderDirectory({
    baseUrl: `http://127.0.0.1:${await service.listen()}`,
    apiKey: service.paidKey,
    maxRetries: 0,
    fetch(input, init) {
      service.installation.clock.nowMs += 1_000;
      if (typeof input === "string") requests.push(new URL(input));
      return fetch(input, init);
    },
    ...options,
  });
  return { client, requests };
}

test("a lookup gives the record, and with the response its id, limits, and snapshot", async () => {
  await using service = await startHttpService();
  const { client } = await clientOf(service);
  const { data: record } = (
    await service.get(`/v1/providers/${SAMPLE.person}?include=all`)
  ).json();
  assert.deepEqual(
    await client.providers.get(SAMPLE.person, { include: ["all"] }),
    record,
  );
  const { data, rateLimit, requestId, response, snapshot } =
    await client.providers.get(SAMPLE.organization).withResponse();
  assert.equal(data.npi, SAMPLE.organization);
  assert.equal(response.status, 200);
  assert.equal(snapshot, "20261116T031500000Z");
  assert.equal(requestId, response.headers.get("x-request-id"));
  assert.deepEqual(rateLimit?.month?.limit, 25_000);
  assert.equal(
    rateLimit?.month?.remaining,
    Number(response.headers.get("x-ratelimit-remaining")),
  );
  assert.equal(rateLimit?.burst?.limit, 50);
});

test("what is no NPI is refused without a request, and an unknown one is not found", async () => {
  await using service = await startHttpService();
  const { client, requests } = await clientOf(service);
  for (const number of [
    "1234567890",
    "123",
    "",
    "../status",
    "１２３４５６７８９３",
  ])
    await assert.rejects(client.providers.get(number), InvalidNpiError);
  assert.deepEqual(requests, []);
  await assert.rejects(client.providers.get(SAMPLE.absent), (error) => {
    assert.ok(error instanceof NotFoundError);
    assert.equal(error.code, "provider_not_found");
    assert.match(error.requestId ?? "", /^test-/);
    assert.equal(error.rateLimit?.burst?.limit, 50);
    return true;
  });
  for (let number = 0; number < 2_000; number++) {
    const npi = String(1_000_000_000 + number * 7_919);
    assert.equal(isNpi(npi), checkNpi(npi) === "ok", npi);
  }
});

test("a search is its first page, all its pages, or all its results, of one snapshot", async () => {
  await using service = await startHttpService();
  const { client, requests } = await clientOf(service);
  const search = client.providers.search({ state: "IL", limit: 50 });
  const page = await search;
  assert.equal(page.meta.total, IN_ILLINOIS);
  assert.equal(page.data.length, 50);
  const npis: string[] = [];
  for await (const { npi } of search) npis.push(npi);
  assert.equal(new Set(npis).size, page.meta.total);
  assert.deepEqual(
    requests.map(({ search: query }) => query),
    [
      "?state=IL&limit=50",
      "?state=IL&limit=50&page=2&snapshot=20261116T031500000Z",
      "?state=IL&limit=50&page=3&snapshot=20261116T031500000Z",
    ],
  );
  const sizes: number[] = [];
  for await (const { data } of client.providers
    .search({ state: "IL", limit: 100, page: 2 })
    .pages())
    sizes.push(data.length);
  assert.deepEqual(sizes, [32]);
  const { data } = await client.providers.search({ name: "zz" }).withResponse();
  assert.deepEqual(data.data, []);
  for await (const { npi } of client.providers.search({ state: "IL" })) {
    assert.equal(npi, npis[0]);
    break;
  }
  assert.equal(requests.length, 6);
});

test("a nearby search ends after the page that is not full", async () => {
  await using service = await startHttpService();
  const { client, requests } = await clientOf(service);
  const near = client.providers.nearby({ zip: "62701", radius: 10, limit: 66 });
  const all = await near.toArray();
  assert.equal(all.length, IN_ILLINOIS);
  assert.ok(all.every((each) => each.distance_miles < 10));
  assert.equal((await near).meta.center.zip, "62701");
  assert.equal(requests.length, 3);
});

test("a list whose snapshot is gone says so, and the next one has the new data", async () => {
  await using service = await startHttpService();
  const { client } = await clientOf(service);
  const read: string[] = [];
  const search = client.providers.search({ state: "IL", limit: 100 });
  await assert.rejects(
    async () => {
      for await (const { npi } of search) {
        if (read.push(npi) === 100)
          service.data.directory = await sampleDirectory({
            id: "20261123T031500000Z",
          });
      }
    },
    (error) => {
      assert.ok(error instanceof SnapshotGoneError);
      assert.equal(error.status, 412);
      assert.match(error.message, /start it again, without the parameter/);
      return true;
    },
  );
  assert.equal(read.length, 100);
  const again = client.providers.search({ state: "IL", limit: 100 });
  assert.equal((await again).snapshot, "20261123T031500000Z");
  assert.equal((await again.toArray()).length, IN_ILLINOIS);
});

test("a batch has an entry for each of any number of values, in order, in requests of 500", async () => {
  await using service = await startHttpService();
  const { client, requests } = await clientOf(service);
  const { organization, person: known } = SAMPLE;
  const typo = `${known.slice(0, 8)}${known[9]}${known[8]}`;
  const odd = ["", " ", `${known},${known}`, "a\nb", "9".repeat(9_000), "é&<"];
  const values = [
    ...Array.from({ length: 1_100 }, (_, n) => inventedNpi(100_000_000 + n)),
    ...odd,
    ` ${known} `,
    typo,
    organization,
  ];
  const entries = await client.providers
    .batch(Readable.from(values, { objectMode: true }))
    .toArray();
  assert.deepEqual(
    entries.map(({ npi }) => npi),
    values.map((value) => value.trim()),
  );
  const verdicts = entries.slice(1_100).map(({ verdict }) => verdict);
  assert.deepEqual(
    verdicts.slice(0, odd.length),
    odd.map(() => "malformed"),
  );
  assert.deepEqual(verdicts.slice(odd.length), [
    "active",
    "invalid_check_digit",
    "active",
  ]);
  assert.ok(entries.at(-2)?.suggestions?.includes(known));
  assert.deepEqual(
    entries.at(-1)?.provider,
    await client.providers.get(organization),
  );
  assert.equal(requests.length, 5);
  const free = await client.providers.batch(odd.slice(0, 4)).toArray();
  assert.equal(free.length, 4);
  assert.equal(requests.length, 5);
  for await (const { npi } of client.providers.batch(values)) {
    assert.equal(npi, values[0]);
    break;
  }
  // Long values fill a URL before 500 of them do.
  const long = Array.from({ length: 500 }, () => "é".repeat(90));
  const refused = await client.providers.batch(long).toArray();
  assert.ok(refused.every(({ verdict }) => verdict === "malformed"));
  assert.equal(refused.length, 500);
});

test("an export is the records of its search, or a file of any format", async () => {
  await using service = await startHttpService();
  const { client, requests } = await clientOf(service);
  const found = client.providers.export({ state: "IL" });
  const npis: string[] = [];
  for await (const { npi } of found) npis.push(npi);
  const searched = client.providers.search({ state: "IL", limit: 100 });
  assert.deepEqual(
    npis,
    (await searched.toArray()).map(({ npi }) => npi),
  );
  const csv = client.providers.export({
    format: "csv",
    columns: ["npi", "credential"],
  });
  const { data, response } = await csv.stream().withResponse();
  assert.match(response.headers.get("content-type") ?? "", /^text\/csv/);
  const lines = (await new Response(data).text()).split("\r\n");
  assert.equal(lines.length, ALL + 2);
  assert.equal(lines[0], "npi,credential");
  const none: unknown[] = [];
  for await (const each of client.providers.export({ name: "zzz" }))
    none.push(each);
  assert.deepEqual(none, []);
  for await (const { npi } of client.providers.export({ state: "IL" })) {
    assert.equal(npi, npis[0]);
    break;
  }
  assert.equal(requests[0]?.search, "?state=IL&format=ndjson");
});

test("a text is interpreted, and its filters are those of a search", async () => {
  await using service = await startHttpService();
  const { client } = await clientOf(service);
  const { filters, operation, total } =
    await client.providers.interpret("obrien st louis");
  assert.equal(operation, "search");
  const { data, meta } = await client.providers.search(filters);
  assert.equal(meta.total, total);
  assert.equal(data[0]?.npi, SAMPLE.person);
});

test("changes go on from the cursor after the last page that was read", async () => {
  using registry = new ChangingRegistry();
  await registry.import(FULL, "2026-11-10", [person(0)]);
  const WEEK = "npidata_pfile_20261109-20261115.csv";
  await registry.import(
    WEEK,
    "2026-11-17",
    Array.from({ length: 5 }, (_, number) => person(number + 1)),
  );
  await using service = await startHttpService({
    changesOf: registry.store.dataDir,
  });
  service.data.directory = registry.registry.directory();
  const { client } = await clientOf(service);
  const added = [1, 2, 3, 4, 5].map(npiOf).sort();
  const changes = client.changes({ since: "2026-11-01", limit: 2 });
  const read: string[] = [];
  for await (const { kind, npi } of changes) {
    assert.equal(kind, "added");
    if (read.push(npi) === 3) break;
  }
  // The second page was not read to its end.
  const rest = client.changes({ cursor: changes.nextCursor ?? "" });
  const again = (await rest.toArray()).map(({ npi }) => npi);
  assert.deepEqual(again, added.slice(2));
  assert.deepEqual([...read.slice(0, 2), ...again], added);
  const later = client.changes({ cursor: rest.nextCursor ?? "" });
  assert.equal(later.nextCursor, rest.nextCursor);
  assert.deepEqual(await later.toArray(), []);
  assert.equal(typeof later.nextCursor, "string");
  const cursor = writeCursor({
    snapshot: "20200101T000000000Z",
    behind: "all",
  });
  await assert.rejects(client.changes({ cursor }).toArray(), CursorGoneError);
});

test("taxonomies are listed, found, and looked up", async () => {
  await using service = await startHttpService();
  const { client } = await clientOf(service);
  const all = await client.taxonomies.list({ limit: 1 }).toArray();
  assert.ok(all.length > 1);
  const [family] = await client.taxonomies.list({ q: "fam med" }).toArray();
  assert.deepEqual(await client.taxonomies.get("207q00000x"), family);
  await assert.rejects(client.taxonomies.get("a/b?c"), BadRequestError);
});

test("the status is given without a key, which nothing else is", async () => {
  await using service = await startHttpService();
  const { client } = await clientOf(service, { apiKey: undefined });
  const { counts, snapshot } = await client.status();
  assert.equal(counts.providers, ALL);
  assert.equal(snapshot, "20261116T031500000Z");
  await assert.rejects(client.providers.get(SAMPLE.person), (error) => {
    assert.ok(error instanceof AuthenticationError);
    assert.equal(error.code, "missing_api_key");
    assert.equal(error.rateLimit, null);
    return true;
  });
});

test("an error names each parameter at fault, and none ever has the key", async () => {
  await using service = await startHttpService();
  const { client } = await clientOf(service);
  const key = service.paidKey.slice("pd_live_".length);
  const failures = await Promise.all(
    [
      client.providers.search({ zip: "1", limit: 1_000 }),
      client.providers.nearby({ zip: "99999" }).toArray(),
      client.taxonomies.get("x".repeat(9_000)),
      client.providers.get(SAMPLE.person, { snapshot: "20200101T000000000Z" }),
      client.providers.export({ columns: ["npi"] }).stream(),
    ].map((each) => Promise.resolve(each).catch((error: unknown) => error)),
  );
  for (const error of failures) {
    assert.ok(error instanceof ApiError, inspect(error));
    assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(key));
    assert.ok(!JSON.stringify(error).includes(key));
  }
  assert.ok(!inspect(client, { depth: 9, showHidden: true }).includes(key));
  const [first] = failures;
  assert.ok(first instanceof BadRequestError);
  assert.equal(first.code, "invalid_parameter");
  assert.equal(first.param, "zip");
  assert.deepEqual(
    first.details.map(({ param }) => param),
    ["zip", "limit"],
  );
  assert.match(first.docUrl ?? "", /#invalid_parameter$/);
});
