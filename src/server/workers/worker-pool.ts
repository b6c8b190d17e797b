import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type {
  ListenOutcome,
  SnapshotToServe,
  WorkerSetup,
} from "./messages.ts";
import { releaseOldSnapshot } from "./worker-context.ts";
import { WorkerHandle } from "./worker-handle.ts";

/** The time to wait before a worker that died is replaced: doubled each time it dies soon again. */
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 30_000;
/** A thread that doesn't respond for this long must not keep new data from being served. */
const MAX_RELEASE_MS = 10_000;
/** A worker that lived this long died of something new. */
const SETTLED_MS = 60_000;
/** The codes of a system that refuses to share a port, rather than to listen. */
const CANNOT_SHARE = new Set(["ENOTSUP", "EINVAL", "ENOPROTOOPT"]);

export interface WorkerPoolOptions {
  /** The setup of each thread, but for its own parts. */
  readonly setup: Omit<WorkerSetup, "name" | "answers">;
  /** The memory of each in which it counts its answers; null without metrics. */
  readonly answers: readonly SharedArrayBuffer[] | null;
  readonly logger: Logger;
  /** Gets the threads' log lines. */
  readonly writeLog: (lines: string) => void;
  /** Gets their lines for the terminal. */
  readonly show: (line: string) => void;
  /** Returns epoch milliseconds. */
  readonly clock: () => number;
}

/** The port of all workers. */
interface Endpoint {
  readonly port: number;
  readonly reusePort: boolean;
}

