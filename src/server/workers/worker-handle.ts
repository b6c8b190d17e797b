import { Worker } from "node:worker_threads";
import type { Answers, FromWorker, ToWorker, WorkerSetup } from "./messages.ts";

const PROGRAM = new URL("./worker-thread.ts", import.meta.url);

/**
 * A limit for what a thread allocates for responses, which is soon garbage. V8 would let it grow to 100 MB before it
 * collects it; with this much, it stays in the processor's cache.
 */
const MAX_YOUNG_MB = 12;

/** Extra time for a thread to end before it is terminated, in milliseconds. */
const GRACE_MS = 2_000;

/** A worker thread, seen from the supervisor. Requests to it reject if the thread ends first. */
export class WorkerHandle {
  /** Resolves when the thread is ready for a snapshot and for listening. */
  readonly started: Promise<void>;
  /** Resolves when the thread has ended, with its error or null. */
  readonly ended: Promise<Error | null>;
  readonly #worker: Worker;
  /** Pending requests; a thread answers in order. */
  readonly #waiting: {
    resolve: (answer: unknown) => void;
    reject: (error: Error) => void;
  }[] = [];
  #isDraining = false;
  #hasEnded = false;

  /** `writeLog` gets the lines of the thread's log, `show` its lines for the terminal. */
  constructor(
    setup: WorkerSetup,
    writeLog: (lines: string) => void,
    show: (line: string) => void,
  ) {
    const worker = new Worker(PROGRAM, {
      workerData: setup,
      name: setup.name,
      resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_MB },
    });
    const started = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<Error | null>();
    this.#worker = worker;
    this.started = started.promise;
    this.ended = ended.promise;
    // A caller that does not await the start gets the failure from `ended`.
    started.promise.catch(() => undefined);
    worker.on("message", (message: FromWorker) => {
      if (message.kind === "log") writeLog(message.lines);
      else if (message.kind === "notice") show(message.line);
      else if (message.kind === "started") started.resolve();
      else this.#waiting.shift()?.resolve(message.answer);
    });
    let fault: Error | null = null;
    worker.on("error", (error) => {
      fault = error instanceof Error ? error : new Error(String(error));
    });
    worker.on("exit", () => {
      this.#hasEnded = true;
      const error = fault ?? new Error("The worker thread ended.");
      started.reject(error);
      for (const { reject } of this.#waiting.splice(0)) reject(error);
      ended.resolve(fault);
    });
  }

  /** Asks the thread to do something; resolves with its answer once it is done. */
  ask<Kind extends keyof Answers>(
    question: ToWorker & { readonly kind: Kind },
  ): Promise<Answers[Kind]>;
  ask(question: ToWorker): Promise<unknown> {
    return new Promise((resolve, reject) => {
      // What is asked after "drain" would be done after it: the thread would listen again.
      if (this.#hasEnded || this.#isDraining) {
        reject(new Error("The worker thread has ended, or is ending."));
        return;
      }
      this.#waiting.push({ resolve, reject });
      this.#post(question);
    });
  }

  /** Makes the thread finish what runs and end; it is ended by force when that takes too long. */
  async drain(withinMs: number): Promise<void> {
    if (this.#hasEnded) return;
    this.#isDraining = true;
    this.#post({ kind: "drain", withinMs });
    const limit = setTimeout(
      () => void this.#worker.terminate(),
      withinMs + GRACE_MS,
    );
    await this.ended;
    clearTimeout(limit);
  }

  #post(message: ToWorker): void {
    // Nothing is handed over: shared memory stays with both.
    this.#worker.postMessage(message, []);
  }
}
