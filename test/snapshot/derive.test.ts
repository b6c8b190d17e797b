import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { check } from "../support/pure/arbitrary/check.ts";
import { writeReport } from "../support/pure/registry/deactivation-report.ts";
import type { RawRow } from "../support/pure/registry/raw-row.ts";
import {
  npiOf,
  person,
  SmallRegistry,
  withheld,
} from "../support/pure/registry/small-registry.ts";

const PROVIDERS = 24;
const FULL_PERIOD = "20050523-20261108";
/** Periods of further files, in order. */
const WEEKS = [
  "20261109-20261115",
  "20261116-20261122",
  "20261123-20261129",
  "20261130-20261206",
  "20261207-20261213",
];
const DEACTIVATED = "11/12/2026";
const NAMES = ["ANNA", "ANNAS", "O'HANNA", "ÅNNA", "BO", ""];
const ORGANIZATIONS = ["ANNA CLINIC", "Anna Clinic, Inc.", "CLINIC OF ANNA ST"];
const CITIES = [
  { city: "ST. LOUIS", state: "MO", postalCode: "63110" },
  { city: "SAINT LOUIS", state: "MO", postalCode: "63110" },
  { city: "Saint Louis", state: "MO", postalCode: "" },
  { city: "CHICAGO", state: "IL", postalCode: "606010001" },
  { city: "TORONTO", state: "ON", postalCode: "M5V 2T6", country: "CA" },
];
const TAXONOMIES = ["207Q00000X", "207q00000x", "1223G0001X", ""];
const QUERIES = [
  {},
  { sort: "name" },
  { state: "MO" },
  { city: "saint louis" },
  { zip: "63110" },
  { name: "ann" },
  { name: "anna clinic" },
  { name: "a", sort: "name" },
  { last_name: "anna" },
  { first_name: "bo" },
  { organization: "clinic" },
  { middle_initial: "q" },
  { taxonomy: "207Q00000X" },
  { taxonomy: "207Q00000X", name: "an" },
  { status: "deactivated" },
  { entity_type: "organization", state: "IL" },
] as const;

const number = fc.nat(PROVIDERS - 1);
/** A row of a provider: active, reactivated, or deactivated with or without its details. */
const row = fc.tuple(
  number,
  fc.record({
    kind: fc.constantFrom("individual", "organization", "withheld"),
    dates: fc.constantFrom(
      {},
      {},
      { deactivationDate: "10/01/2026" },
      { deactivationDate: "10/01/2026", reactivationDate: "11/01/2026" },
    ),
    last: fc.constantFrom(...NAMES),
    first: fc.constantFrom(...NAMES),
    middle: fc.constantFrom("", "Q", "ÖZ"),
    organization: fc.constantFrom(...ORGANIZATIONS),
    place: fc.constantFrom(...CITIES),
    code: fc.constantFrom(...TAXONOMIES),
  }),
);
type ArbitraryRow = typeof row extends fc.Arbitrary<infer T> ? T : never;
const rows = (minLength: number) =>
  fc.uniqueArray(row, { selector: ([at]) => at, minLength, maxLength: 12 });

/** Files that follow a full one, in any order of their periods. */
const chain = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom("week", "week", "full"),
      period: fc.constantFrom(...WEEKS),
      rows: rows(1),
    }),
    fc.record({
      kind: fc.constant("report"),
      npis: fc.uniqueArray(number, { minLength: 1, maxLength: 6 }),
    }),
  ),
  { minLength: 1, maxLength: 5 },
);

describe("the derived sections of a snapshot", () => {
  it("are derived from its primary sections, whatever files were merged in whatever order", async () => {
    await check(
      50,
      fc.tuple(rows(8), chain),
      async ([first, files]) => {
        using registry = new SmallRegistry();
        await registry.import(csvName(FULL_PERIOD), first.map(rawRowOf));
        assert.deepEqual(registry.faults(), []);
        for (const file of files) {
          if ("npis" in file)
            await registry.importPath(
              await writeReport(
                registry.folder,
                file.npis.map((each) => [npiOf(each), DEACTIVATED]),
              ),
              { force: true },
            );
          else {
            const from = file.kind === "full" ? "20050523" : null;
            const period = from
              ? `${from}-${file.period.slice(-8)}`
              : file.period;
            await registry.import(csvName(period), file.rows.map(rawRowOf), {
              force: true,
            });
          }
          assert.deepEqual(registry.faults(), []);
        }
      },
      6,
    );
  });
});

describe("the answers after weeks", () => {
  it("are those of a full file with the same rows", async () => {
    const weeks = fc.array(rows(1), {
      minLength: 1,
      maxLength: WEEKS.length,
    });
    await check(
      30,
      fc.tuple(rows(8), weeks),
      async ([first, others]) => {
        using merged = new SmallRegistry();
        const options = { deactivatedDetails: "withhold" } as const;
        await merged.import(csvName(FULL_PERIOD), first.map(rawRowOf), options);
        const state = new Map(first);
        for (const [at, week] of others.entries()) {
          const name = csvName(WEEKS[at]!);
          await merged.import(name, week.map(rawRowOf), options);
          for (const [provider, values] of week) state.set(provider, values);
        }
        using full = new SmallRegistry();
        await full.import(
          csvName(FULL_PERIOD),
          [...state].map(rawRowOf),
          options,
        );
        assert.deepEqual(answersOf(merged), answersOf(full));
      },
      3,
    );
  });
});

function answersOf(registry: SmallRegistry): unknown[] {
  using directory = registry.directory();
  return QUERIES.map((query) => {
    const { entries, total } = directory.found({
      ...query,
      limit: 25,
      page: 1,
    });
    return { query, total, entries };
  });
}

function rawRowOf([at, values]: ArbitraryRow): RawRow {
  const { code, dates, kind, place } = values;
  if (kind === "withheld") return withheld(at, DEACTIVATED);
  const { first, last, middle, organization } = values;
  return {
    ...person(at, {
      ...dates,
      ...place,
      ...(kind === "individual"
        ? { last, first, middle }
        : { entityType: "2", last: "", first: "", organization }),
    }),
    "Healthcare Provider Taxonomy Code_1": code,
  };
}

function csvName(period: string): string {
  return `npidata_pfile_${period}.csv`;
}
