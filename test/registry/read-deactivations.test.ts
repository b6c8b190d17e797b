import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { crc32 } from "node:zlib";
import { isoDate } from "../../src/text/dates.ts";
import { inspectRegistryFile } from "../../src/registry/files/open-file.ts";
import {
  checksumOf,
  readDeactivations,
  readRegistryFile,
} from "../support/pure/registry/read-file.ts";
import { RegistryFileError } from "../../src/registry/files/registry-file-error.ts";
import {
  reportZipBytes,
  workbookBytes,
  type ReportOptions,
  type ReportRow,
} from "../support/pure/registry/deactivation-report.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { npiOf } from "../support/pure/registry/small-registry.ts";
import { zipBytes } from "../support/pure/registry/zip-bytes.ts";

const folder = temporaryFolder();
after(() => folder[Symbol.dispose]());

const ROWS: readonly ReportRow[] = [
  [npiOf(1), "05/23/2005"],
  [npiOf(2), "11/09/2026"],
];

function saved(name: string, content: string | Uint8Array): string {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
}

/** The NPI and ISO date read from each row. */
async function read(
  rows: readonly ReportRow[],
  options: ReportOptions = {},
  name = "NPPES Deactivated NPI Report 20261109.xlsx",
) {
  const report = await readDeactivations(
    saved(name, await workbookBytes(rows, options)),
  );
  return {
    ...report,
    listed: Array.from(report.npis, (npi, at) => [
      String(npi),
      isoDate(report.days[at] ?? 0),
    ]),
  };
}

async function sentenceOf(path: string): Promise<string> {
  const error: unknown = await readDeactivations(path).then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof RegistryFileError, String(error));
  assert.ok(error.message.startsWith(path), error.message);
  return error.message.slice(path.length + 1);
}

