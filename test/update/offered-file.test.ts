import assert from "node:assert/strict";
import { test } from "node:test";
import {
  newestGenerations,
  offeredFile,
} from "../../src/update/offers/offered-file.ts";

const URL_OF_IT = new URL("https://mirror.example/it.zip");

function read(name: string) {
  const offered = offeredFile(name, URL_OF_IT);
  if (offered === null) return null;
  const { name: _name, url: _url, ...facts } = offered.file;
  return { ...facts, generation: offered.generation };
}

test("recognizes full files by the month in their name, in either generation and any case", () => {
  const november = { kind: "full", month: "2026-11", end: null };
  for (const [name, generation] of [
    ["NPPES_Data_Dissemination_November_2026.zip", 1],
    ["NPPES_Data_Dissemination_November_2026_V2.zip", 2],
    ["nppes_data_dissemination_NOVEMBER_2026_v2.ZIP", 2],
    ["NPPES Data Dissemination November 2026.zip", 1],
    ["NPPES_Data_Dissemination_Nov_2026.zip", 1],
  ] as const)
    assert.deepEqual(read(name), { ...november, generation }, name);
});

test("recognizes weekly files by their period, and reports by their date", () => {
  const week = { kind: "week", begin: "2026-11-02", end: "2026-11-08" };
  assert.deepEqual(read("NPPES_Data_Dissemination_110226_110826_Weekly.zip"), {
    ...week,
    generation: 1,
  });
  assert.deepEqual(
    read("nppes_data_dissemination_110226_110826_weekly_v2.zip"),
    { ...week, generation: 2 },
  );
  assert.deepEqual(read("NPPES_Deactivated_NPI_Report_110926_V2.zip"), {
    kind: "deactivations",
    date: "2026-11-09",
    generation: 2,
  });
});

test("ignores other names", () => {
  for (const name of [
    "NPPES_Data_Dissemination_Readme.pdf",
    "NPPES_Data_Dissemination_Smarch_2026.zip",
    "NPPES_Data_Dissemination_133126_110826_Weekly.zip",
    "NPPES_Data_Dissemination_110826_110226_Weekly.zip",
    "NPPES_Data_Dissemination_022926_030126_Weekly.zip",
    "../NPPES_Data_Dissemination_November_2026.zip",
    "NPPES_Data_Dissemination_November_2026.zip.part",
    "",
  ])
    assert.equal(read(name), null, name);
});

test("picks the newer of two generations of a file, in any order", () => {
  const names = [
    "NPPES_Data_Dissemination_110226_110826_Weekly_V2.zip",
    "NPPES_Data_Dissemination_110226_110826_Weekly.zip",
    "NPPES_Data_Dissemination_November_2026.zip",
    "NPPES_Data_Dissemination_November_2026_V2.zip",
    "NPPES_Data_Dissemination_October_2026.zip",
  ];
  const files = newestGenerations(
    names.map((name) => ({ name, url: URL_OF_IT })),
  );
  assert.deepEqual(
    files.map(({ name }) => name),
    [
      "NPPES_Data_Dissemination_110226_110826_Weekly_V2.zip",
      "NPPES_Data_Dissemination_November_2026_V2.zip",
      "NPPES_Data_Dissemination_October_2026.zip",
    ],
  );
});
