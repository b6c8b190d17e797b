import {
  EXPORT_COLUMNS,
  type ExportColumn,
} from "../../contract/export-columns.ts";
import {
  rowFormatOf,
  type DownloadFormat,
} from "../../contract/row-formats.ts";
import type { SnapshotView } from "../../snapshot/snapshot.ts";
import { CsvRenderer, type Table } from "./csv-renderer.ts";
import { type JsonText, constant } from "./json-text.ts";
import type { Renderer } from "./renderer.ts";
import type { Hit } from "../query.ts";
import { JsonRecords } from "./json-records.ts";

const LF = constant("\n");

/** Writes a record per line, as JSON. */
export class NdjsonRenderer implements Renderer {
  readonly #out: JsonText;
  readonly #records: JsonRecords;

  constructor(snapshot: SnapshotView, out: JsonText) {
    this.#out = out;
    this.#records = new JsonRecords(snapshot, out);
  }

  begin(): void {}

  row({ doc }: Hit, details?: Uint8Array): void {
    this.#records.record(doc, details);
    this.#out.raw(LF);
  }

  end(): void {}
}

/** A format for whole results, row by row. */
export interface RowFormat {
  readonly name: DownloadFormat;
  readonly contentType: string;
  /** Makes a renderer of one snapshot's documents. */
  make(source: SnapshotView, out: JsonText): Renderer;
}

const RENDERERS = {
  "json-lines": (source, out) => new NdjsonRenderer(source, out),
  csv: (source, out, table) => new CsvRenderer(source, out, table),
  cells: (source, out, table) =>
    new CsvRenderer(source, out, { ...table, isPlain: true }),
} satisfies Record<
  ReturnType<typeof rowFormatOf>["renderer"],
  (source: SnapshotView, out: JsonText, table: Table) => Renderer
>;

/** Returns a format, with some columns and a text before the first row if it is one of tables. */
export function rowFormat(
  name: DownloadFormat,
  columns: readonly ExportColumn[] = EXPORT_COLUMNS,
  mark = "",
): RowFormat {
  const { contentType, renderer } = rowFormatOf(name);
  return {
    name,
    contentType,
    make: (source, out) =>
      RENDERERS[renderer](source, out, { columns, mark, isPlain: false }),
  };
}
