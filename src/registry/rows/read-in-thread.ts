import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { RingEmptier, ringMemory } from "./batch-ring.ts";
import { ProviderRow } from "./provider-row.ts";
import { RegistryFileError } from "../files/registry-file-error.ts";
import { BATCH_BYTES, RowBatchReader } from "./row-batch.ts";
import type {
  RegistryFileHandlers,
  RegistryFileSummary,
} from "./read-in-process.ts";
import type { ReadingResult, ReadingTask } from "./read-worker.ts";

const PROGRAM = new URL("./read-worker.ts", import.meta.url);

/**
 * Reads a registry file as readHere does, in a thread of its own: unpacking and scanning go on there while the handlers
 * do their work here. Batches of some two megabytes of CSV are handed over in shared memory.
 */
export async function readInThread(
  path: string,
  bytesTotal: number,
  handlers: RegistryFileHandlers,
  signal?: AbortSignal,
): Promise<RegistryFileSummary> {
  signal?.throwIfAborted();
  const memory = ringMemory(BATCH_BYTES);
  const ring = new RingEmptier(memory);
  const thread = new ReadingThread(
    { path, memory, details: handlers.details ?? null },
    () => ring.wake(),
  );
  try {
    const batches = memory.pieces.map((piece) => new RowBatchReader(piece));
    const row = new ProviderRow();
    let rows = 0;
    for (;;) {
      const hasEnded = thread.hasEnded;
      const piece = ring.next();
      if (piece === null) {
        if (hasEnded) break;
        await ring.filled();
        continue;
      }
      const batch = batches[piece]!;
      rows += batch.read(row, handlers);
      const { bytesRead } = batch;
      ring.empty();
      handlers.onProgress?.({ bytesRead, bytesTotal, rows });
      // A signal of the operating system is heard only when other things may run.
      await setImmediate();
      signal?.throwIfAborted();
    }
    const summary = thread.summary();
    handlers.onProgress?.({ bytesRead: bytesTotal, bytesTotal, rows });
    return summary;
  } finally {
    ring.leave();
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
