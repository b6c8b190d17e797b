import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { rawRow } from "./raw-row.ts";
import {
  officialColumns,
  officialLayout,
  registryCsv,
} from "./registry-csv.ts";

const HEADERS = [
  ["V1", "npidata_V1_329_2015-2016.fileheader.csv"],
  ["V2", "npidata_V2_330_2025-2026.fileheader.csv"],
] as const;
const ROW = rawRow({
  npi: "1234567893",
  organization: 'THE "SMITH" CLINIC, INC.',
  address1: "1\nMAIN",
});
const CLINIC = rawRow({
  npi: "1234567893",
  organization: 'THE "SMITH" CLINIC, INC.',
});
const COLUMNS = [
  "Provider First Line Business Practice Location Address",
  "NPI",
  "Provider Organization Name (Legal Business Name)",
];

describe("registryCsv", () => {
  it("writes the official columns, 329 in V1 and 330 in V2", () => {
    assert.equal(officialColumns("V1").length, 329);
    assert.equal(officialColumns("V2").length, 330);
    assert.equal(officialColumns("V2").at(-1), "Certification Date");
  });

  for (const [version, file] of HEADERS) {
    it(`has the columns of the official file, ${version}`, (t) => {
      const path = new URL(
        `../../../../../shared/data/registry/${file}`,
        import.meta.url,
      );
      if (!existsSync(path)) {
        t.skip("the official header files are not there (../shared)");
        return;
      }
      const header = registryCsv([], {
        ...officialLayout(),
        columns: officialColumns(version),
        lastNewline: false,
      });
      assert.equal(header, readFileSync(path, "utf8").trim());
    });
  }

  it("quotes every value, doubling quotes", () => {
    const text = registryCsv([CLINIC], {
      ...officialLayout(),
      columns: COLUMNS.slice(1),
    });
    assert.equal(
      text.split("\n")[1],
      '"1234567893","THE ""SMITH"" CLINIC, INC."',
    );
  });

  it("quotes only when needed, in any order of columns, with CRLF, a BOM and no last newline", () => {
    const layout = {
      columns: COLUMNS,
      quotes: "when needed",
      newline: "\r\n",
      bom: true,
      lastNewline: false,
    } as const;
    const header = COLUMNS.join(",");
    assert.equal(
      registryCsv([ROW], layout),
      `\u{FEFF}${header}\r\n"1\nMAIN",1234567893,"THE ""SMITH"" CLINIC, INC."`,
    );
  });

  it("refuses a value that the layout has no column for", () => {
    assert.throws(
      () => registryCsv([ROW], { ...officialLayout(), columns: ["NPI"] }),
      /no column Provider/,
    );
  });
});
