import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { promisify } from "node:util";
import { readDeactivations } from "../support/pure/registry/read-file.ts";
import {
  readSheetRows,
  WorkbookError,
  type CellValue,
} from "../../src/registry/deactivations/workbook.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import {
  rawWorkbook,
  type WorkbookParts,
} from "../support/pure/registry/raw-workbook.ts";
import { npiOf } from "../support/pure/registry/small-registry.ts";

const NAME = "NPPES Deactivated NPI Report 20261109.xlsx";
const HEADER =
  '<row><c t="inlineStr"><is><t>NPI</t></is></c><c t="inlineStr"><is><t>NPPES Deactivation Date</t></is></c></row>';
const folder = temporaryFolder();
after(() => folder[Symbol.dispose]());

async function rowsOf(
  parts: WorkbookParts,
): Promise<[line: number, cells: CellValue[]][]> {
  const rows: [number, CellValue[]][] = [];
  const bytes = await rawWorkbook(parts);
  await readSheetRows(bytes, "DeactivatedNPIs", (cells, line) =>
    rows.push([line, Array.from(cells, (cell) => cell ?? null)]),
  );
  return rows;
}

function text(value: string): string {
  return `<c t="inlineStr"><is><t>${value}</t></is></c>`;
}

async function faultOf(parts: WorkbookParts): Promise<string> {
  const error: unknown = await rowsOf(parts).then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof WorkbookError, String(error));
  return error.fault;
}

/** The header, and a row with one text of the given megabytes. */
function* longText(megabytes: number): Generator<Uint8Array> {
  const piece = Buffer.alloc(1 << 20, "A");
  yield Buffer.from(`${HEADER}<row><c t="inlineStr"><is><t>`);
  for (let left = megabytes; left > 0; left--) yield piece;
  yield Buffer.from("</t></is></c></row>");
}

/** The peak memory, in megabytes, of a process that reads a workbook as a report, and its output. */
async function peakOf(
  parts: WorkbookParts,
): Promise<{ megabytes: number; said: string }> {
  const path = join(folder.path, NAME);
  writeFileSync(path, await rawWorkbook(parts));
  const module = new URL(
    "../support/pure/registry/read-file.ts",
    import.meta.url,
  );
  const program = `
    import { readFileSync } from "node:fs";
    const { readDeactivations } = await import(${JSON.stringify(module.href)});
    const said = await readDeactivations(${JSON.stringify(path)}).then(
      ({ npis }) => npis.length + " rows",
      (error) => error.message,
    );
    // Unlike maxRSS it starts again with each program.
    const status = readFileSync("/proc/self/status", "utf8");
    const megabytes = Number(/^VmHWM:\\s+(\\d+)/m.exec(status)[1]) / 1024;
    console.log(JSON.stringify({ megabytes, said }));`;
  const programPath = join(folder.path, "peak.mjs");
  writeFileSync(programPath, program);
  const { stdout } = await promisify(execFile)(process.execPath, [programPath]);
  return JSON.parse(stdout);
}

suite("a workbook", () => {
  test("has cells of every kind, at their columns, and rows with their numbers", async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[Red]yyyy\\-mm"/><numFmt numFmtId="165" formatCode="0.00 &quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>';
    const rows = await rowsOf({
      strings:
        '<si><t>one &amp; </t></si><si><r><t>t</t></r><r><t xml:space="preserve">wo </t></r><rPh><t>TWO</t></rPh></si>',
      rows:
        '<row r="2"><c r="A2" t="s"><v>1</v></c><c r="C2" t="s"><v>0</v></c><c t="s"><v>7</v></c></row>' +
        '<row><c><v>1.5</v></c><c s="1"><v>45351</v></c><c s="2"><v>45351.5</v></c><c s="3"><v>45351</v></c><c t="b"><v>1</v></c><c t="str"><f>A1</f><v>made</v></c><c t="d"><v>2024-02-29</v></c></row>' +
        `<row r="9">${text("x".repeat(300))}</row><row/>`,
      more: [{ name: "xl/styles.xml", content: styles }],
    });
    assert.deepEqual(rows, [
      [2, ["two ", null, "one & ", null]],
      [
        3,
        [
          1.5,
          new Date("2024-02-29T00:00:00Z"),
          new Date("2024-02-29T12:00:00Z"),
          45_351,
          null,
          "made",
          "2024-02-29",
        ],
      ],
      [9, ["x".repeat(255)]],
      [10, []],
    ]);
  });

  test("has a fault: broken, missing the sheet, or too large", async () => {
    assert.equal(await faultOf({ rows: "<row>" }), "broken");
    assert.equal(await faultOf({ rows: "<row/><row", strings: "" }), "broken");
    const other = readSheetRows(
      await rawWorkbook({ rows: "" }),
      "Sheet1",
      () => {},
    );
    await assert.rejects(other, { name: "WorkbookError", fault: "missing" });
    const many = Array.from({ length: 1_000 }, (_, index) => ({
      name: `x${index}`,
      content: "",
    }));
    assert.equal(await faultOf({ rows: "", more: many }), "large");
    const strings = "<si/>".repeat(2 ** 21 + 1);
    assert.equal(await faultOf({ rows: "", strings }), "large");
    const rows = "<row/>".repeat(2 ** 20 + 1);
    assert.equal(await faultOf({ rows }), "large");
  });

  test("is read with limited memory, however small its zip is", async () => {
    const { megabytes, said } = await peakOf({ rows: longText(280) });
    assert.match(
      said,
      /is too large for a report of deactivated NPIs: xl\/worksheets\/sheet1\.xml is too long\. Give the registry's report\.$/,
    );
    assert.ok(megabytes < 300, `${megabytes} MB`);
  });

  test("with many unusable rows keeps the first ones, and counts all", async () => {
    const bad = `<row>${text("0")}${text("01/02/2020")}</row>`;
    const good = `<row>${text(npiOf(1))}${text("01/02/2020")}</row>`;
    const path = join(folder.path, NAME);
    const rows = HEADER + bad.repeat(3_000) + good;
    writeFileSync(path, await rawWorkbook({ rows }));
    const { badRows, npis, summary } = await readDeactivations(path);
    assert.equal(badRows.length, 1_000);
    assert.equal(summary.badRows, 3_000);
    assert.deepEqual(Object.fromEntries(summary.badRowsByReason), {
      invalid_npi: 3_000,
    });
    assert.equal(npis.length, 1);
  });
});
