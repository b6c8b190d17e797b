import type { Task } from "../../../threads/task-thread.ts";
import { WORKBOOK_ENCODER, type WorkbookRequests } from "./workbook-encoder.ts";

/** Rows are encoded once there are this many bytes of them. */
const BATCH_BYTES = 65_536;

/** Keeps a thread that can't free its memory from taking more of the process's. */
const THREAD_LIMITS = {
  maxYoungGenerationSizeMb: 4,
  maxOldGenerationSizeMb: 24,
};

/** Encodes the rows of a download as a workbook, in a thread. Disposing it stops the thread. */
export class Workbook implements Disposable {
  readonly #free: () => void;
  #thread: Task<WorkbookRequests> | null = null;
  #isDisposed = false;
  #rows: Uint8Array[] = [];
  #length = 0;
  /** The next bytes. Rows are made while they are encoded. */
  #encoded: Promise<Uint8Array> = Promise.resolve(new Uint8Array());

  /** `free` is called once, when the thread is gone. */
  constructor(free: () => void) {
    this.#free = free;
  }

  /** Takes whole rows of plain cells, which it copies. Returns the next bytes, of earlier rows; often none. */
  async add(rows: Uint8Array): Promise<Uint8Array> {
    this.#rows.push(rows.slice());
    this.#length += rows.length;
    if (this.#length < BATCH_BYTES) return new Uint8Array();
    const before = this.#encoded;
    this.#encodeBatch();
    return before;
  }

  /** Returns the last bytes. */
  async end(): Promise<Uint8Array> {
    const before = this.#encoded;
    this.#encodeBatch();
    const parts = [before, this.#encoded, this.#running().ask("end")];
    return Buffer.concat(await Promise.all(parts));
  }

  [Symbol.dispose](): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    void this.#end();
  }

  async #end(): Promise<void> {
    await this.#thread?.[Symbol.asyncDispose]();
    this.#free();
  }

  #encodeBatch(): void {
    const batch = Buffer.concat(this.#rows);
    this.#rows = [];
    this.#length = 0;
    this.#encoded = this.#running().ask("add", batch);
  }

  #running(): Task<WorkbookRequests> {
    if (this.#isDisposed) throw new Error("The workbook is closed.");
    return (this.#thread ??= WORKBOOK_ENCODER.inThread(
      {},
      { resourceLimits: THREAD_LIMITS },
    ));
  }
}
