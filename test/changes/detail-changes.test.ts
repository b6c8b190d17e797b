import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangedDetails } from "../../src/changes/change.ts";
import { ChangeReader } from "../../src/changes/change-reader.ts";
import { recordChanges } from "../../src/changes/record-changes.ts";
import { openForWriting } from "../../src/changes/database.ts";
import { DETAIL_PARTS } from "../../src/contract/detail-parts.ts";
import { readCursor, writeCursor } from "../../src/contract/cursor.ts";
import { detailMembers } from "../../src/search/render/details-json.ts";
import {
  ReferenceDetails,
  type FileWithDetails,
} from "../support/reference/reference-details.ts";
import { importZip } from "../support/registry/registry-zip.ts";
import type { RawRow } from "../support/registry/raw-row.ts";
import {
  npiOf,
  person,
  SmallRegistry,
  withheld,
} from "../support/registry/small-registry.ts";

const FULL = "20050523-20261108";
const WEEK = "20261109-20261115";
const NEXT_FULL = "20050523-20261213";

async function imported(
  registry: SmallRegistry,
  period: string,
  file: FileWithDetails,
): Promise<void> {
  const { store } = registry;
  await importZip(
    registry,
    period,
    { endpoints: null, ...file },
    {
      onBuilt: (built) =>
        void recordChanges(built, { store, now: Date.now, keepDays: 400 }),
    },
  );
}

/** The changed details that the list has for the last import, by NPI. */
function listed(registry: SmallRegistry): Map<string, ChangedDetails> {
  using reader = new ChangeReader(registry.store.dataDir);
  const { sets } = reader.lineage(registry.store.currentId() ?? "");
  const set = sets.at(-1);
  assert.ok(set !== undefined);
  return new Map(
    [...reader.changes(set, null, true)].flatMap(({ details, npi }) =>
      details === undefined ? [] : [[npi, details] as const],
    ),
  );
}

/** The leaves of a provider's details by path; lists as their sorted entries. */
function leaves(
  reference: ReferenceDetails,
  npi: string,
): Map<string, unknown> {
  const held = reference.held.get(npi);
  const found = new Map<string, unknown>();
  if (held === undefined) return found;
  const members = detailMembers(held.details, DETAIL_PARTS, () => null);
  const walk = (path: string, value: unknown): void => {
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      for (const [name, part] of Object.entries(value))
        walk(path === "" ? name : `${path}.${name}`, part);
    else found.set(path, value);
  };
  walk("", JSON.parse(JSON.stringify(members)));
  return found;
}

function texts(value: unknown): string[] {
  return Array.isArray(value)
    ? value.map((entry) => JSON.stringify(entry)).sort()
    : [JSON.stringify(value ?? null)];
}

/** Compares the list with what two references say, member by member. */
function compare(
  before: ReferenceDetails,
  after: ReferenceDetails,
  found: Map<string, ChangedDetails>,
): number {
  let changes = 0;
  for (const npi of before.held.keys()) {
    if (!after.held.has(npi)) continue;
    const [was, is] = [leaves(before, npi), leaves(after, npi)];
    const details = found.get(npi) ?? {};
    const paths = new Set([...was.keys(), ...is.keys()]);
    for (const path of paths) {
      const [old, now] = [was.get(path), is.get(path)];
      if (JSON.stringify(texts(old)) === JSON.stringify(texts(now))) {
        assert.equal(details[path], undefined, `${npi} ${path}`);
        continue;
      }
      // A part that is null as a whole counts as one with only null members.
      if ((old ?? null) === null && (now ?? null) === null) continue;
      changes++;
      assert.ok(details[path] !== undefined, `${npi} ${path}`);
      const [gone, added] = details[path];
      if (!Array.isArray(old) || !Array.isArray(now)) {
        assert.deepEqual([gone, added], [old ?? null, now ?? null]);
        continue;
      }
      assert.ok(Array.isArray(gone) && Array.isArray(added));
      const stays = texts(old);
      for (const entry of texts(gone)) stays.splice(stays.indexOf(entry), 1);
      assert.deepEqual([...stays, ...texts(added)].sort(), texts(now));
      for (const entry of texts(added))
        assert.ok(!texts(gone).includes(entry), "an entry stays");
    }
    for (const path of Object.keys(details)) assert.ok(paths.has(path), path);
  }
  for (const npi of found.keys())
    assert.ok(before.held.has(npi) && after.held.has(npi), npi);
  return changes;
}

