import {
  EXPORT_COLUMNS,
  type ExportColumn,
} from "../../contract/export-columns.ts";
import type { ExportFormat } from "../../contract/parameters.ts";
import type { SnapshotView } from "../../snapshot/snapshot.ts";
import { CsvRecords } from "./csv-records.ts";
import { JsonRecords } from "./json-records.ts";
import { constant, type JsonText } from "./json-text.ts";
import type { RowRecords } from "./renderer.ts";

/** A format for whole results, row by row. */
export interface RowFormat {
  readonly contentType: string;
  /** The extension of files, without a dot. */
  readonly extension: string;
  /** What comes before the first row. */
  readonly header: Uint8Array;
  /** Whether rows can have details. */
  readonly hasDetails: boolean;
  make(source: SnapshotView, out: JsonText): RowRecords;
}

const LF = constant("\n");

export const ROW_FORMATS: Readonly<Record<ExportFormat, RowFormat>> = {
  ndjson: {
    contentType: "application/x-ndjson; charset=utf-8",
    extension: "ndjson",
    header: constant(""),
    hasDetails: true,
    make(source, out) {
      const records = new JsonRecords(source, out);
      return {
        record(doc, details) {
          records.record(doc, details);
          out.raw(LF);
        },
      };
    },
  },
  csv: csvFormat(EXPORT_COLUMNS),
};

/** CSV with some columns, in their order. `mark` comes first. */
export function csvFormat(
  columns: readonly ExportColumn[],
  mark = "",
): RowFormat {
  return {
    contentType: "text/csv; charset=utf-8; header=present",
    extension: "csv",
    header: constant(`${mark}${columns.map(({ name }) => name).join(",")}\r\n`),
    hasDetails: false,
    make: (source, out) => new CsvRecords(source, out, columns),
  };
}
