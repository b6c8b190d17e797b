import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { writeCursor } from "../../../src/contract/cursor.ts";
import { ChangingRegistry } from "../../support/pure/registry/changing-registry.ts";
import { errorOf } from "../../support/pure/http-error.ts";
import { askApp, startHttpService } from "../../support/app/http-service.ts";
import {
  FULL,
  npiOf,
  person,
  withheld,
} from "../../support/pure/registry/small-registry.ts";

const PATH = "/v1/changes";
const WEEK_1 = "npidata_pfile_20261109-20261115.csv";
const WEEK_2 = "npidata_pfile_20261116-20261122.csv";
const WEEK_3 = "npidata_pfile_20261123-20261129.csv";

/** The details of a change of only the mailing address. */
const details = (value: string) => [
  { field: "mailing_address.address_1", old: null, new: value },
];

suite("GET /v1/changes", () => {
  const data = new ChangingRegistry();
  const ids: string[] = [];

  before(async () => {
    const all = Array.from({ length: 8 }, (_, index) => person(index));
    ids.push(
      await data.import(FULL, "2026-11-10", all),
      await data.import(WEEK_1, "2026-11-17", [
        person(1, { first: "OTHER", postalCode: "606020002" }),
        withheld(2, "11/11/2026"),
        person(20),
      ]),
      await data.import(WEEK_2, "2026-11-24", [
        person(2, {
          deactivationDate: "11/11/2026",
          reactivationDate: "11/18/2026",
        }),
        person(3, { last: "OTHER" }),
      ]),
    );
  });
  after(() => data[Symbol.dispose]());

  /** The service over the registry as it is now. */
  async function serve() {
    const service = await startHttpService({ changesOf: data.store.dataDir });
    service.data.directory = data.registry.directory();
    return service;
  }

  test("include=details adds changes of details, and changes nothing without it", async () => {
    using other = new ChangingRegistry();
    const column = "Provider First Line Business Mailing Address";
    await other.import(FULL, "2026-11-10", [person(1), person(2)]);
    await other.import(WEEK_1, "2026-11-17", [
      { ...person(1), [column]: "PO BOX 2" },
      { ...person(2, { last: "OTHER" }), [column]: "PO BOX 3" },
    ]);
    await using service = await startHttpService({
      changesOf: other.store.dataDir,
    });
    service.data.directory = other.registry.directory();
    const plain = (await service.get(PATH)).json();
    const change = {
      kind: "changed",
      date: "2026-11-17",
      data_date: "2026-11-15",
    };
    const record = { npi: npiOf(2), ...change, changed_fields: ["name.last"] };
    assert.deepEqual(plain.data, [record]);
    const answer = (await service.get(`${PATH}?include=details`)).json();
    assert.deepEqual(answer.data, [
      {
        npi: npiOf(1),
        ...change,
        changed_fields: [],
        details: details("PO BOX 2"),
      },
      { ...record, details: details("PO BOX 3") },
    ]);
    assert.deepEqual(answer.meta, { ...plain.meta, count: 2 });
  });

  test("lists what each import changed, oldest first and by NPI, with dates and fields", async () => {
    await using service = await serve();
    const answer = (await service.get(PATH)).json();
    const [week1, week2] = [
      { date: "2026-11-17", data_date: "2026-11-15" },
      { date: "2026-11-24", data_date: "2026-11-22" },
    ];
    assert.deepEqual(answer.data, [
      {
        npi: npiOf(1),
        kind: "changed",
        ...week1,
        changed_fields: ["name.first", "practice_address.postal_code"],
      },
      {
        npi: npiOf(2),
        kind: "deactivated",
        ...week1,
        changed_fields: ["status", "deactivation_date"],
      },
      { npi: npiOf(20), kind: "added", ...week1, changed_fields: [] },
      {
        npi: npiOf(2),
        kind: "reactivated",
        ...week2,
        changed_fields: ["status", "deactivation_date"],
      },
      {
        npi: npiOf(3),
        kind: "changed",
        ...week2,
        changed_fields: ["name.last"],
      },
    ]);
    assert.deepEqual(answer.meta, {
      count: 5,
      limit: 100,
      has_more: false,
      next_cursor: writeCursor({ snapshot: ids[2] ?? "", behind: "all" }),
      complete_since: "2026-11-10T12:00:00.000Z",
      source: "NPPES (CMS), full file 2026-11-08, weekly updates to 2026-11-22",
    });
  });

  test("continues by cursor, page by page, without gaps or repetitions", async () => {
    await using service = await serve();
    const whole = (await service.get(PATH)).json().data;
    for (const limit of [1, 2, 3, 4, 5]) {
      const pieces: unknown[] = [];
      let url = `${PATH}?limit=${limit}`;
      for (;;) {
        const { data: piece, meta } = (await service.get(url)).json();
        assert.equal(meta.count, piece.length);
        pieces.push(...piece);
        if (meta.has_more === false) break;
        assert.equal(piece.length, limit);
        url = `${PATH}?limit=${limit}&cursor=${meta.next_cursor}`;
      }
      assert.deepEqual(pieces, whole);
    }
  });

  test("since is about the date on which the service imported a change", async () => {
    await using service = await serve();
    const counts = async (since: string) =>
      (await service.get(`${PATH}?since=${since}`)).json().meta.count;
    assert.equal(await counts("2020-01-01"), 5);
    assert.equal(await counts("2026-11-17"), 5);
    assert.equal(await counts("2026-11-18"), 2);
    assert.equal(await counts("2026-11-24"), 2);
    assert.equal(await counts("2026-11-25"), 0);
  });

  test("at the end the cursor stays valid, and finds the next import's changes", async () => {
    await using service = await serve();
    const { meta } = (await service.get(`${PATH}?since=2026-12-31`)).json();
    const url = `${PATH}?cursor=${meta.next_cursor}`;
    assert.deepEqual((await service.get(url)).json().data, []);
    await data.import(WEEK_3, "2026-12-01", [person(30)]);
    service.data.directory = data.registry.directory();
    const found = (await service.get(url)).json();
    assert.deepEqual(
      found.data.map(({ npi }: { npi: string }) => npi),
      [npiOf(30)],
    );

    // A rollback removes it from the list, with all positions in it.
    data.store.makeCurrent(ids[2] ?? "", Date.now());
    service.data.directory = data.registry.directory();
    assert.deepEqual((await service.get(url)).json().data, []);
    const gone = await service.get(`${PATH}?cursor=${found.meta.next_cursor}`);
    assert.equal(gone.statusCode, 410);
    assert.equal(errorOf(gone.body).code, "cursor_gone");
    assert.match(errorOf(gone.body).message, /Continue from an older one/);
  });

  test("requires a key, counts as one answer, and is free if the client has a current copy", async () => {
    await using service = await serve();
    const { app, freeKey } = service;
    assert.equal((await service.ask({ url: PATH })).statusCode, 401);
    const authorization = `Bearer ${freeKey}`;
    const ask = (headers = {}) =>
      askApp(app, { url: PATH, headers: { authorization, ...headers } });
    const first = await ask();
    assert.equal(first.headers["x-ratelimit-remaining"], "999");
    const again = await ask({ "if-none-match": first.headers.etag ?? "" });
    assert.equal(again.statusCode, 304);
    assert.equal(again.headers["x-ratelimit-remaining"], "999");
    const head = await askApp(app, {
      method: "HEAD",
      url: PATH,
      headers: { authorization },
    });
    assert.equal(head.headers["x-ratelimit-remaining"], "998");
  });

  test("is empty without recorded changes, and 503 without data", async () => {
    await using service = await startHttpService();
    const { data: entries, meta } = (await service.get(PATH)).json();
    assert.deepEqual(entries, []);
    assert.equal(meta.complete_since, "2026-11-16T03:15:00.000Z");
    const next = await service.get(`${PATH}?cursor=${meta.next_cursor}`);
    assert.equal(next.statusCode, 200);
    service.data.directory = null;
    assert.equal((await service.get(PATH)).statusCode, 503);
  });
});
