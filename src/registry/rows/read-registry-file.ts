import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import {
  dateByName,
  readDeactivations,
} from "../deactivations/read-deactivations.ts";
import { filePeriod, type FilePeriod } from "../files/file-name.ts";
import type { FileSource } from "../files/file-source.ts";
import { RegistryFile } from "../files/open-file.ts";
import { RegistryFileError } from "../files/registry-file-error.ts";
import {
  readRows,
  type RegistryFileHandlers,
  type RegistryFileSummary,
} from "./read-rows.ts";
import type { ReadingResult, ReadingTask } from "./read-worker.ts";
import { makeRowQueue, RowReceiver } from "./row-queue.ts";

const PROGRAM = new URL("./read-worker.ts", import.meta.url);

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

/** Unpacking and scanning go on in the thread while the handlers do their work here. */
async function readInThread(
  { range }: FileSource,
  handlers: RegistryFileHandlers,
  signal?: AbortSignal,
): Promise<RegistryFileSummary> {
  const { bytesTotal } = range;
  const queue = makeRowQueue();
  const receiver = new RowReceiver(queue);
  const thread = new ReadingThread(
    { range, queue, details: handlers.details ?? null },
    () => receiver.wake(),
  );
  try {
    for (;;) {
      const { hasEnded } = thread;
      if (!receiver.receive(handlers)) {
        if (hasEnded) break;
        await receiver.filled();
        continue;
      }
      const { bytesRead, rows } = receiver;
      handlers.onProgress?.({ bytesRead, bytesTotal, rows });
      // A signal of the operating system is heard only when other things may run.
      await setImmediate();
      signal?.throwIfAborted();
    }
    const summary = thread.summary();
    const { rows } = receiver;
    handlers.onProgress?.({ bytesRead: bytesTotal, bytesTotal, rows });
    return summary;
  } finally {
    receiver.leave();
    await thread.ended;
  }
}

class ReadingThread {
  hasEnded = false;
  readonly ended: Promise<void>;
  #result: ReadingResult = {
    kind: "failed",
    error: new Error("The thread that reads the file ended early."),
  };

  constructor(task: ReadingTask, onEnd: () => void) {
    const worker = new Worker(PROGRAM, { workerData: task, name: "reading" });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    worker.on("message", (result: ReadingResult) => {
      this.#result = result;
    });
    worker.on("error", (error) => {
      this.#result = { kind: "failed", error };
    });
    worker.on("exit", () => {
      this.hasEnded = true;
      resolve();
      onEnd();
    });
  }

  /** What the thread read; throws what it threw. */
  summary(): RegistryFileSummary {
    const result = this.#result;
    if (result.kind === "read") return result.summary;
    throw result.kind === "refused"
      ? new RegistryFileError(result.message, { cause: result.cause })
      : result.error;
  }
}
