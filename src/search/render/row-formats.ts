import {
  EXPORT_COLUMNS,
  type ExportColumn,
} from "../../contract/export-columns.ts";
import { rowFormatOf, type ExportFormat } from "../../contract/row-formats.ts";
import type { SnapshotView } from "../../snapshot/snapshot.ts";
import { CsvRenderer, type Table } from "./csv-renderer.ts";
import type { JsonText } from "./json-text.ts";
import { NdjsonRenderer } from "./ndjson-renderer.ts";
import type { Renderer } from "./renderer.ts";

/** A format for whole results, row by row. */
export interface RowFormat {
  readonly name: ExportFormat;
  readonly contentType: string;
  /** Makes a renderer of one snapshot's documents. */
  make(source: SnapshotView, out: JsonText): Renderer;
}

const RENDERERS = {
  "json-lines": (source, out) => new NdjsonRenderer(source, out),
  csv: (source, out, table) => new CsvRenderer(source, out, table),
} satisfies Record<
  ReturnType<typeof rowFormatOf>["renderer"],
  (source: SnapshotView, out: JsonText, table: Table) => Renderer
>;

/** A format, with some columns and a text before the first row if it is one of tables. */
export function rowFormat(
  name: ExportFormat,
  columns: readonly ExportColumn[] = EXPORT_COLUMNS,
  mark = "",
): RowFormat {
  const { contentType, renderer } = rowFormatOf(name);
  return {
    name,
    contentType,
    make: (source, out) => RENDERERS[renderer](source, out, { columns, mark }),
  };
}
