import { setImmediate } from "node:timers/promises";
import type { DetailPart } from "../../contract/detail-parts.ts";
import { TaskProgram } from "../../threads/task-thread.ts";
import { DETAIL_COLUMNS } from "../details/detail-encoder.ts";
import { filePeriod, type FilePeriod } from "../files/file-name.ts";
import { FileSource, scanCsv, type FileRange } from "../files/file-source.ts";
import { RegistryFileError } from "../files/registry-file-error.ts";
import { bindHeader } from "./header.ts";
import type { BadRowReason, RowHandlers, RowWarning } from "./provider-row.ts";
import {
  makeRowQueue,
  RowReceiver,
  RowSender,
  type RowQueue,
} from "./row-queue.ts";
import { RowReader } from "./row-reader.ts";

/** With less CSV, such as a week, reading takes less time than starting a thread. */
const MIN_THREAD_BYTES = 100_000_000;

/** Progress in a file. */
export interface ReadProgress {
  /** Bytes of the file (compressed in a zip) read so far, and in total. */
  bytesRead: number;
  bytesTotal: number;
  /** Usable rows so far. */
  rows: number;
}

export interface RegistryFileHandlers extends RowHandlers {
  /** Called every few megabytes of CSV, and at the end with `bytesRead` equal to `bytesTotal`. */
  onProgress?(progress: ReadProgress): void;
}

/** A summary of a registry file. */
export interface RegistryFileSummary {
  /** Name of the CSV file without folders: that of the zip entry, or of the file. */
  name: string;
  period: FilePeriod;
  /** Length and CRC-32 of the CSV. */
  bytes: number;
  crc32: number;
  /** Columns in its header: 329 in version 1, 330 in version 2. */
  columns: number;
  /** Usable rows. */
  rows: number;
  /** Unusable rows: how many, and why. */
  badRows: number;
  badRowsByReason: ReadonlyMap<BadRowReason, number>;
  warnings: ReadonlyMap<RowWarning, number>;
  /** Values of the shape of a Social Security number that were masked, in any row. */
  maskedNumbers: number;
}

/**
 * Reads a registry file, the official zip or a CSV, row by row. Throws RegistryFileError if the file is broken or not a
 * registry file. This can happen after rows were passed on, so they are valid only once this returns. Aborting `signal`
 * stops it within a few megabytes and throws the signal's reason. A file with at least `minThreadBytes` of CSV is
 * decompressed and scanned in a thread.
 */
export async function readRegistryFile(
  source: FileSource,
  handlers: RegistryFileHandlers,
  signal?: AbortSignal,
  minThreadBytes: number = MIN_THREAD_BYTES,
): Promise<RegistryFileSummary> {
  signal?.throwIfAborted();
  const { content, path } = source.range;
  if (content === "workbook")
    throw new RegistryFileError(
      `${path} is an Excel workbook. Give the registry's zip or CSV.`,
    );
  return await (source.contentBytes >= minThreadBytes
    ? readInThread(source, handlers, signal)
    : readRows(source, handlers, signal));
}

/** Reads in the calling thread. */
async function readRows(
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
    maskedNumbers: source.maskedNumbers,
  };
}

interface ReadingTask {
  range: FileRange;
  queue: RowQueue;
  details: ReadonlySet<DetailPart> | null;
}

/** Reads a range into a row queue. */
const READING = new TaskProgram(
  import.meta.url,
  {
    name: "reading",
    purpose: "reads the file",
    errors: [RegistryFileError],
  },
  (task: ReadingTask) => {
    const summary = readInto(task);
    // Thrown when the summary is requested.
    summary.catch(() => {});
    return { summary: () => summary };
  },
);

async function readInto({
  details,
  queue,
  range,
}: ReadingTask): Promise<RegistryFileSummary> {
  const sender = new RowSender(queue);
  const summary = await readRows(new FileSource(range), {
    details,
    onRow: (row) => sender.row(row),
    onBadRow: (bad) => sender.badRow(bad),
    onProgress({ bytesRead }) {
      sender.bytesRead = bytesRead;
    },
  });
  sender.end();
  return summary;
}

/** Decompresses and scans in a thread while the handlers run here. */
async function readInThread(
  { range }: FileSource,
  handlers: RegistryFileHandlers,
  signal?: AbortSignal,
): Promise<RegistryFileSummary> {
  const { bytesTotal } = range;
  const queue = makeRowQueue();
  const receiver = new RowReceiver(queue);
  await using thread = READING.inThread({
    range,
    queue,
    details: handlers.details ?? null,
  });
  let hasEnded = false;
  const summary = thread.ask("summary").finally(() => {
    hasEnded = true;
    receiver.wake();
  });
  // Its error is thrown below, unless a handler throws first.
  summary.catch(() => {});
  for (;;) {
    const wereAllSent = hasEnded;
    if (!receiver.receive(handlers)) {
      if (wereAllSent) break;
      await receiver.filled();
      continue;
    }
    const { bytesRead, rows } = receiver;
    handlers.onProgress?.({ bytesRead, bytesTotal, rows });
    // Signals of the operating system are only delivered when the event loop runs.
    await setImmediate();
    signal?.throwIfAborted();
  }
  const read = await summary;
  const { rows } = receiver;
  handlers.onProgress?.({ bytesRead: bytesTotal, bytesTotal, rows });
  return read;
}
