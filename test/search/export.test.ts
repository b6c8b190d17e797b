import type { Search } from "../../src/search/search.ts";
import { detailMembers } from "../../src/search/render/details-json.ts";
import assert from "node:assert/strict";
import { after, before, describe, it, test } from "node:test";
import { EXPORT_COLUMNS } from "../../src/contract/export-columns.ts";
import type { WholeSearch } from "../../src/search/query.ts";
import type { Provider } from "../../src/contract/provider.ts";
import { builtinTaxonomy } from "../../src/reference/builtin-specialties.ts";
import { syntheticCsv } from "../../src/registry-generator/registry-files.ts";
import { rowFormat } from "../../src/search/render/row-formats.ts";
import { inventedNpi } from "../support/pure/registry/invented-npi.ts";
import { rawRow } from "../support/pure/registry/raw-row.ts";
import { csvRecords, csvRows } from "../support/pure/reference/csv-records.ts";
import {
  FORCE,
  fullFile,
} from "../support/pure/reference/reference-registry.ts";
import { officialLayout } from "../support/pure/registry/registry-csv.ts";
import { type Engine, startEngine } from "../support/pure/engine/engine.ts";
import {
  type ParsedDirectory,
  slicesOf,
} from "../support/pure/engine/parsed-directory.ts";
import {
  SAMPLE,
  sampleDirectory,
} from "../support/pure/engine/sample-directory.ts";

/** Enough for every way to find matches: ranges, lists and sets, with each number of tiers. */
const PROVIDERS = 12_000;
const SEARCHES: readonly WholeSearch[] = [
  {},
  { status: "deactivated" },
  { entity_type: "organization", status: "active" },
  { state: "TX" },
  { state: "TX", entity_type: "individual" },
  { city: "Los Angeles" },
  { zip: "60601" },
  { taxonomy: "106S00000X" },
  { specialty: "e" },
  { specialty: "nurse", state: "CA" },
  { name: "a" },
  { name: "an" },
  { name: "mar" },
  { name: "a e i o n" },
  { name: "s", state: "NY" },
  { name: "zzzz" },
  { last_name: "sm" },
  { last_name: "s", first_name: "m" },
  { organization: "a" },
  { organization: "health", name: "family" },
  { name: "a", last_updated_since: "2020-01-01" },
  { specialty: "a", taxonomy_scope: "any" },
  { name: "e", taxonomy_scope: "any", specialty: "r" },
  { sort: "name" },
  { sort: "name", status: "deactivated" },
  { sort: "name", state: "TX", entity_type: "individual" },
  { sort: "name", name: "a" },
  { sort: "name", name: "zzzz" },
  { sort: "name", zip: "60601" },
];

describe("a whole search", () => {
  let engine: Engine;
  let directory: ParsedDirectory;

  before(async () => {
    const csv = syntheticCsv({ providers: PROVIDERS, specialties: "named" });
    engine = await startEngine(
      { taxonomy: new Map(builtinTaxonomy().entries()), centroids: new Map() },
      officialLayout(),
    );
    await engine.import(fullFile(csvRows(csv.toString()), "2026-11-09"), FORCE);
    directory = engine.directory();
  });
  after(() => engine[Symbol.asyncDispose]());

  for (const query of SEARCHES) {
    it(`has the documents of all pages of ${JSON.stringify(query)}`, () => {
      const whole = directory.search.all(query);
      // Other searches reuse the memory that this one was found in.
      const paged = pagesOf(directory, query);
      assert.deepEqual(docsOf(whole, 7), paged);
      assert.equal(whole.total, paged.length);
      assert.deepEqual(docsOf(whole, 256), paged, "once more");
    });
  }

  it("is the same in slices between which other searches are answered", () => {
    const query = { name: "a" };
    const lines = directory.file(query, "ndjson").split("\n");
    const rows = directory.lookup.rows(
      directory.search.all(query),
      rowFormat("ndjson"),
    );
    let text = "";
    for (const slice of slicesOf(rows)) {
      text += Buffer.from(slice).toString();
      directory.file({ last_name: "s" }, "csv");
    }
    assert.equal(rows.rendered, rows.total);
    assert.deepEqual(text.split("\n"), lines);
  });

  it("has the same fields as CSV as look-ups have", () => {
    const [header, ...records] = csvRecords(directory.file({}, "csv"));
    assert.deepEqual(
      header,
      EXPORT_COLUMNS.map(({ name }) => name),
    );
    assert.equal(records.length, PROVIDERS);
    for (const record of records)
      assert.deepEqual(
        record,
        cellsOf(directory.recordOf(record[0] ?? "") ?? assert.fail()),
      );
  });
});

