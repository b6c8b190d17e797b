import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangedDetails } from "../../src/changes/change.ts";
import { DETAIL_PARTS } from "../../src/contract/detail-parts.ts";
import { referenceMembers } from "../support/pure/reference/provider-details.ts";
import {
  ReferenceDetails,
  type FileWithDetails,
} from "../support/pure/reference/reference-details.ts";
import {
  importRecorded,
  listedDetails,
  mailing,
  onlyRows,
} from "../support/pure/registry/recorded-imports.ts";
import type { RawRow } from "../support/pure/registry/raw-row.ts";
import {
  npiOf,
  person,
  SmallRegistry,
  withheld,
} from "../support/pure/registry/small-registry.ts";

const FULL = "20050523-20261108";
const WEEK = "20261109-20261115";
const NEXT_FULL = "20050523-20261213";

/** The leaves of a provider's details by path; lists as their sorted entries. */
function leaves(
  reference: ReferenceDetails,
  npi: string,
): Map<string, unknown> {
  const held = reference.held.get(npi);
  const found = new Map<string, unknown>();
  if (held === undefined) return found;
  const members = referenceMembers(held.details, DETAIL_PARTS, () => null);
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
      await importRecorded(registry, FULL, first);
      await importRecorded(registry, period, second);
      assert.ok(compare(before, after, listedDetails(registry)) > 20);
    }
  });

test("details that are too long are listed without their values", async () => {
  using registry = new SmallRegistry();
  const long = "x".repeat(100_000);
  await importRecorded(registry, FULL, {
    kind: "full",
    ...onlyRows([mailing(1, "A")]),
  });
  await importRecorded(registry, WEEK, {
    kind: "week",
    ...onlyRows([{ ...mailing(1, long), "Provider Sex Code": "F" }]),
  });
  assert.deepEqual(listedDetails(registry).get(npiOf(1)), {
    "identity.sex": [null, "F"],
    "mailing_address.address_1": [null, null],
  });
});

test("old values of what is withheld are not listed", async () => {
  using registry = new SmallRegistry();
  await importRecorded(registry, FULL, {
    kind: "full",
    ...onlyRows([mailing(1, "PO BOX 1"), mailing(2, "PO BOX 1")]),
  });
  await importRecorded(
    registry,
    WEEK,
    { kind: "week", ...onlyRows([withheld(1, "11/10/2026")]) },
    "withhold",
  );
  const details = listedDetails(registry).get(npiOf(1)) ?? {};
  assert.deepEqual(details["mailing_address.address_1"], [null, null]);
  assert.doesNotMatch(JSON.stringify(details), /PO BOX/);
});

test("a full file's entries are compared wherever they are in it", async () => {
  using registry = new SmallRegistry();
  const all = Array.from({ length: 500 }, (_, number) => number);
  const rows = (last: number) =>
    all.map((number) => mailing(number, number % 50 === last ? "NEW" : "OLD"));
  await importRecorded(registry, FULL, { kind: "full", ...onlyRows(rows(-1)) });
  await importRecorded(registry, NEXT_FULL, {
    kind: "full",
    ...onlyRows(rows(7).reverse().slice(1)),
  });
  assert.deepEqual(
    [...listedDetails(registry).keys()],
    all
      .filter((number) => number % 50 === 7)
      .map(npiOf)
      .sort(),
  );
});
