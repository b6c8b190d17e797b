import { readFirstRow } from "../../csv/csv-text.ts";
import { DETAIL_COLUMNS } from "../details/detail-cells.ts";
import { filePeriod, type FilePeriod } from "../files/file-name.ts";
import type { FileSource } from "../files/file-source.ts";
import { RegistryFileError } from "../files/registry-file-error.ts";
import { bindHeader } from "./header.ts";
import type { BadRowReason, RowHandlers, RowWarning } from "./provider-row.ts";
import { RowReader } from "./row-reader.ts";

/** A header is some 12 KB; a first line that does not end within this is no header. */
const LONGEST_HEADER_BYTES = 1 << 20;

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
 * Reads a source's rows in the thread that calls. Throws a RegistryFileError when it is broken or is no provider file. An
 * aborted `signal` stops it within a megabyte and throws the signal's reason.
 */
export async function readRows(
  source: FileSource,
  handlers: RegistryFileHandlers,
  signal?: AbortSignal,
): Promise<RegistryFileSummary> {
  const { bytesTotal, path } = source.range;
  let columns = 0;
  const tell = (bytesRead: number, rows: number): void =>
    handlers.onProgress?.({ bytesRead, bytesTotal, rows });
  const reader = await scanCsv(
    source,
    (names, line) => {
      const details = handlers.details ? DETAIL_COLUMNS : [];
      const header = bindHeader(names, path, details);
      columns = header.columns;
      return new RowReader(header, line, handlers);
    },
    ({ rows }) => tell(source.bytesRead, rows),
    signal,
  );
  tell(bytesTotal, reader.rows);
  let badRows = 0;
  for (const count of reader.badRows.values()) badRows += count;
  return {
    name: source.name,
    period: filePeriod(source.name),
    bytes: source.contentBytesRead,
    crc32: source.checksum,
    columns,
    rows: reader.rows,
    badRows,
    badRowsByReason: reader.badRows,
    warnings: reader.warnings,
  };
}

/** What takes the bytes behind a header: in chunks of any size, then the end. */
interface CsvReader {
  push(chunk: Uint8Array): void;
  end(): void;
}

/**
 * Gives all of a CSV to the reader that `begin` makes for its header: the names of the columns, and the physical line, from
 * 1, on which the rows begin. `onChunk` is called after each chunk. Throws as `readRows` does.
 */
export async function scanCsv<Reader extends CsvReader>(
  source: FileSource,
  begin: (names: readonly string[], line: number) => Reader,
  onChunk?: (reader: Reader) => void,
  signal?: AbortSignal,
): Promise<Reader> {
  const chunks = source.chunks();
  try {
    let bytes = new Uint8Array(0);
    let reader: Reader | null = null;
    while (reader === null) {
      const chunk = await chunks.next();
      if (chunk.done !== true) bytes = joined(bytes, chunk.value);
      const first = readFirstRow(bytes, chunk.done === true);
      if (first !== null) {
        reader = begin(first.cells, first.nextLine);
        reader.push(bytes.subarray(first.next));
      } else if (bytes.length > LONGEST_HEADER_BYTES)
        throw new RegistryFileError(
          `${source.range.path} is no CSV file, for its first line does not end: give the registry's zip or CSV.`,
        );
    }
    onChunk?.(reader);
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      reader.push(chunk);
      onChunk?.(reader);
    }
    reader.end();
    return reader;
  } finally {
    await chunks.return();
  }
}

function joined(
  first: Uint8Array,
  second: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
