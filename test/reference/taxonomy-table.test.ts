import assert from "node:assert/strict";
import { existsSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { builtinTaxonomy } from "../../src/reference/builtin-specialties.ts";
import {
  parseTaxonomy,
  readTaxonomyFile,
  TaxonomyFileError,
} from "../../src/reference/taxonomy-table.ts";
import { csvRecords } from "../support/pure/reference/csv-records.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";

const NUCC_FILE = join(
  import.meta.dirname,
  "../../../shared/data/taxonomy/nucc_taxonomy_251.csv",
);

function parse(text: string) {
  return parseTaxonomy(Buffer.from(text), "table.csv");
}

test("codes and display names are found by column name", () => {
  const table = parse(
    '\ufeffSection,Display Name,Definition,Code\r\nIndividual,"Invented, Special","two\r\nlines",999X00000X\r\n',
  );
  assert.equal(table.name("999X00000X"), "Invented, Special");
  assert.equal(table.name("111N00000X"), null);
  assert.deepEqual([...table.entries()], [["999X00000X", "Invented, Special"]]);
});

test("a file that is not UTF-8 is read as windows-1252, as spreadsheets save it", () => {
  const table = parseTaxonomy(
    Buffer.from("Code,Display Name\n999X00000X,Caf\xe9 Aide\x92s\n", "latin1"),
    "old.csv",
  );
  assert.equal(table.name("999X00000X"), "Café Aide\u2019s");
});

test("an edition from before display names is refused, and the error says which ones have them", () => {
  assert.throws(
    () => parse("Code,Grouping,Classification\n999X00000X,Aides,Old\n"),
    {
      name: "TaxonomyFileError",
      message:
        /no column "Display Name"\. .* NUCC's editions have that column since 21\.1 \(nucc_taxonomy_211\.csv, July 2021\)\.$/,
    },
  );
});

test("records without a code or a name are skipped", () => {
  assert.deepEqual(
    [
      ...parse(
        "Code,Display Name\n,\n999X00000X,\n998X00000X,Kept\n\n",
      ).entries(),
    ],
    [["998X00000X", "Kept"]],
  );
});

test("records are read as CSV, with any quotes and line ends", () => {
  const field = fc.string({
    unit: fc.constantFrom("a", '"', ",", "\n", "\r", " ", "é"),
  });
  const code = fc
    .integer({ min: 0, max: 9999 })
    .map((number) => `${String(number).padStart(9, "0")}X`);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(field, code, field), { minLength: 1, maxLength: 6 }),
      fc.constantFrom("\n", "\r\n"),
      (rows, lineEnd) => {
        const csv = [["Definition", "Code", "Display Name"], ...rows]
          .map((row) =>
            row.map((value) => `"${value.replaceAll('"', '""')}"`).join(","),
          )
          .map((line) => line + lineEnd)
          .join("");
        const expected = new Map(
          csvRecords(csv)
            .slice(1)
            .map(([, key = "", name = ""]) => [key, name.trim()] as const)
            .filter(([, name]) => name !== ""),
        );
        if (expected.size === 0) return;
        assert.deepEqual(new Map(parse(csv).entries()), expected);
      },
    ),
  );
});

test("a record with too few columns or too many is read as far as it goes", () => {
  assert.deepEqual(
    [
      ...parse(
        "Code,Display Name,Notes\n999X00000X,Short\n998X00000X,Long,a,b\n997X00000X\n996X00000X,Last,",
      ).entries(),
    ],
    [
      ["999X00000X", "Short"],
      ["998X00000X", "Long"],
      ["996X00000X", "Last"],
    ],
  );
});

test("another file is refused, and the error says what to give", () => {
  const wrong: [text: string, why: RegExp][] = [
    ["", /no column "Code"/],
    ["NPI,Name\n1,2\n", /no column "Code"/],
    ["Code,Classification\n999X00000X,Old\n", /no column "Display Name"/],
    ["Code,Display Name\nSMITH,x\n", /record 2 has the code "SMITH"/],
    ["Code,Display Name\n", /has no codes/],
  ];
  for (const [text, why] of wrong) {
    assert.throws(
      () => parse(text),
      (error: unknown) => {
        assert.ok(error instanceof TaxonomyFileError);
        assert.match(error.message, why);
        assert.match(
          error.message,
          /^table\.csv is not a NUCC taxonomy file: .*Give the CSV that NUCC publishes/,
        );
        return true;
      },
    );
  }
});

test("a missing file throws the file system's error", () => {
  assert.throws(() => readTaxonomyFile("no/such/file.csv"), { code: "ENOENT" });
});

test("the built-in table has about 100 codes of the right shape, each once, with names", () => {
  const entries = [...builtinTaxonomy().entries()];
  assert.ok(
    entries.length >= 100 && entries.length <= 130,
    `${entries.length} codes`,
  );
  for (const [code, name] of entries) {
    assert.match(code, /^[0-9A-Z]{9}X$/);
    assert.notEqual(name.trim(), "");
  }
  assert.equal(
    builtinTaxonomy().name("207Q00000X"),
    "Family Medicine Physician",
  );
  assert.equal(builtinTaxonomy().name("0000000000"), null);
});

test("the built-in table agrees with NUCC's file", (t) => {
  if (!existsSync(NUCC_FILE)) return t.skip("NUCC's file is not here");
  const nucc = readTaxonomyFile(NUCC_FILE);
  assert.ok([...nucc.entries()].length > 850);
  for (const [code, name] of builtinTaxonomy().entries())
    assert.equal(nucc.name(code), name, code);
});

test("a file too large to be NUCC's is refused without reading it", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "nucc_taxonomy_999.csv");
  writeFileSync(path, "Code,Display Name\n");
  truncateSync(path, 17_000_000);
  assert.throws(() => readTaxonomyFile(path), {
    name: "TaxonomyFileError",
    message: /is not a NUCC taxonomy file: it has 17 MB\. Give the CSV/,
  });
});
