import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import {
  Cell,
  CELL_COUNT,
  OFFICIAL_COLUMNS,
  bindHeader,
} from "../../src/registry/rows/header.ts";
import { RegistryFileError } from "../../src/registry/files/registry-file-error.ts";

const SHARED = new URL("../../../shared/data/registry/", import.meta.url);

function officialNames(file: string): string[] {
  return readFileSync(new URL(file, SHARED), "utf8")
    .trim()
    .slice(1, -1)
    .split('","');
}

function columnOf(names: readonly string[], cell: number): string | undefined {
  return names[bindHeader(names, "a.csv").cellOfColumn.indexOf(cell)];
}

test("there are 330 distinct official columns", () => {
  assert.equal(OFFICIAL_COLUMNS.length, 330);
  assert.equal(new Set(OFFICIAL_COLUMNS).size, 330);
});

test("the official columns are those of the published version 2 header", (t) => {
  if (!existsSync(SHARED))
    return t.skip("the folder of real registry files is not there");
  assert.deepEqual(
    OFFICIAL_COLUMNS,
    officialNames("npidata_V2_330_2025-2026.fileheader.csv"),
  );
});

test("the published version 1 header binds", (t) => {
  if (!existsSync(SHARED))
    return t.skip("the folder of real registry files is not there");
  assert.equal(
    bindHeader(
      officialNames("npidata_V1_329_2015-2016.fileheader.csv"),
      "a.csv",
    ).columns,
    329,
  );
});

test("every cell is bound to its column", () => {
  const expected: [number, string][] = [
    [Cell.npi, "NPI"],
    [Cell.entityType, "Entity Type Code"],
    [Cell.organization, "Provider Organization Name (Legal Business Name)"],
    [Cell.last, "Provider Last Name (Legal Name)"],
    [Cell.first, "Provider First Name"],
    [Cell.middle, "Provider Middle Name"],
    [Cell.credential, "Provider Credential Text"],
    [Cell.address1, "Provider First Line Business Practice Location Address"],
    [Cell.address2, "Provider Second Line Business Practice Location Address"],
    [Cell.city, "Provider Business Practice Location Address City Name"],
    [Cell.state, "Provider Business Practice Location Address State Name"],
    [
      Cell.postalCode,
      "Provider Business Practice Location Address Postal Code",
    ],
    [
      Cell.country,
      "Provider Business Practice Location Address Country Code (If outside U.S.)",
    ],
    [Cell.enumerationDate, "Provider Enumeration Date"],
    [Cell.lastUpdated, "Last Update Date"],
    [Cell.deactivationDate, "NPI Deactivation Date"],
    [Cell.reactivationDate, "NPI Reactivation Date"],
    [Cell.taxonomyCode, "Healthcare Provider Taxonomy Code_1"],
    [Cell.taxonomyCode + 14, "Healthcare Provider Taxonomy Code_15"],
    [Cell.primarySwitch, "Healthcare Provider Primary Taxonomy Switch_1"],
    [Cell.primarySwitch + 14, "Healthcare Provider Primary Taxonomy Switch_15"],
  ];
  for (const [cell, name] of expected)
    assert.equal(columnOf(OFFICIAL_COLUMNS, cell), name);
  const bound = bindHeader(OFFICIAL_COLUMNS, "a.csv").cellOfColumn.filter(
    (cell) => cell !== 0,
  );
  assert.equal(new Set(bound).size, CELL_COUNT - 1);
});

test("reordered and added columns bind by name, whatever their case and spaces", () => {
  const names = ["Added", ...OFFICIAL_COLUMNS.toReversed(), "", ""].map(
    (name) => ` ${name.toUpperCase().replace(" ", "  ")}`,
  );
  const header = bindHeader(names, "a.csv");
  assert.equal(header.columns, 333);
  assert.equal(header.cellOfColumn[330], Cell.npi);
  assert.equal(header.cellOfColumn[0], 0);
});

test("a missing column is named, with the file", () => {
  const names = OFFICIAL_COLUMNS.filter(
    (name) => name !== "NPI Reactivation Date",
  );
  assert.throws(
    () => bindHeader(names, "some/file.csv"),
    (error) =>
      error instanceof RegistryFileError &&
      error.message ===
        `some/file.csv is not a complete provider file: its first line lacks the column "NPI Reactivation Date". Give the registry's npidata_pfile CSV, or the zip that contains it.`,
  );
});

test("some of many missing columns are named and the rest counted", () => {
  assert.throws(
    () => bindHeader(["NPI"], "a.csv"),
    /lacks the columns "Entity Type Code", .*, .* and 43 more\. /,
  );
});

test("a repeated column is named", () => {
  assert.throws(
    () => bindHeader([...OFFICIAL_COLUMNS, "provider FIRST name"], "a.csv"),
    /^RegistryFileError: a\.csv has the column "provider FIRST name" twice/,
  );
});
