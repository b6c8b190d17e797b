import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { openPromise } from "yauzl";
import { rounds } from "../support/pure/full-run.ts";
import { csvRecords } from "../support/pure/reference/csv-records.ts";
import { checkNpi } from "../../src/registry/npi.ts";
import { RegistryGeneratorError } from "../../src/registry-generator/registry-generator-error.ts";
import type { SyntheticContents } from "../../src/registry-generator/registry-files.ts";
import { writeSyntheticRegistry } from "../../src/registry-generator/write-registry.ts";

const SHARED = new URL("../../../shared/data/registry/", import.meta.url);
const DEMO = { providers: rounds(12_000, 8_000), seed: 3, otherFiles: true };
const SMALL = { ...DEMO, providers: 1_000 };
const WEEK = { from: "2026-11-10", to: "2026-11-16", changes: 2000 };
const OTHER_NAME = "Provider Other Organization Name";
const OTHER_NAME_TYPE = "Provider Other Organization Name Type Code";
const LINE_1 = "Provider Secondary Practice Location Address- Address Line 1";
const CITY = "Provider Secondary Practice Location Address - City Name";
const STATE = "Provider Secondary Practice Location Address - State Name";
const REASON = "NPI Deactivation Reason Code";
const REPLACEMENT = "Replacement NPI";

type Row = Readonly<Record<string, string>>;

/** The entries of the zip with these contents, in order. */
async function entriesOf(
  contents: SyntheticContents,
): Promise<Map<string, string>> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "other-files-"));
  const out = join(folder.path, "registry.zip");
  await writeSyntheticRegistry({ ...contents, out });
  const zip = await openPromise(out, { lazyEntries: true });
  const entries = new Map<string, string>();
  for await (const entry of zip.eachEntry())
    entries.set(
      entry.fileName,
      await text(await zip.openReadStreamPromise(entry)),
    );
  return entries;
}

/** The rows of the zip's four files. */
async function filesOf(
  contents: SyntheticContents,
): Promise<Record<"providers" | "names" | "locations" | "endpoints", Row[]>> {
  const entries = await entriesOf(contents);
  const rows = (kind: string): Row[] => {
    const [, csv = ""] =
      [...entries].find(
        ([name]) => name.startsWith(kind) && !name.includes("header"),
      ) ?? [];
    const [header = [], ...records] = csvRecords(csv);
    return records.map((record) => {
      assert.equal(record.length, header.length);
      return Object.fromEntries(
        header.map((column, at) => [column, record[at] ?? ""]),
      );
    });
  };
  return {
    providers: rows("npidata_"),
    names: rows("othername_"),
    locations: rows("pl_"),
    endpoints: rows("endpoint_"),
  };
}

const demo = filesOf(DEMO);

function byNpi(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, ({ NPI = "" }) => NPI);
}

function assertBetween(value: number, least: number, most: number): void {
  assert.ok(value >= least && value <= most, String(value));
}

test("a zip contains the other files under their official names, each with a separate header file", async () => {
  const entries = await entriesOf(SMALL);
  const period = "20050523-20261109";
  assert.deepEqual(
    [...entries.keys()],
    ["npidata", "othername", "pl", "endpoint"].flatMap((kind) => [
      `${kind}_pfile_${period}.csv`,
      `${kind}_pfile_${period}_fileheader.csv`,
    ]),
  );
  for (const [name, csv] of entries) {
    if (!name.endsWith("_fileheader.csv")) continue;
    const file = entries.get(name.replace("_fileheader", "")) ?? "";
    assert.equal(`${file.split("\n")[0]}\n`, csv);
  }
});

test("headers equal the registry's, to the space", async (t) => {
  if (!existsSync(SHARED))
    return t.skip("the folder of real registry files is not there");
  const entries = await entriesOf(SMALL);
  for (const kind of ["othername", "pl", "endpoint"]) {
    const official = readFileSync(
      new URL(`${kind}_V2_2025-06.fileheader.csv`, SHARED),
      "utf8",
    );
    const ours = entries.get(`${kind}_pfile_20050523-20261109_fileheader.csv`);
    assert.equal(ours?.trim(), official.trim());
  }
});

test("some organizations have further names, and only those that have one in their own row", async () => {
  const { names, providers } = await demo;
  const known = byNpi(providers);
  for (const row of names) {
    const [provider] = known.get(row["NPI"] ?? "") ?? [];
    assert.equal(provider?.["Entity Type Code"], "2");
    assert.notEqual(provider[OTHER_NAME], "");
    assert.notEqual(row[OTHER_NAME], "");
    assert.match(row[OTHER_NAME_TYPE] ?? "", /^[345]$/);
  }
  const organizations = providers.filter(
    (row) => row["Entity Type Code"] === "2",
  );
  assertBetween(byNpi(names).size / organizations.length, 0.05, 0.09);
  assert.ok([...byNpi(names).values()].some((rows) => rows.length > 1));
});

