import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { ChangeReader } from "../../src/changes/change-reader.ts";
import { changesFile } from "../../src/changes/database.ts";
import {
  ChangeWriter,
  type Retention,
} from "../../src/changes/change-writer.ts";
import { unpackRelease } from "../fixtures/make-release.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { startHttpService } from "../support/app/http-service.ts";
import { readCursor, writeCursor } from "../../src/contract/cursor.ts";
import {
  importRecorded,
  listedDetails,
  mailing,
  onlyRows,
} from "../support/pure/registry/recorded-imports.ts";
import {
  npiOf,
  person,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";

const FULL = "20050523-20261108";
const WEEK = "20261109-20261115";

/** What release 1.0.0 answered from its data folder: the first change, and the rest. */
const OF_RELEASE = [
  '{"data":[{"npi":"1000000046","kind":"changed","date":"2026-11-17","data_date":"2026-11-15","changed_fields":["name.last","last_updated"]}],"meta":{"count":1,"limit":1,"has_more":true,"next_cursor":"MjAyNjExMTdUMTIwMDAwMDAwWi4x","complete_since":"2026-11-10T12:00:00.000Z","source":"NPPES (CMS), full file 2026-11-08, weekly updates to 2026-11-15"}}',
  '{"data":[{"npi":"1000000053","kind":"added","date":"2026-11-17","data_date":"2026-11-15","changed_fields":[]},{"npi":"1000000061","kind":"added","date":"2026-11-17","data_date":"2026-11-15","changed_fields":[]},{"npi":"1000000012","kind":"deactivated","date":"2026-12-15","data_date":"2026-12-14","changed_fields":["status","deactivation_date"]}],"meta":{"count":3,"limit":100,"has_more":false,"next_cursor":"MjAyNjEyMTVUMTIwMDAwMDAwWi5hbGw","complete_since":"2026-11-10T12:00:00.000Z","source":"NPPES (CMS), full file 2026-11-08, weekly updates to 2026-11-15"}}',
] as const;

/** Odd NPIs change in their mailing address, every fourth in the record as well. */
async function mixed(registry: SmallRegistry): Promise<void> {
  const all = Array.from({ length: 12 }, (_, number) => number);
  await importRecorded(registry, FULL, {
    kind: "full",
    ...onlyRows(all.map((number) => mailing(number, "PO BOX 1"))),
  });
  await importRecorded(registry, WEEK, {
    kind: "week",
    ...onlyRows(
      all.map((number) =>
        mailing(
          number,
          number % 2 === 1 ? "PO BOX 2" : "PO BOX 1",
          number % 4 === 0 ? "OTHER" : "EXAMPLE",
        ),
      ),
    ),
  });
}

test("the list without details stays as it is; pages with details have every change once, whatever the cursors", async () => {
  using registry = new SmallRegistry();
  await mixed(registry);
  using reader = new ChangeReader(registry.store.dataDir);
  const id = registry.store.currentId() ?? "";
  const walk = (limit: number, details: (page: number) => boolean) => {
    const npis: string[] = [];
    let from = null;
    for (let number = 0; ; number++) {
      const page = reader.page(id, { from, limit, details: details(number) });
      assert.ok(page !== null);
      for (const { change } of page.changes) npis.push(change.npi);
      from = readCursor(writeCursor(page.end));
      assert.ok(from !== null);
      if (!page.hasMore) return { npis, end: page.end };
    }
  };
  const records = [0, 4, 8].map(npiOf).sort();
  const both = [0, 1, 3, 4, 5, 7, 8, 9, 11].map(npiOf).sort();
  for (const limit of [1, 2, 3, 5, 9, 100]) {
    assert.deepEqual(walk(limit, () => false).npis, records);
    assert.deepEqual(walk(limit, () => true).npis, both);
    assert.deepEqual(walk(limit, () => true).end, {
      snapshot: id,
      behind: "all",
    });
    const { npis } = walk(limit, (page) => page % 2 === 0);
    assert.equal(new Set(npis).size, npis.length);
    assert.deepEqual(
      npis.filter((npi) => records.includes(npi)),
      records,
    );
  }
  const plain = reader.page(id, { from: null, limit: 100 });
  assert.ok(plain?.changes.every(({ change }) => !("details" in change)));
});

test("the list without details has the same bytes whether details changed or not", async () => {
  using registry = new SmallRegistry();
  await mixed(registry);
  const id = registry.store.currentId() ?? "";
  const pages = () => {
    using reader = new ChangeReader(registry.store.dataDir);
    return [1, 2, 3, 100].map((limit) =>
      JSON.stringify(reader.page(id, { from: null, limit })),
    );
  };
  const withDetails = pages();
  using database = new DatabaseSync(changesFile(registry.store.dataDir));
  database.exec("DELETE FROM detail_change");
  assert.deepEqual(withDetails, pages());
});

test("the list of release 1.0.0 is served as that release did, and lists only records", async () => {
  using registry = new SmallRegistry();
  const { dataDir } = registry.store;
  unpackRelease("1.0.0", dataDir);
  await using service = await startHttpService({ changesOf: dataDir });
  service.data.directory = registry.directory();
  const body = async (query: string) =>
    (await service.get(`/v1/changes${query}`)).body;
  const [first, rest] = OF_RELEASE;
  assert.equal(await body("?limit=1"), first);
  assert.equal(
    await body(`?cursor=${JSON.parse(first).meta.next_cursor}`),
    rest,
  );
  assert.equal(
    await body("?include=details"),
    await body(""),
    "with details, the whole list is the same",
  );
});

test("the list of release 1.0.0 takes details of the next week", async () => {
  using registry = new SmallRegistry();
  const { dataDir } = registry.store;
  unpackRelease("1.0.0", dataDir);
  await importRecorded(registry, "20261214-20261220", {
    kind: "week",
    ...onlyRows([{ ...person(4), "Provider Sex Code": "F" }]),
  });
  assert.deepEqual(listedDetails(registry).get(npiOf(4))?.["identity.sex"], [
    null,
    "F",
  ]);
  using reader = new ChangeReader(dataDir);
  const { sets } = reader.lineage(registry.store.currentId() ?? "");
  assert.deepEqual(
    sets.map((set) => [...reader.changes(set, null)].length),
    [0, 3, 1, 1],
  );
});

const MAILING = "mailing_address.address_1";

/** Writes a set of changes that only affect details, with the given number of characters each. */
function write(
  writer: ChangeWriter,
  snapshot: string,
  base: string | null,
  changes: { count: number; characters: number },
  most: Partial<Retention> = {},
): void {
  const value = "x".repeat(changes.characters);
  writer.write(
    {
      snapshot,
      base,
      file: "a week.csv",
      dataDate: null,
      day: "2026-11-17",
      isListed: true,
      counts: null,
    },
    Array.from({ length: changes.count }, (_, number) => ({
      npi: String(1_000_000_000 + number),
      kind: "changed",
      fields: {},
      details: { [MAILING]: [null, value] },
    })),
    [snapshot],
    { days: 400, changes: 1_000, details: 1e9, ...most },
  );
}

const [ORIGIN, WEEK_1, WEEK_2] = [
  "20261110T120000000Z",
  "20261117T120000000Z",
  "20261124T120000000Z",
] as const;

test("a page ends after a megabyte of details, and the next one continues", () => {
  using folder = temporaryFolder();
  {
    using writer = new ChangeWriter(folder.path);
    write(writer, WEEK_1, ORIGIN, { count: 40, characters: 60_000 });
  }
  using reader = new ChangeReader(folder.path);
  const seen: number[] = [];
  let from = null;
  for (;;) {
    const page = reader.page(WEEK_1, { from, limit: 1_000, details: true });
    assert.ok(page !== null);
    seen.push(page.changes.length);
    from = page.end;
    if (!page.hasMore) break;
  }
  assert.deepEqual(seen, [17, 17, 6]);
  assert.deepEqual(from, { snapshot: WEEK_1, behind: "all" });
});

test("after its limit, an import lists only what changed, not the values", () => {
  using folder = temporaryFolder();
  {
    using writer = new ChangeWriter(folder.path, 2_500);
    write(writer, WEEK_1, ORIGIN, { count: 5, characters: 1_000 });
  }
  using reader = new ChangeReader(folder.path);
  const page = reader.page(WEEK_1, { from: null, limit: 9, details: true });
  assert.deepEqual(
    page?.changes.map(({ change }) => change.details?.[MAILING]?.[1] === null),
    [false, false, false, true, true],
  );
});

test("old imports are removed if all details together exceed their limit", () => {
  using folder = temporaryFolder();
  using writer = new ChangeWriter(folder.path);
  const changes = { count: 5, characters: 1_000 };
  const details = 12_000;
  write(writer, ORIGIN, null, changes, { details });
  write(writer, WEEK_1, ORIGIN, changes, { details });
  assert.deepEqual([...writer.snapshots()], [ORIGIN, WEEK_1]);
  write(writer, WEEK_2, WEEK_1, changes, { details });
  assert.deepEqual([...writer.snapshots()], [WEEK_1, WEEK_2]);
  write(writer, "20261201T120000000Z", WEEK_2, changes, { details: 0 });
  assert.deepEqual([...writer.snapshots()], ["20261201T120000000Z"]);
});
