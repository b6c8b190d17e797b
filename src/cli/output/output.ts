import { readlinkSync, write } from "node:fs";

/** Characters per write. */
const BATCH = 1 << 18;

/** Delays before a retry, doubled each time: for a slow reader, and for a full disk. */
const FIRST_PAUSE_MS = 2;
const MAX_STALL_MS = 50;
const MAX_PAUSE_MS = 1_000;

const NAMES: readonly string[] = [
  "standard input",
  "standard output",
  "standard error",
];

/**
 * An output of the process that never blocks: one write is in progress, the rest is queued in memory. A failed write is
 * retried until it succeeds or the output is disposed of; errors are never thrown.
 */
export class Output implements Disposable {
  readonly #fd: number;
  readonly #waiting: string[] = [];
  #waitingCharacters = 0;
  /** The unwritten rest of the current write. */
  #batch = Buffer.alloc(0);
  #isWriting = false;
  #isDisposed = false;
  #retry: NodeJS.Timeout | null = null;
  #pauseMs = FIRST_PAUSE_MS;
  #fault: NodeJS.ErrnoException | null = null;
  #flushing: (() => void)[] = [];
  /** Called after each successful write. */
  onWritten: (() => void) | null = null;
  /** Called at the start of each outage, but not for a slow reader. */
  onFault: ((error: NodeJS.ErrnoException) => void) | null = null;

  constructor(fd: number) {
    this.#fd = fd;
    // Accessing the stream makes its pipe or socket non-blocking.
    if (fd === 1) void process.stdout;
    if (fd === 2) void process.stderr;
  }

  /** Pending characters. */
  get waiting(): number {
    return this.#waitingCharacters + this.#batch.length;
  }

  /** The current write error, or null. */
  get fault(): NodeJS.ErrnoException | null {
    return this.#fault;
  }

  /** Its name in messages: `standard output (/dev/full)`. */
  get name(): string {
    const name = NAMES[this.#fd] ?? `output ${this.#fd}`;
    try {
      const path = readlinkSync(`/proc/self/fd/${this.#fd}`);
      return path.startsWith("/") ? `${name} (${path})` : name;
    } catch {
      // Available only on Linux.
      return name;
    }
  }

  write(text: string): void {
    if (this.#isDisposed || text === "") return;
    this.#waiting.push(text);
    this.#waitingCharacters += text.length;
    this.#writeNext();
  }

  /** Writes text unless more than `most` characters would be pending. False if it dropped the text. */
  offer(text: string, most: number): boolean {
    if (this.#isDisposed || this.waiting + text.length > most) return false;
    this.write(text);
    return true;
  }

  /**
   * Resolves when everything is written or a write fails, and after `withinMs` at the latest. Waits for a slow reader.
   */
  async flush(withinMs?: number): Promise<void> {
    if (this.#isSettled()) return;
    const settled = Promise.withResolvers<void>();
    this.#flushing.push(settled.resolve);
    const limit =
      withinMs === undefined ? null : setTimeout(settled.resolve, withinMs);
    await settled.promise;
    if (limit !== null) clearTimeout(limit);
  }

  /** Drops pending and future text, so that the process can exit. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#waiting.length = 0;
    this.#waitingCharacters = 0;
    this.#batch = Buffer.alloc(0);
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
  }

  #isSettled(): boolean {
    return this.waiting === 0 || (this.#fault !== null && !this.#isWriting);
  }

  #writeNext(): void {
    if (this.#isWriting || this.#retry !== null) return;
    if (this.#batch.length === 0) this.#takeBatch();
    if (this.#batch.length === 0) return;
    this.#isWriting = true;
    write(this.#fd, this.#batch, (error, bytes) => {
      this.#isWriting = false;
      if (this.#isDisposed) return;
      if (error === null) this.#noteWritten(bytes);
      else this.#tryLater(error);
      if (this.#isSettled())
        for (const settle of this.#flushing.splice(0)) settle();
      this.#writeNext();
    });
  }

  #takeBatch(): void {
    let text = "";
    let taken = 0;
    while (taken < this.#waiting.length && text.length < BATCH)
      text += this.#waiting[taken++];
    this.#waiting.splice(0, taken);
    this.#waitingCharacters -= text.length;
    this.#batch = Buffer.from(text);
  }

  #noteWritten(bytes: number): void {
    this.#batch = this.#batch.subarray(bytes);
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#fault = null;
    this.onWritten?.();
  }

  #tryLater(error: NodeJS.ErrnoException): void {
    const isStalled = error.code === "EAGAIN";
    if (!isStalled && this.#fault === null) {
      this.#fault = error;
      this.onFault?.(error);
    }
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.#writeNext();
    }, this.#pauseMs);
    const maxMs = isStalled ? MAX_STALL_MS : MAX_PAUSE_MS;
    this.#pauseMs = Math.min(this.#pauseMs * 2, maxMs);
  }
}
