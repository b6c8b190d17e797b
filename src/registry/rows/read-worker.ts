/** The program of a thread that reads a registry file into a queue of rows. It ends with the file, or when the receiver leaves. */
import { parentPort, workerData } from "node:worker_threads";
import type { MessagePort } from "node:worker_threads";
import type { DetailPart } from "../../contract/detail-parts.ts";
import { FileSource, type FileRange } from "../files/file-source.ts";
import { RegistryFileError } from "../files/registry-file-error.ts";
import { readRows, type RegistryFileSummary } from "./read-rows.ts";
import { ReceiverLeftError, RowSender, type RowQueue } from "./row-queue.ts";

export interface ReadingTask {
  range: FileRange;
  queue: RowQueue;
  details: ReadonlySet<DetailPart> | null;
}

/** How the reading ended. */
export type ReadingResult =
  | { kind: "read"; summary: RegistryFileSummary }
  /** The file is at fault: a RegistryFileError with this message. */
  | { kind: "refused"; message: string; cause: unknown }
  | { kind: "failed"; error: unknown };

if (parentPort === null)
  throw new Error("This file is the program of a worker thread.");
const task: ReadingTask = workerData;
await run(task, parentPort);

async function run(reading: ReadingTask, port: MessagePort): Promise<void> {
  const tell = (result: ReadingResult): void => port.postMessage(result);
  try {
    tell({ kind: "read", summary: await readInto(reading) });
  } catch (error) {
    if (error instanceof RegistryFileError)
      tell({ kind: "refused", message: error.message, cause: error.cause });
    else if (!(error instanceof ReceiverLeftError))
      tell({ kind: "failed", error });
  }
}

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
