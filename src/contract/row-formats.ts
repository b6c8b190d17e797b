/** A format of rows, for exports, downloads and files. */
interface RowFormat {
  /** The value of `format`, and the extension of files. */
  readonly name: string;
  /** Its name in texts, and for whom it is; null if the name says that. */
  readonly title: string;
  readonly purpose: string | null;
  readonly description: string;
  readonly contentType: string;
  /** The renderer of its rows (`search/render/row-formats.ts`). */
  readonly renderer: string;
  /** True if requests choose columns; else a row is a record as JSON, and they choose its details with `include`. */
  readonly hasColumns: boolean;
  /** A file; null if its rows are JSON. */
  readonly example: string | null;
}

/** The formats of rows, the default first. */
export const ROW_FORMATS = [
  {
    name: "ndjson",
    title: "NDJSON",
    purpose: "for programs",
    description: "a record per line, as JSON",
    contentType: "application/x-ndjson; charset=utf-8",
    renderer: "json-lines",
    hasColumns: false,
    example: null,
  },
  {
    name: "jsonl",
    title: "JSON Lines",
    purpose: "for programs",
    description: "the same lines, as JSON Lines",
    contentType: "application/jsonl; charset=utf-8",
    renderer: "json-lines",
    hasColumns: false,
    example: null,
  },
  {
    name: "csv",
    title: "CSV",
    purpose: "for spreadsheets",
    description: "a table with a column per field",
    contentType: "text/csv; charset=utf-8; header=present",
    renderer: "csv",
    hasColumns: true,
    example: [
      "npi,entity_type,status,first_name,middle_name,last_name,credential,organization_name,enumeration_date,last_updated,deactivation_date,taxonomy_code,taxonomy_description,address_1,address_2,city,state,postal_code,country",
      '1976056766,individual,active,JOHN,QUINCY,SMITH,"MD, PHD",,2006-06-14,2026-09-21,,207RC0000X,Cardiovascular Disease Physician,676 N LAKE SHORE DR,STE 1400,CHICAGO,IL,606112923,US',
      "",
    ].join("\r\n"),
  },
] as const satisfies readonly RowFormat[];

/** The format of the explorer's downloads only. Its rows are encoded in a thread (`http/exports/workbook.ts`). */
const WORKBOOK = {
  name: "xlsx",
  title: "Excel workbook (.xlsx)",
  purpose: null,
  description: "a workbook with one sheet, whose cells are text",
  contentType:
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  renderer: "cells",
  hasColumns: true,
  example: null,
} as const satisfies RowFormat;

/** The formats of the explorer's downloads: the tables first, which people open. */
export const DOWNLOAD_FORMATS = [
  WORKBOOK,
  ...ROW_FORMATS.toSorted(
    (a, b) => Number(b.hasColumns) - Number(a.hasColumns),
  ),
];

export type ExportFormat = (typeof ROW_FORMATS)[number]["name"];
export type DownloadFormat = (typeof DOWNLOAD_FORMATS)[number]["name"];

export const EXPORT_FORMATS = ROW_FORMATS.map(({ name }) => name);

/** Finds the row of a format. */
export function rowFormatOf(name: DownloadFormat) {
  const format = DOWNLOAD_FORMATS.find((each) => each.name === name);
  if (format === undefined) throw new Error(`There is no format ${name}.`);
  return format;
}

/** Lists the titles of the formats with columns, or of those without. */
export function titlesOf(hasColumns: boolean): string[] {
  return ROW_FORMATS.filter((each) => each.hasColumns === hasColumns).map(
    ({ title }) => title,
  );
}
