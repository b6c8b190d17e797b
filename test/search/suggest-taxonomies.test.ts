import assert from "node:assert/strict";
import { test } from "node:test";
import { person, SmallRegistry } from "../support/registry/small-registry.ts";
import { taxonomyTable } from "../../src/reference/taxonomy-table.ts";
import { taxonomyCodeColumn } from "../support/registry/raw-row.ts";

const NAMES = new Map([
  ["207Q00000X", "Family Medicine Physician"],
  ["363LF0000X", "Family Nurse Practitioner"],
  ["163W00000X", "Registered Nurse"],
]);

test("taxonomies are suggested by prefixes of words and of the code, most common first", async () => {
  using registry = new SmallRegistry();
  let number = 0;
  const rows = (count: number, code: string) =>
    Array.from({ length: count }, () => ({
      ...person(++number),
      [taxonomyCodeColumn(1)]: code,
    }));
  await registry.import(
    "npidata_pfile_20050523-20261108.csv",
    [
      ...rows(2, "207Q00000X"),
      ...rows(3, "363LF0000X"),
      ...rows(1, "363lf0000x"),
      ...rows(1, "163W00000X"),
      ...rows(5, "999X00000X"),
    ],
    { taxonomy: { table: taxonomyTable(NAMES), source: "a test" } },
  );
  using directory = registry.directory();
  const found = (text: string, most = 20) =>
    directory
      .suggestTaxonomies(text, most)
      .map(({ code, count }) => `${code} ${count}`);
  assert.deepEqual(found("fam"), ["363LF0000X 4", "207Q00000X 2"]);
  assert.deepEqual(found("nur"), ["363LF0000X 4", "163W00000X 1"]);
  assert.deepEqual(found("Prac FAM"), ["363LF0000X 4"]);
  assert.deepEqual(found("363lf"), ["363LF0000X 4"]);
  assert.deepEqual(found("amily"), []);
  assert.deepEqual(found("", 2), ["999X00000X 5", "363LF0000X 4"]);
  assert.deepEqual(directory.suggestTaxonomies("999", 1), [
    { code: "999X00000X", description: null, count: 5 },
  ]);
});