/** The worker threads of the service; one that dies is replaced. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #workers: WorkerHandle[];
  #snapshot: SnapshotToServe | null = null;
  /** The snapshot that was served before, until `#release`. */
  #previous: SnapshotToServe | null = null;
  #release: NodeJS.Timeout | null = null;
  #replaced = 0;
  #complete: Promise<unknown> = Promise.resolve();
  readonly #stopping = new AbortController();

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#workers = [this.#makeWorker(0)];
  }

  /** The number of threads. */
  get count(): number {
    return this.#workers.length;
  }

  /** The number of threads that replaced a dead one. */
  get replaced(): number {
    return this.#replaced;
  }

  /** Resolves when the first thread is ready to listen; rejects with its error. */
  async started(): Promise<void> {
    await this.#workers[0]?.started;
  }

  /**
   * Makes all threads, including future ones, answer from a snapshot. The one before stays open for requests that
   * insist on it, for `keepForMs`. Returns the threads' faults.
   */
  async open(snapshot: SnapshotToServe, keepForMs: number): Promise<string[]> {
    const keeps = keepForMs > 0;
    this.#forgetPrevious();
    if (keeps && this.#snapshot !== null) {
      this.#previous = this.#snapshot;
      this.#release = setTimeout(
        () => void this.releasePrevious(),
        keepForMs,
      ).unref();
    }
    this.#snapshot = snapshot;
    const outcomes = await Promise.allSettled(
      this.#workers.map((worker) =>
        worker.ask({ kind: "open", snapshot, keepsCurrent: keeps }),
      ),
    );
    // #watch handles the death of a thread.
    return outcomes.flatMap((outcome) =>
      outcome.status === "fulfilled" ? (outcome.value ?? []) : [],
    );
  }

  /**
   * Closes the snapshot before the current one, if it is still open; resolves when all threads have given its memory
   * back, at the latest after ten seconds.
   */
  async releasePrevious(): Promise<void> {
    if (this.#previous === null) return;
    this.#forgetPrevious();
    const released = Promise.allSettled([
      ...this.#workers.map((worker) =>
        worker.ask({ kind: "release_previous" }),
      ),
      releaseOldSnapshot(),
    ]);
    await Promise.race([
      released,
      sleep(MAX_RELEASE_MS, undefined, { ref: false }),
    ]);
  }

  /** Makes all threads answer that no data is loaded. */
  close(): void {
    this.#forgetPrevious();
    this.#snapshot = null;
    for (const worker of this.#workers)
      // A thread that ends closes it anyway.
      worker.ask({ kind: "close" }).catch(() => undefined);
  }

  /**
   * Makes the first thread listen (on a free port for 0), and starts the rest, which share the port; `complete` waits
   * for them. If the system cannot share ports, only the first serves. Replaces dead ones from then on.
   */
  async listen(port: number): Promise<ListenOutcome> {
    const [first] = this.#workers;
    if (first === undefined) throw new Error("There is no worker to listen.");
    let reusePort = true;
    let outcome = await first.ask({ kind: "listen", port, reusePort });
    if (outcome.outcome === "not_listening" && CANNOT_SHARE.has(outcome.code)) {
      reusePort = false;
      this.#options.logger.warn(
        "this system cannot share a port between threads: using one worker",
      );
      outcome = await first.ask({ kind: "listen", port, reusePort });
    }
    if (outcome.outcome === "not_listening" || this.#stopping.signal.aborted)
      return outcome;
    const endpoint = { port: outcome.port, reusePort };
    void this.#watch(0, endpoint);
    const { workers } = this.#options.setup.settings;
    const others = Array.from(
      { length: reusePort ? workers - 1 : 0 },
      (_, index) => this.#makeWorker(index + 1),
    );
    this.#workers.push(...others);
    this.#complete = Promise.all(
      others.map((other) => this.#bringUp(other, endpoint)),
    );
    for (const index of others.keys()) void this.#watch(index + 1, endpoint);
    return outcome;
  }

  /** Resolves when all threads listen, but for those that died as they started. */
  async complete(): Promise<void> {
    await this.#complete;
  }

  /** Lets all threads finish running requests, within a time limit, and end. */
  async drain(withinMs: number): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#workers.map((worker) => worker.drain(withinMs)));
  }

  #forgetPrevious(): void {
    this.#previous = null;
    if (this.#release !== null) clearTimeout(this.#release);
    this.#release = null;
  }

  #makeWorker(index: number): WorkerHandle {
    const { answers, setup, show, writeLog } = this.#options;
    return new WorkerHandle(
      {
        ...setup,
        name: `worker ${index + 1}`,
        answers: answers?.[index] ?? null,
      },
      writeLog,
      show,
    );
  }

  async #watch(index: number, endpoint: Endpoint): Promise<void> {
    const { clock, logger } = this.#options;
    let waitMs = FIRST_WAIT_MS;
    for (let worker = this.#workers[index]; worker !== undefined;) {
      const since = clock();
      const error = await worker.ended;
      if (this.#stopping.signal.aborted) return;
      logger.error(
        { err: error, worker: index + 1 },
        "worker died, starting a replacement",
      );
      if (clock() - since >= SETTLED_MS) waitMs = FIRST_WAIT_MS;
      await sleep(waitMs, undefined, { signal: this.#stopping.signal }).catch(
        () => undefined,
      );
      if (this.#stopping.signal.aborted) return;
      waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
      worker = this.#makeWorker(index);
      this.#replaced++;
      this.#workers[index] = worker;
      await this.#bringUp(worker, endpoint);
    }
  }

  /**
   * Makes a new worker answer from the data served, on the shared port. If that fails, it ends, or serves no requests
   * until it does.
   */
  async #bringUp(worker: WorkerHandle, endpoint: Endpoint): Promise<void> {
    const { logger } = this.#options;
    const open = (snapshot: SnapshotToServe | null, keepsCurrent: boolean) =>
      snapshot && worker.ask({ kind: "open", snapshot, keepsCurrent });
    try {
      // Sent in one turn, before the thread reads anything, so a swap or release in the meantime is queued behind them.
      const opened = await Promise.all([
        open(this.#previous, false),
        open(this.#snapshot, this.#previous !== null),
      ]);
      for (const reason of opened)
        if (reason !== null)
          logger.error({ reason }, "new worker cannot open a snapshot");
      const outcome = await worker.ask({ kind: "listen", ...endpoint });
      if (outcome.outcome === "listening") return;
      logger.error({ reason: outcome.message }, "new worker cannot listen");
      await worker.drain(0);
    } catch (error) {
      // #watch replaces it, unless the service stops.
      logger.debug({ err: error }, "new worker exited during startup");
    }
  }
}
