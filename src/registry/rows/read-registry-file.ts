import { setImmediate } from "node:timers/promises";
import type { DetailPart } from "../../contract/detail-parts.ts";
import { TaskProgram } from "../../threads/task-thread.ts";
import {
  dateByName,
  readDeactivations,
} from "../deactivations/read-deactivations.ts";
import { filePeriod, type FilePeriod } from "../files/file-name.ts";
import { FileSource, type FileRange } from "../files/file-source.ts";
import { RegistryFile } from "../files/open-file.ts";
import { RegistryFileError } from "../files/registry-file-error.ts";
import {
  readRows,
  type RegistryFileHandlers,
  type RegistryFileSummary,
} from "./read-rows.ts";
import {
  makeRowQueue,
  RowReceiver,
  RowSender,
  type RowQueue,
} from "./row-queue.ts";

/** A file with less CSV, such as a week, is read sooner than a thread is of use. */
const LEAST_BYTES = 100_000_000;

/** What a registry file says of itself before its rows are read. */
export interface RegistryFileInfo {
  /** The CSV file's or the workbook's name without folders: the zip's entry, or the file itself. */
  name: string;
  period: FilePeriod;
  /** Length of the CSV or the workbook, unpacked. */
  bytes: number;
  /** CRC-32 of it as a zip declares it; null for a file that is in none, which would have to be read whole. */
  crc32: number | null;
}

/** Opens a registry file to inspect it. Throws a RegistryFileError when it is not one. */
export async function inspectRegistryFile(
  path: string,
): Promise<RegistryFileInfo> {
  await using file = await RegistryFile.open(path);
  return await inspect(file);
}

/** Looks at a registry file without reading it, but for a report of deactivated NPIs whose name tells no date: its title does. */
export async function inspect(file: RegistryFile): Promise<RegistryFileInfo> {
  const { path, source } = file;
  const { contentBytes: bytes, name, range } = source;
  const crc32 = range.entry?.crc32 ?? null;
  if (range.content === "csv")
    return { name, period: filePeriod(name), bytes, crc32 };
  const end = dateByName(path, name);
  const period =
    end === null
      ? (await readDeactivations(file)).summary.period
      : ({ kind: "deactivations", begin: null, end } as const);
  return { name, period, bytes, crc32 };
}

/**
 * CRC-32 of a registry file's CSV or workbook, read whole. Throws a RegistryFileError where it cannot be read, and the
 * reason of an aborted `signal`.
 */
export async function checksumOf(
  { source }: RegistryFile,
  signal?: AbortSignal,
): Promise<number> {
  for await (const _ of source.chunks()) signal?.throwIfAborted();
  return source.checksum;
}

/**
 * Reads a registry file, the official zip or a CSV, row by row. Throws a RegistryFileError when the file is broken or is
 * not one; that may be after rows were handed out, so what they went into is valid only when this returns.
 * An aborted `signal` stops it within some megabytes and throws the signal's reason. A file with at least
 * `leastThreadBytes` of CSV is unpacked and scanned in a thread of its own.
 */
export async function readRegistryFile(
  { path, source }: RegistryFile,
  handlers: RegistryFileHandlers,
  signal?: AbortSignal,
  leastThreadBytes: number = LEAST_BYTES,
): Promise<RegistryFileSummary> {
  signal?.throwIfAborted();
  if (source.range.content === "workbook")
    throw new RegistryFileError(
      `${path} is an Excel workbook: give the registry's zip or CSV.`,
    );
  return await (source.contentBytes >= leastThreadBytes
    ? readInThread(source, handlers, signal)
    : readRows(source, handlers, signal));
}

interface ReadingTask {
  range: FileRange;
  queue: RowQueue;
  details: ReadonlySet<DetailPart> | null;
}

/** Reads a range into a queue of rows. */
const READING = new TaskProgram(
  import.meta.url,
  {
    name: "reading",
    purpose: "reads the file",
    errors: [RegistryFileError],
  },
  (task: ReadingTask) => {
    const summary = readInto(task);
    // It is thrown to the one who asks for the summary.
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

/** Unpacking and scanning go on in the thread while the handlers do their work here. */
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
  // What it throws is thrown below, unless a handler throws before.
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
    // A signal of the operating system is heard only when other things may run.
    await setImmediate();
    signal?.throwIfAborted();
  }
  const read = await summary;
  const { rows } = receiver;
  handlers.onProgress?.({ bytesRead: bytesTotal, bytesTotal, rows });
  return read;
}
