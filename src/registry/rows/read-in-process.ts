import type { BadRowReason, RowWarning } from "./bad-row.ts";
import type { CsvSource } from "../files/csv-source.ts";
import { filePeriod } from "../files/file-name.ts";
import type { FilePeriod } from "../files/file-name.ts";
import { DETAIL_COLUMNS } from "../details/detail-cells.ts";
import { bindHeader } from "./header.ts";
import type { Header } from "./header.ts";
import { openFile } from "../files/open-file.ts";
import { readHeader } from "./read-header.ts";
import { RegistryFileError } from "../files/registry-file-error.ts";
import { RowReader } from "./row-reader.ts";
import type { RowHandlers } from "./row-reader.ts";

/** How far a file has been read. */
export interface ReadProgress {
  /** Bytes of the file itself (compressed ones of a zip), and how many of them hold the data. */
  bytesRead: number;
  bytesTotal: number;
  /** Usable rows so far. */
  rows: number;
}

export interface RegistryFileHandlers extends RowHandlers {
  /** Called every few megabytes of CSV, and once more at the end with `bytesRead` equal to `bytesTotal`. */
  onProgress?(progress: ReadProgress): void;
}

/** What a registry file was. */
export interface RegistryFileSummary {
  /** The CSV file's name without folders: the zip's entry, or the file itself. */
  name: string;
  period: FilePeriod;
  /** Length and CRC-32 of the CSV. */
  bytes: number;
  crc32: number;
  /** Columns in its header: 329 in version 1, 330 in version 2. */
  columns: number;
  /** Usable rows. */
  rows: number;
  /** Rows that could not be used: how many, and why. */
  badRows: number;
  badRowsByReason: ReadonlyMap<BadRowReason, number>;
  warnings: ReadonlyMap<RowWarning, number>;
}

/**
 * Reads a registry file, the official zip or a CSV, row by row, in the thread that calls. Throws a RegistryFileError when
 * the file is broken or is not one; that may be after rows were handed out, so what they went into is valid only when
 * this returns. An aborted `signal` stops it within a megabyte and throws the signal's reason.
 */
export async function readHere(
  path: string,
  handlers: RegistryFileHandlers,
  signal?: AbortSignal,
): Promise<RegistryFileSummary> {
  signal?.throwIfAborted();
  await using source = await openFile(path);
  if (source.content === "workbook")
    throw new RegistryFileError(
      `${path} is an Excel workbook: give the registry's zip or CSV.`,
    );
  const chunks = source.chunks();
  try {
    const { names, rest, line } = await readHeader(chunks, path);
    const header = bindHeader(
      names,
      path,
      handlers.details ? DETAIL_COLUMNS : [],
    );
    const reader = new RowReader(header, line, handlers);
    reader.push(rest);
    handlers.onProgress?.(progressOf(source, reader));
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      reader.push(chunk);
      handlers.onProgress?.(progressOf(source, reader));
    }
    reader.end();
    handlers.onProgress?.({
      ...progressOf(source, reader),
      bytesRead: source.bytesTotal,
    });
    return summaryOf(source, header, reader);
  } finally {
    await chunks.return();
  }
}

function summaryOf(
  source: CsvSource,
  header: Header,
  reader: RowReader,
): RegistryFileSummary {
  let badRows = 0;
  for (const count of reader.badRows.values()) badRows += count;
  return {
    name: source.name,
    period: filePeriod(source.name),
    bytes: source.csvBytesRead,
    crc32: source.checksum,
    columns: header.columns,
    rows: reader.rows,
    badRows,
    badRowsByReason: reader.badRows,
    warnings: reader.warnings,
  };
}

function progressOf(source: CsvSource, reader: RowReader): ReadProgress {
  return {
    bytesRead: source.bytesRead,
    bytesTotal: source.bytesTotal,
    rows: reader.rows,
  };
}
