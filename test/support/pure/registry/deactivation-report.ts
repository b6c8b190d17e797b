/** A report of deactivated NPIs like the registry's, with invented NPIs. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import writeExcelFile, {
  type Cell,
  type SheetData,
} from "write-excel-file/node";
import { zipBytes } from "./zip-bytes.ts";

export interface ReportOptions {
  title?: string;
  sheet?: string;
  header?: readonly string[];
}

/** A row: the NPI, as text or as a number, and the date as text or as a date cell. */
export type ReportRow = readonly [
  npi: string | number | null,
  date: string | Date | null,
];

/** The bytes of a workbook: a line of title, the header, and the rows. */
export function workbookBytes(
  rows: readonly ReportRow[],
  {
    title = "NPPES Deactivated Records as of Nov 09 2026",
    sheet = "DeactivatedNPIs",
    header = ["NPI", "NPPES Deactivation Date"],
  }: ReportOptions = {},
): Promise<Buffer> {
  const cells: SheetData = [
    [{ value: title }],
    header.map((value) => ({ value })),
    ...rows.map((row) => row.map(cellOf)),
  ];
  return writeExcelFile(cells, { sheet }).toBuffer();
}

/** The bytes of the registry's zip, which holds the workbook. */
export async function reportZipBytes(
  rows: readonly ReportRow[],
  name = "NPPES Deactivated NPI Report 20261109.xlsx",
): Promise<Buffer> {
  return zipBytes([{ name, content: await workbookBytes(rows) }]);
}

/** Writes such a zip to a folder under the registry's name, and returns its path. */
export async function writeReport(
  folder: string,
  rows: readonly ReportRow[],
  name = "NPPES_Deactivated_NPI_Report_110926.zip",
): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, await reportZipBytes(rows, "report.xlsx"));
  return path;
}

function cellOf(value: ReportRow[number]): Cell {
  if (value === null) return null;
  if (typeof value === "string") return { value, type: String };
  return typeof value === "number"
    ? { value, type: Number }
    : { value, type: Date, format: "mm/dd/yyyy" };
}