test("some providers have one to five secondary locations, some in mixed case", async () => {
  const { locations, providers } = await demo;
  const known = byNpi(providers);
  for (const row of locations) {
    assert.equal(checkNpi(row["NPI"] ?? ""), "ok");
    assert.notEqual(known.get(row["NPI"] ?? "")?.[0]?.["Entity Type Code"], "");
    assert.notEqual(row[LINE_1], "");
    assert.notEqual(row[CITY], "");
  }
  const counts = [...byNpi(locations).values()].map(({ length }) => length);
  assertBetween(counts.length / providers.length, 0.08, 0.1);
  assert.deepEqual(
    [...new Set(counts)].sort((a, b) => a - b),
    [1, 2, 3, 4, 5],
  );
  const share = (fits: (row: Row) => boolean) =>
    locations.filter(fits).length / locations.length;
  assertBetween(
    share((row) => /[a-z]/.test(row[CITY] ?? "")),
    0.3,
    0.4,
  );
  assertBetween(
    share((row) => /^[A-Z]{2}$/.test(row[STATE] ?? "")),
    0.98,
    1,
  );
  const twice = [...byNpi(locations).values()].find(
    ({ length }) => length === 2,
  );
  assert.notEqual(twice?.[0]?.[LINE_1], twice?.[1]?.[LINE_1]);
});

test("some providers have one to four endpoints, whose codes have descriptions", async () => {
  const { endpoints, providers } = await demo;
  const known = byNpi(providers);
  for (const row of endpoints) {
    assert.equal(checkNpi(row["NPI"] ?? ""), "ok");
    assert.notEqual(known.get(row["NPI"] ?? "")?.[0]?.["Entity Type Code"], "");
    assert.match(
      row["Endpoint"] ?? "",
      /^(https:\/\/|[0-9]{10}@).*example\.com/,
    );
    assert.match(row["Affiliation"] ?? "", /^[YN]$/);
    assert.equal(
      row["Affiliation Legal Business Name"] !== "",
      row["Affiliation"] === "Y",
    );
    for (const [code, description] of [
      ["Endpoint Type", "Endpoint Type Description"],
      ["Use Code", "Use Description"],
      ["Content Type", "Content Description"],
    ] as const)
      assert.equal(row[code] === "", row[description] === "");
    if (row["Affiliation Address Country"] === "US")
      assert.match(
        row["Affiliation Address Postal Code"] ?? "",
        /^[0-9]{5}(-?[0-9]{4})?$/,
      );
  }
  const counts = [...byNpi(endpoints).values()].map(({ length }) => length);
  assertBetween(counts.length / providers.length, 0.035, 0.055);
  assert.deepEqual(
    [...new Set(counts)].sort((a, b) => a - b),
    [1, 2, 3, 4],
  );
});

test("the main file is the same with and without them, except for reasons and replacements of deactivated providers", async () => {
  const { providers } = await demo;
  const without = await filesOf({ ...DEMO, otherFiles: false });
  assert.deepEqual(without.names, []);
  assert.deepEqual(
    providers.map((row) => ({ ...row, [REASON]: "", [REPLACEMENT]: "" })),
    without.providers,
  );
  const told = providers.filter((row) => row[REASON] !== "");
  assert.ok(told.length > 10);
  for (const row of told) {
    assert.notEqual(row["NPI Deactivation Date"], "");
    assert.match(row[REASON] ?? "", /^(DT|DB|FR|OT)$/);
  }
  const replaced = providers.filter((row) => row[REPLACEMENT] !== "");
  assert.ok(replaced.length > 0);
  for (const row of replaced) {
    assert.equal(checkNpi(row[REPLACEMENT] ?? ""), "ok");
    assert.notEqual(row[REPLACEMENT], row["NPI"]);
  }
});

test("a week has the other files' rows of its providers, new ones if they moved or were renamed", async () => {
  const full = await demo;
  const week = await filesOf({ ...DEMO, week: WEEK });
  assert.ok(week.names.length > 0);
  const changed = byNpi(week.providers);
  const before = byNpi(full.locations);
  const now = byNpi(week.locations);
  let same = 0;
  let moved = 0;
  for (const [npi, rows] of now) {
    assert.notEqual(changed.get(npi)?.[0]?.["Entity Type Code"], "");
    const old = before.get(npi);
    if (old === undefined) continue;
    if (old[0]?.[LINE_1] === rows[0]?.[LINE_1]) same++;
    else moved++;
  }
  assert.ok(same > moved && moved > 0, `${same} same, ${moved} moved`);
  const lost = [...changed.keys()].filter(
    (npi) => before.has(npi) && !now.has(npi),
  );
  for (const npi of lost)
    assert.equal(changed.get(npi)?.[0]?.["Entity Type Code"], "");
});

test("a seed gives the same other files", async () => {
  assert.deepEqual(await entriesOf(SMALL), await entriesOf(SMALL));
  assert.notDeepEqual(
    await entriesOf({ ...SMALL, seed: 4 }),
    await entriesOf(SMALL),
  );
});

test("a CSV cannot contain them", async () => {
  await assert.rejects(
    writeSyntheticRegistry({ ...DEMO, out: "registry.csv" }),
    (error) =>
      error instanceof RegistryGeneratorError &&
      /registry\.csv must end in \.zip/.test(error.message),
  );
});
