/** The program of a thread that reads a registry file into a ring of batches. It ends when the file does, or its reader leaves. */
import { parentPort, workerData } from "node:worker_threads";
import type { MessagePort } from "node:worker_threads";
import type { DetailPart } from "../../contract/detail-parts.ts";
import { RingFiller, type RingMemory } from "./batch-ring.ts";
import { readHere } from "./read-in-process.ts";
import type { RegistryFileSummary } from "./read-in-process.ts";
import { RegistryFileError } from "../files/registry-file-error.ts";
import { RowBatchWriter } from "./row-batch.ts";

export interface ReadingTask {
  path: string;
  memory: RingMemory;
  details: ReadonlySet<DetailPart> | null;
}

/** How the reading ended. */
export type ReadingResult =
  | { kind: "read"; summary: RegistryFileSummary }
  /** The file is at fault: a RegistryFileError with this message. */
  | { kind: "refused"; message: string; cause: unknown }
  | { kind: "failed"; error: unknown };

/** The other side wants no more rows. */
class ReaderLeft extends Error {}

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
    else if (!(error instanceof ReaderLeft)) tell({ kind: "failed", error });
  }
}

async function readInto({
  details,
  memory,
  path,
}: ReadingTask): Promise<RegistryFileSummary> {
  const ring = new RingFiller(memory);
  const batches = memory.pieces.map((piece) => new RowBatchWriter(piece));
  let bytesRead = 0;
  let batch = next();
  const handOver = (): void => {
    batch.end(bytesRead);
    ring.fill();
  };
  const summary = await readHere(path, {
    details,
    onRow(row) {
      batch.row(row);
      if (batch.isFull) goOn();
    },
    onBadRow(bad) {
      batch.badRow(bad);
      if (batch.isFull) goOn();
    },
    onProgress(progress) {
      bytesRead = progress.bytesRead;
    },
  });
  handOver();
  return summary;

  function goOn(): void {
    handOver();
    batch = next();
  }

  function next(): RowBatchWriter {
    const piece = ring.next();
    if (piece === null) throw new ReaderLeft();
    const writer = batches[piece]!;
    writer.begin();
    return writer;
  }
}
