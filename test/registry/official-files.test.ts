import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readRegistryFile } from "../support/pure/registry/read-file.ts";
import { OFFICIAL_COLUMNS } from "../../src/registry/rows/header.ts";
import {
  type KeptRow,
  keptRow,
  readCsv,
} from "../support/pure/reference/read-csv.ts";

const SHARED = new URL("../../../shared/data/registry/", import.meta.url);
const ABSENT = "the folder of real registry files is not there";
const V1_HEADER = "npidata_V1_329_2015-2016.fileheader.csv";

async function readShared(file: string) {
  const rows: KeptRow[] = [];
  const summary = await readRegistryFile(fileURLToPath(new URL(file, SHARED)), {
    onRow: (row) => void rows.push(keptRow(row)),
    onBadRow: (bad) => assert.fail(JSON.stringify(bad)),
  });
  return { rows, summary };
}

/**
 * Splits the lines of a fully quoted file without quotes in its values in the obvious way, which is enough for the
 * shared files.
 */
function plainCells(text: string): string[][] {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map((line) => line.slice(1, -1).split('","'));
}

test("every row of the untouched version 1 sample is read as its plain cells say", async (t) => {
  if (!existsSync(SHARED)) return t.skip(ABSENT);
  const file = "npidata_pfile_v1_2016_sample.csv";
  const [header = [], ...cells] = plainCells(
    readFileSync(new URL(file, SHARED), "utf8"),
  );
  const { rows, summary } = await readShared(file);
  assert.deepEqual(
    [summary.rows, summary.badRows, summary.columns],
    [cells.length, 0, 329],
  );
  const cell = (row: readonly string[], column: string) =>
    row[header.indexOf(column)]?.trim() ?? "";
  for (const [index, row] of cells.entries()) {
    const read = rows[index];
    assert.equal(read?.npi, Number(cell(row, "NPI")));
    const type = cell(row, "Entity Type Code");
    assert.equal(
      read.entity,
      type === "1" ? "individual" : type === "2" ? "organization" : "withheld",
    );
    if (type === "1")
      assert.equal(read.last, cell(row, "Provider Last Name (Legal Name)"));
    assert.equal(
      read.city,
      cell(row, "Provider Business Practice Location Address City Name"),
    );
    const updated = cell(row, "Last Update Date").replace(
      /(..)\/(..)\/(....)/,
      "$3-$1-$2",
    );
    assert.equal(read.lastUpdated ?? "", type === "" ? "" : updated);
    assert.equal(
      read.deactivated,
      cell(row, "NPI Deactivation Date") !== "" &&
        cell(row, "NPI Reactivation Date") === "",
    );
  }
});

test("the weekly zips hold as many usable rows as lines, and say their weeks", async (t) => {
  if (!existsSync(SHARED)) return t.skip(ABSENT);
  const zips = readdirSync(SHARED).filter((name) => name.endsWith(".zip"));
  assert.ok(zips.length > 0);
  for (const zip of zips) {
    const { rows, summary } = await readShared(zip);
    assert.equal(summary.period.kind, "week");
    assert.equal(summary.columns, OFFICIAL_COLUMNS.length);
    assert.deepEqual([summary.rows, summary.warnings.size], [rows.length, 0]);
    const withheld = rows.filter(({ entity }) => entity === "withheld");
    assert.ok(
      withheld.every(({ deactivationDate }) => deactivationDate !== null),
    );
    const shown = rows.filter(({ entity }) => entity !== "withheld");
    assert.ok(shown.length > withheld.length);
    for (const row of shown) {
      assert.ok(
        row.enumerationDate !== null && row.lastUpdated !== null,
        String(row.npi),
      );
      assert.ok(
        row.entity === "organization"
          ? row.organization !== ""
          : row.last !== "",
        String(row.npi),
      );
      assert.match(row.taxonomy, /^(?:[0-9A-Z]{10})?$/);
      assert.equal(
        row.knownState === null,
        !row.isUsAddress || !/^[A-Z]{2}$/.test(row.state) || row.state === "FM",
      );
    }
  }
});

test("real lines with tabs inside a value are usable rows that keep them", (t) => {
  if (!existsSync(SHARED)) return t.skip(ABSENT);
  const lines = readFileSync(new URL("rows_with_tabs_2014.txt", SHARED), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replace(/^\d+:/, "").replace(/\r$/, ""));
  const header = readFileSync(new URL(V1_HEADER, SHARED), "utf8").trim();
  const { rows, bad } = readCsv(`${header}\n${lines.join("\n")}\n`, [1000]);
  assert.deepEqual(bad, []);
  assert.deepEqual(
    rows.map(({ npi }) => npi),
    lines.map((line) => Number(line.slice(1, 11))),
  );
  for (const row of rows) {
    for (const value of Object.values(row)) {
      if (typeof value === "string") assert.equal(value, value.trim());
    }
  }
});