suite("a report of deactivated NPIs", () => {
  test("is read from the registry's zip, and as a workbook", async () => {
    const zip = await reportZipBytes(ROWS);
    const workbook = await workbookBytes(ROWS);
    for (const path of [
      saved("NPPES_Deactivated_NPI_Report_110926.zip", zip),
      saved("nppes_deactivated_npi_report_110926_v2.ZIP", zip),
      saved("NPPES Deactivated NPI Report 20261109.xlsx", workbook),
      saved("nppes deactivated npi report 20261109.XLSX", workbook),
    ]) {
      const { npis, summary } = await readDeactivations(path);
      assert.deepEqual(Array.from(npis, String), [npiOf(1), npiOf(2)]);
      assert.equal(summary.rows, 2);
      assert.equal(summary.badRows, 0);
      const period = { kind: "deactivations", begin: null, end: "2026-11-09" };
      assert.deepEqual(summary.period, period);
      assert.deepEqual((await inspectRegistryFile(path)).period, period);
    }
  });

  test("has the length and checksum of its workbook, in a zip or not", async () => {
    const content = await workbookBytes(ROWS);
    const name = "NPPES Deactivated NPI Report 20261109.xlsx";
    const zip = saved("r.zip", await zipBytes([{ name, content }]));
    for (const path of [zip, saved(name, content)]) {
      const { summary } = await readDeactivations(path);
      assert.equal(summary.bytes, content.length);
      assert.equal(summary.crc32, crc32(content));
      assert.equal(await checksumOf(path), crc32(content));
      const { bytes, crc32: declared } = await inspectRegistryFile(path);
      assert.equal(bytes, content.length);
      assert.equal(declared, path === zip ? crc32(content) : null);
    }
  });

  test("has NPIs as text or numbers, and dates as text or date cells", async () => {
    const { listed } = await read([
      [npiOf(1), "05/23/2005"],
      [Number(npiOf(2)), new Date("2024-02-29")],
      [` ${npiOf(3)} `, "1/2/2024"],
      [npiOf(4), "2024-12-31"],
    ]);
    assert.deepEqual(listed, [
      [npiOf(1), "2005-05-23"],
      [npiOf(2), "2024-02-29"],
      [npiOf(3), "2024-01-02"],
      [npiOf(4), "2024-12-31"],
    ]);
  });

  test("reports unusable rows with reason and row of the sheet", async () => {
    const wrongDigit = String(Number(npiOf(1)) + 1);
    const { badRows, listed, summary } = await read([
      [npiOf(1), "05/23/2005"],
      [wrongDigit, "05/23/2005"],
      [null, null],
      ["none", "05/23/2005"],
      [npiOf(2), "02/30/2005"],
      [npiOf(3), null],
    ]);
    assert.deepEqual(listed, [[npiOf(1), "2005-05-23"]]);
    assert.deepEqual(badRows, [
      { line: 4, reason: "invalid_npi", npi: wrongDigit },
      { line: 6, reason: "invalid_npi" },
      { line: 7, reason: "invalid_deactivation_date", npi: npiOf(2) },
      { line: 8, reason: "invalid_deactivation_date", npi: npiOf(3) },
    ]);
    assert.deepEqual(Object.fromEntries(summary.badRowsByReason), {
      invalid_npi: 2,
      invalid_deactivation_date: 2,
    });
  });

  test("has the date in its title if its name has none", async () => {
    for (const [title, end] of [
      ["NPPES Deactivated Records as of Apr 14 2025", "2025-04-14"],
      ["Deactivated as of November 9, 2026 ", "2026-11-09"],
      ["as of 11/09/2026", "2026-11-09"],
    ] as const) {
      const path = saved("mine.xlsx", await workbookBytes(ROWS, { title }));
      const { period } = await inspectRegistryFile(path);
      assert.deepEqual(period, { kind: "deactivations", begin: null, end });
    }
    const untold = saved(
      "mine.xlsx",
      await workbookBytes(ROWS, { title: "Deactivated as of late" }),
    );
    assert.match(
      await sentenceOf(untold),
      /^has no date in its name or title\. Rename it to NPPES_Deactivated_NPI_Report_MMDDYY/,
    );
  });

  test("is not confused with other workbooks or files", async () => {
    const other = await workbookBytes(ROWS, { sheet: "Sheet1" });
    assert.match(
      await sentenceOf(saved("a.xlsx", other)),
      /^is not a report of deactivated NPIs: it has no sheet DeactivatedNPIs\. Give /,
    );
    const columns = await workbookBytes(ROWS, { header: ["NPI", "Name"] });
    assert.match(
      await sentenceOf(saved("b.xlsx", columns)),
      /^is not a report of deactivated NPIs: its sheet DeactivatedNPIs has no columns "NPI" and "NPPES Deactivation Date"\. Download it again\.$/,
    );
    assert.match(
      await sentenceOf(saved("c.xlsx", await workbookBytes([]))),
      /^lists no NPIs\. Download it again/,
    );
    const broken = await zipBytes([{ name: "xl/workbook.xml", content: "<" }]);
    assert.match(
      await sentenceOf(saved("d.xlsx", broken)),
      /^is not a readable Excel workbook\. Download it again\.$/,
    );
    const no = await zipBytes([{ name: "r.xlsx", content: "none" }]);
    assert.match(
      await sentenceOf(saved("e.zip", no)),
      /^is not a readable Excel workbook\. Download it again\.$/,
    );
  });

  test("that is cut short or changed in its zip is found", async () => {
    const zip = await reportZipBytes(ROWS);
    assert.match(
      await sentenceOf(saved("cut.zip", zip.subarray(0, zip.length - 100))),
      /^is a damaged zip/,
    );
    zip[zip.length >> 1]! ^= 1;
    assert.match(await sentenceOf(saved("x.zip", zip)), /^is a damaged zip/);
  });

  test("is not read as a provider file", async () => {
    const path = saved("f.xlsx", await workbookBytes(ROWS));
    await assert.rejects(
      readRegistryFile(path, { onRow: () => assert.fail() }),
      {
        name: "RegistryFileError",
        message: /is an Excel workbook\. Give the registry's zip or CSV/,
      },
    );
  });

  test("stops on request", async () => {
    const path = saved(
      "NPPES Deactivated NPI Report 20261109.xlsx",
      await workbookBytes(ROWS),
    );
    const stop = new AbortController();
    const reading = readDeactivations(path, stop.signal);
    stop.abort(new Error("stopped"));
    await assert.rejects(reading, /stopped/);
  });
});
