import { Worker } from "node:worker_threads";
import type { ScopesOrder, ScopesResult } from "./scopes-worker.ts";
import { SnapshotFormatError } from "../container/section-file.ts";
import { ScopesMaker, type ScopesTask } from "./write-scopes.ts";

const PROGRAM = new URL("./scopes-worker.ts", import.meta.url);
/** The scopes of fewer providers are made sooner than a thread is of use. */
const LEAST_PROVIDERS = 500_000;

/** Scopes that are made while their asker does other things. Dispose it when done: what still runs ends then. */
export interface ScopesInWork extends AsyncDisposable {
  /** Writes them for a finished snapshot file, as ScopesMaker does; to be asked for once. */
  write(snapshotPath: string): Promise<void>;
}

/**
 * Begins to make scopes as ScopesMaker does: those of at least `leastThreadProviders` in a thread of its own, in which what
 * needs no snapshot begins at once.
 */
export function makeScopesAside(
  task: ScopesTask,
  providers: number,
  leastThreadProviders: number = LEAST_PROVIDERS,
): ScopesInWork {
  return providers >= leastThreadProviders
    ? new ScopesThread(task)
    : new ScopesHere(task);
}

class ScopesHere implements ScopesInWork {
  readonly #task: ScopesTask;

  constructor(task: ScopesTask) {
    this.#task = task;
  }

  write(snapshotPath: string): Promise<void> {
    using maker = new ScopesMaker(this.#task);
    maker.write(snapshotPath);
    return Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

class ScopesThread implements ScopesInWork {
  readonly #worker: Worker;
  readonly #ended: Promise<ScopesResult>;

  constructor(task: ScopesTask) {
    this.#worker = new Worker(PROGRAM, { workerData: task, name: "scopes" });
    const { promise, reject, resolve } = Promise.withResolvers<ScopesResult>();
    this.#worker.on("message", resolve);
    this.#worker.on("error", reject);
    this.#worker.on("exit", () =>
      reject(new Error("The thread that makes the scopes ended early.")),
    );
    // A failure is thrown by `write`; it is not unhandled when that is never called.
    promise.catch(() => {});
    this.#ended = promise;
  }

  write(snapshotPath: string): Promise<void> {
    const order: ScopesOrder = { snapshotPath };
    this.#worker.postMessage(order, []);
    const written = this.#written();
    // Who asked may fail before it waits; the thread is then ended, and nobody is left to be told of that.
    written.catch(() => {});
    return written;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }

  async #written(): Promise<void> {
    const result = await this.#ended;
    if (result.kind === "damaged")
      throw new SnapshotFormatError(result.fault, result.advice);
    if (result.kind === "failed")
      throw Object.assign(Object(result.error), result.facts);
  }
}
