import { addAbortListener } from "node:events";
import {
  isMainThread,
  parentPort,
  Worker,
  workerData,
  type ResourceLimits,
} from "node:worker_threads";

/** The methods of a task. Arguments and results are cloned, except memory passed with `moving`. */
type Requests<R> = Record<keyof R, (...args: never[]) => unknown>;
type Answer<F extends (...args: never[]) => unknown> = Awaited<ReturnType<F>>;

/** A running task. Disposing it stops its thread. */
export interface Task<R extends Requests<R>> extends AsyncDisposable {
  /**
   * Throws what the task throws, or what stopped its thread. Requests start in order, without waiting for each other.
   * An error of a request that nothing awaits yet, or ever, does not count as unhandled.
   */
  ask<K extends keyof R>(
    name: K,
    ...args: Parameters<R[K]>
  ): Promise<Answer<R[K]>>;
}

export interface ProgramOptions {
  name: string;
  /** Its task, as text after "The thread that". */
  purpose: string;
  /** Classes of errors that are rethrown as instances of these; all others become an Error with the same members. */
  errors?: readonly (abstract new (...args: never[]) => Error)[];
}

export interface ThreadLimits {
  /** Stops the thread; requests then throw its reason. */
  signal?: AbortSignal | undefined;
  resourceLimits?: ResourceLimits;
}

const movedBuffers = new WeakMap<object, ArrayBuffer[]>();

/** Wraps `value`, an input or a result, so its buffers are moved to the other thread instead of cloned. */
export function moving<T extends object>(value: T, buffers: ArrayBuffer[]): T {
  movedBuffers.set(value, buffers);
  return value;
}

/**
 * Work that can run in a thread: `start` creates the methods from an input. The module at `url`, the caller's
 * `import.meta.url`, is also the thread's program and must create the same TaskProgram when it is loaded.
 */
export class TaskProgram<I extends object, R extends Requests<R>> {
  readonly #url: string;
  readonly #options: ProgramOptions;
  readonly #start: (input: I) => R;

  constructor(url: string, options: ProgramOptions, start: (input: I) => R) {
    this.#url = url;
    this.#options = options;
    this.#start = start;
    if (!isMainThread && workerData?.program === url)
      serve(new TaskHere(() => start(workerData.input)));
  }

  /** Runs the task in this thread. It starts with the first request. */
  here(input: I): Task<R> {
    return new TaskHere(() => this.#start(input));
  }

  /** Starts the task in a new thread. */
  inThread(input: I, limits: ThreadLimits = {}): Task<R> {
    return new TaskThread(this.#url, input, { ...this.#options, ...limits });
  }
}

class TaskHere<R extends Requests<R>> implements Task<R> {
  readonly #start: () => R;
  #begun: Promise<R> | null = null;

  constructor(start: () => R) {
    this.#start = start;
  }

  begin(): Promise<R> {
    return (this.#begun ??= new Promise((resolve) => resolve(this.#start())));
  }

  ask<K extends keyof R>(
    name: K,
    ...args: Parameters<R[K]>
  ): Promise<Answer<R[K]>>;
  ask(name: keyof R, ...args: never[]): Promise<unknown> {
    const result = this.begin().then((methods) => methods[name](...args));
    result.catch(() => {});
    return result;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

class TaskThread<R extends Requests<R>> implements Task<R> {
  readonly #worker: Worker;
  readonly #errors: NonNullable<ProgramOptions["errors"]>;
  readonly #ended = Promise.withResolvers<never>();
  readonly #abort: Disposable | null;
  #requests = 0;

  constructor(
    url: string,
    input: object,
    options: ProgramOptions & ThreadLimits,
  ) {
    const { errors = [], name, purpose, resourceLimits = {}, signal } = options;
    signal?.throwIfAborted();
    this.#errors = errors;
    this.#worker = new Worker(new URL(url), {
      workerData: { program: url, input },
      transferList: movedBuffers.get(input) ?? [],
      name,
      resourceLimits,
    });
    const { promise, reject } = this.#ended;
    // Errors are thrown to the callers. They must not count as unhandled if there are none.
    promise.catch(() => {});
    this.#worker.on("error", reject);
    this.#worker.on("exit", () =>
      reject(new Error(`The thread that ${purpose} stopped unexpectedly.`)),
    );
    this.#abort =
      signal === undefined
        ? null
        : addAbortListener(signal, () => reject(signal.reason));
  }

  ask<K extends keyof R>(
    name: K,
    ...args: Parameters<R[K]>
  ): Promise<Answer<R[K]>> {
    const id = this.#requests++;
    const { promise, reject, resolve } = Promise.withResolvers<Answer<R[K]>>();
    promise.catch(() => {});
    this.#ended.promise.catch(reject);
    const take = (reply: { id: number } & ({ value: never } | Failure)) => {
      if (reply.id !== id) return;
      this.#worker.off("message", take);
      if ("error" in reply) reject(this.#revived(reply));
      else resolve(reply.value);
    };
    this.#worker.on("message", take);
    this.#worker.postMessage({ id, name, args }, []);
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort?.[Symbol.dispose]();
    await this.#worker.terminate();
  }

  /** Restores an error from the thread: its class, and the members that cloning loses. */
  #revived({ className, error, members }: Failure): unknown {
    const known = this.#errors.find(({ name }) => name === className);
    const revived = Object.assign(Object(error), members);
    return known === undefined
      ? revived
      : Object.setPrototypeOf(revived, known.prototype);
  }
}

interface Failure {
  error: unknown;
  className: string;
  members: object;
}

/** Starts a task at once and answers requests from the parent thread. */
function serve<R extends Requests<R>>(task: TaskHere<R>): void {
  // The parent gets the error with its next request.
  task.begin().catch(() => {});
  parentPort?.on("message", ({ args, id, name }) => {
    void answer(id, task.ask(name, ...args));
  });
}

async function answer(id: number, result: Promise<unknown>): Promise<void> {
  try {
    const value = await result;
    const buffers = movedBuffers.get(Object(value)) ?? [];
    parentPort?.postMessage({ id, value }, buffers);
  } catch (error) {
    const failure: Failure = {
      error,
      className: Object(error).constructor.name,
      members: { ...Object(error) },
    };
    parentPort?.postMessage({ id, ...failure }, []);
  }
}
