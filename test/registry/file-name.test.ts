import assert from "node:assert/strict";
import { test } from "node:test";
import {
  baseName,
  comparePeriods,
  filePeriod,
  isDataFile,
  isHeaderFile,
} from "../../src/registry/files/file-name.ts";

test("a name with a week is a weekly update", () => {
  const week = { kind: "week", begin: "2024-01-01", end: "2024-01-07" };
  assert.deepEqual(filePeriod("npidata_pfile_20240101-20240107.csv"), week);
  assert.deepEqual(filePeriod("npidata_pfile_20240101-20240107_V2.csv"), week);
  assert.deepEqual(filePeriod("NPIDATA_PFILE_20240101-20240107_v2.CSV"), week);
  assert.deepEqual(
    filePeriod("folder/npidata_pfile_20240101-20240107.csv"),
    week,
  );
  assert.deepEqual(
    filePeriod("folder\\npidata_pfile_20240101-20240107.csv"),
    week,
  );
});

test("the registry's names until 2017, and changed ones, have their period too", () => {
  const week = { kind: "week", begin: "2014-04-14", end: "2014-04-20" };
  for (const name of [
    "npidata_20140414-20140420.csv",
    "npidata_pfile_20140414-20140420 (1).csv",
    "Copy of npidata_pfile_20140414-20140420.csv",
    "npidata_pfile_20140414_20140420.csv",
    "providers-20140414-20140420.csv",
  ])
    assert.deepEqual(filePeriod(name), week, name);
  assert.deepEqual(filePeriod("npidata_20050523-20140413.csv"), {
    kind: "full",
    begin: "2005-05-23",
    end: "2014-04-13",
  });
  assert.ok(isDataFile("npidata_20050523-20140413.csv"));
  assert.ok(!isDataFile("npidata_20050523-20140413FileHeader.csv"));
});

test("a name with the years since 2005 is a full file", () => {
  assert.deepEqual(filePeriod("npidata_pfile_20050523-20261109.csv"), {
    kind: "full",
    begin: "2005-05-23",
    end: "2026-11-09",
  });
});

test("a period of 31 days is an update, one of 32 a full file", () => {
  assert.equal(filePeriod("npidata_pfile_20240101-20240131.csv").kind, "week");
  assert.equal(filePeriod("npidata_pfile_20240101-20240201.csv").kind, "full");
  assert.equal(filePeriod("npidata_pfile_20240107-20240107.csv").kind, "week");
});

test("a name without a period is a full file of unknown date", () => {
  const unknown = { kind: "full", begin: null, end: null };
  for (const name of [
    "providers.csv",
    "npidata_pfile_v1_2016_sample.csv",
    "npidata_pfile_20240107-20240101.csv",
    "npidata_pfile_20241301-20241307.csv",
    "npidata_pfile_120240101-202401070.csv",
    "npidata_pfile_20240107.csv",
  ]) {
    assert.deepEqual(filePeriod(name), unknown, name);
  }
});

test("a file of column names is not a data file", () => {
  for (const name of [
    "npidata_pfile_20240101-20240107_fileheader.csv",
    "npidata_pfile_20240101-20240107_FileHeader_V2.csv",
  ]) {
    assert.ok(isHeaderFile(name), name);
    assert.equal(isDataFile(name), false, name);
  }
  assert.ok(isDataFile("a/b/npidata_pfile_20240101-20240107.csv"));
  assert.ok(isDataFile("npidata_pfile_anything.CSV"));
  for (const name of [
    "othername_pfile_20240101-20240107.csv",
    "npidata_pfile_20240101-20240107.pdf",
    "._npidata_pfile_20240101-20240107.csv",
  ]) {
    assert.equal(isDataFile(name), false, name);
  }
});

test("a base name follows the last slash or backslash", () => {
  assert.equal(baseName("a/b\\c.csv"), "c.csv");
  assert.equal(baseName("c.csv"), "c.csv");
});

test("full files come before weeks, each by its end", () => {
  const full = {
    kind: "full",
    begin: "2005-05-23",
    end: "2026-11-09",
  } as const;
  const unnamed = { kind: "full", begin: null, end: null } as const;
  const early = {
    kind: "week",
    begin: "2024-01-01",
    end: "2024-01-07",
  } as const;
  const late = {
    kind: "week",
    begin: "2026-11-10",
    end: "2026-11-15",
  } as const;
  assert.deepEqual([late, full, early, unnamed].sort(comparePeriods), [
    unnamed,
    full,
    early,
    late,
  ]);
});