/** Pseudorandom, the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

function randomRow(number: number, next: (below: number) => number): RawRow {
  const some = (value: string): string => (next(2) === 0 ? "" : value);
  return {
    ...person(number, { last: `NAME${next(2)}` }),
    "Provider Sex Code": some("F"),
    "Is Sole Proprietor": some(next(2) === 0 ? "Y" : "N"),
    "Provider First Line Business Mailing Address": some(`PO BOX ${next(3)}`),
    "Provider Business Mailing Address Fax Number": some("3125550100"),
    "Provider License Number_1": some(`L-${next(3)}`),
    "Other Provider Identifier_1": some(`ID${next(3)}`),
    "Other Provider Identifier Type Code_1": some("05"),
    "Other Provider Identifier_2": some(`ID${next(3)}`),
    "Other Provider Identifier Issuer_7": some("AN ISSUER"),
    "Provider Other Last Name": some(`FORMER${next(2)}`),
    "NPI Reactivation Date": some("01/02/2020"),
  };
}

function randomFile(
  kind: "full" | "week",
  next: (below: number) => number,
): FileWithDetails {
  const all = Array.from({ length: 40 }, (_, number) => number);
  const mine = kind === "full" ? all : all.filter(() => next(2) === 0);
  return {
    kind,
    rows: mine.map((number) =>
      kind === "week" && next(8) === 0
        ? withheld(number, "11/10/2026")
        : randomRow(number, next),
    ),
    otherNames: null,
    locations: mine.map((number) => ({
      NPI: npiOf(number),
      "Provider Secondary Practice Location Address- Address Line 1": `${next(3)} WAY`,
    })),
    endpoints: mine.map((number) => ({
      NPI: npiOf(number),
      "Endpoint Type": "DIRECT",
      Endpoint: `${next(3)}@example.com`,
    })),
  };
}

for (const [name, kind, period] of [
  ["a week", "week", WEEK],
  ["a full file", "full", NEXT_FULL],
] as const)
  test(`${name} lists the details that two references differ in, and no others`, async () => {
    for (const seed of [1, 2, 3]) {
      using registry = new SmallRegistry();
      const next = numbers(seed);
      const first = { ...randomFile("full", next), otherNames: [] };
      const second = { ...randomFile(kind, next), otherNames: [] };
      const [before, after] = [new ReferenceDetails(), new ReferenceDetails()];
      before.apply(first);
      after.apply(first);
      after.apply(second);
      await imported(registry, FULL, first);
      await imported(registry, period, second);
      assert.ok(compare(before, after, listed(registry)) > 20);
    }
  });

function mailing(number: number, address: string, last = "EXAMPLE"): RawRow {
  return {
    ...person(number, { last }),
    "Provider First Line Business Mailing Address": address,
  };
}

const files = (rows: readonly RawRow[]) => ({
  rows,
  otherNames: [],
  locations: [],
  endpoints: [],
});

/** Odd NPIs change in their mailing address, every fourth in the record as well. */
async function mixed(registry: SmallRegistry): Promise<void> {
  const all = Array.from({ length: 12 }, (_, number) => number);
  await imported(registry, FULL, {
    kind: "full",
    ...files(all.map((number) => mailing(number, "PO BOX 1"))),
  });
  await imported(registry, WEEK, {
    kind: "week",
    ...files(
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

test("a database of an earlier version lists only records until the next import", async () => {
  using registry = new SmallRegistry();
  await mixed(registry);
  const database = openForWriting(registry.store.dataDir);
  database.exec("DROP TABLE detail_change");
  database.close();
  using reader = new ChangeReader(registry.store.dataDir);
  const id = registry.store.currentId() ?? "";
  const page = reader.page(id, { from: null, limit: 100, details: true });
  assert.deepEqual(
    page?.changes.map(({ change }) => change.npi),
    [0, 4, 8].map(npiOf).sort(),
  );
});

test("details that are too long are listed without their values", async () => {
  using registry = new SmallRegistry();
  const long = "x".repeat(100_000);
  await imported(registry, FULL, { kind: "full", ...files([mailing(1, "A")]) });
  await imported(registry, WEEK, {
    kind: "week",
    ...files([{ ...mailing(1, long), "Provider Sex Code": "F" }]),
  });
  assert.deepEqual(listed(registry).get(npiOf(1)), {
    "identity.sex": [null, "F"],
    "mailing_address.address_1": [null, null],
  });
});