test("cells that a spreadsheet would run are defused, and quoted", async () => {
  const names = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    '=HYPERLINK("http://example.test","A")',
    "＝1",
    "＋1",
    "－1",
    "＠A",
    'A "B" C',
    "A, B",
    "A=1",
    "ÉTÉ ＝",
  ];
  using directory = await sampleDirectory({
    rows: names.map((organization, index) =>
      rawRow({
        npi: inventedNpi(200_000_000 + index),
        entityType: "2",
        organization,
        state: "IL",
      }),
    ),
  });
  const text = directory.file({}, "csv");
  const [, ...records] = csvRecords(text);
  assert.deepEqual(
    records.map((cells) => cells[7]),
    names.map((name) => defused(name)),
  );
  assert.match(text, /,"'=HYPERLINK\(""http:\/\/example.test"",""A""\)",/);
  assert.match(text, /,"'＝1",/);
  assert.match(text, /,A=1,/);
});

test("a file has one start and one end, whatever the slices", async () => {
  using directory = await sampleDirectory();
  const lines = directory.file({ state: "MO" }, "ndjson");
  for (const withinMs of [0, Infinity]) {
    const rows = directory.lookup.rows(directory.search.all({ state: "MO" }), {
      ...rowFormat("ndjson"),
      make(source, out) {
        const renderer = rowFormat("ndjson").make(source, out);
        return {
          begin: () => out.ascii("begin\n"),
          row: (hit, details) => renderer.row(hit, details),
          end: () => out.ascii("end\n"),
        };
      },
    });
    let text = "";
    for (let at = 0; at < rows.total + 5; at++)
      text += Buffer.from(rows.next(withinMs) ?? []).toString();
    assert.equal(text, `begin\n${lines}end\n`);
  }
});

test("rows have the requested details", async () => {
  using directory = await sampleDirectory();
  const [line = ""] = directory
    .file({ state: "MO" }, "ndjson", ["mailing_address", "other_names"])
    .split("\n");
  const found = directory.lookup.find(SAMPLE.person, [
    "other_names",
    "mailing_address",
  ]);
  assert.deepEqual(JSON.parse(line), {
    ...directory.recordOf(SAMPLE.person),
    ...detailMembers(found!.details!),
  });
});

test("a pinned directory keeps its details after its end", async () => {
  const directory = await sampleDirectory();
  let expired = 0;
  const first = directory.pin(() => expired++);
  const second = directory.pin(() => expired++);
  let isClosed = false;
  const closed = directory.closed().then(() => (isClosed = true));
  directory[Symbol.dispose]();
  const read = () => directory.lookup.find(SAMPLE.person, ["identity"]);
  assert.notEqual(read(), null);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  await Promise.resolve();
  assert.equal(isClosed, false);
  assert.notEqual(read(), null);
  directory.expirePins();
  assert.equal(expired, 1);
  second[Symbol.dispose]();
  await closed;
  assert.throws(read);
});

function pagesOf(directory: ParsedDirectory, query: WholeSearch): number[] {
  const docs: number[] = [];
  for (let page = 1; ; page++) {
    const { hits, total } = directory.search.page({
      ...query,
      page,
      limit: 100,
    });
    docs.push(...hits.map(({ doc }) => doc));
    if (page * 100 >= total) return docs;
  }
}

function docsOf(found: ReturnType<Search["all"]>, room: number): number[] {
  const reader = found.reader();
  const target = new Uint32Array(room);
  const docs: number[] = [];
  for (;;) {
    const count = reader.read(target);
    if (count === 0) return docs;
    docs.push(...target.subarray(0, count));
  }
}

/** A record as a row. */
function cellsOf(record: Provider): string[] {
  const { name, practice_address: address, primary_taxonomy } = record;
  return [
    record.npi,
    record.entity_type,
    record.status,
    name?.first,
    name?.middle,
    name?.last,
    name?.credential,
    record.organization_name,
    record.enumeration_date,
    record.last_updated,
    record.deactivation_date,
    primary_taxonomy?.code,
    primary_taxonomy?.description,
    address?.address_1,
    address?.address_2,
    address?.city,
    address?.state,
    address?.postal_code,
    address?.country,
  ].map((value) => defused(value ?? ""));
}

function defused(cell: string): string {
  return /^[=+\-@\t\n\r＝＋－＠]/u.test(cell) ? `'${cell}` : cell;
}
