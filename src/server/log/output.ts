import { readlinkSync, write } from "node:fs";

/** Text in one write, in characters. */
const BATCH = 1 << 18;

/** Pauses before another attempt, doubled each time: for a reader that is slow, and for a disk that is full. */
const FIRST_PAUSE_MS = 2;
const LONGEST_STALL_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

const NAMES: readonly string[] = [
  "standard input",
  "standard output",
  "standard error",
];

/**
 * An output of the process, written so that nothing ever waits for it: one write is under way, the rest waits in
 * memory. A write that fails is tried again until it works or the output is disposed of; the system's error is never thrown.
 */
export class Output implements Disposable {
  readonly #fd: number;
  readonly #waiting: string[] = [];
  #waitingCharacters = 0;
  /** What is being written, as far as it is not out. */
  #batch = Buffer.alloc(0);
  #isWriting = false;
  #isDisposed = false;
  #retry: NodeJS.Timeout | null = null;
  #pauseMs = FIRST_PAUSE_MS;
  #fault: NodeJS.ErrnoException | null = null;
  #flushing: (() => void)[] = [];
  /** Told of each write that worked. */
  onWritten: (() => void) | null = null;
  /** Told of each fault after which nothing is written for a while; not of a reader that is slow. */
  onFault: ((error: NodeJS.ErrnoException) => void) | null = null;

  constructor(fd: number) {
    this.#fd = fd;
    // Node makes the pipe or socket of a stream one that does not block.
    if (fd === 1) void process.stdout;
    if (fd === 2) void process.stderr;
  }

  /** Characters that wait to be written. */
  get waiting(): number {
    return this.#waitingCharacters + this.#batch.length;
  }

  /** What keeps it from being written at the moment; null while nothing does. */
  get fault(): NodeJS.ErrnoException | null {
    return this.#fault;
  }

  /** What it is called in a sentence: `standard output (/dev/full)`. */
  get name(): string {
    const name = NAMES[this.#fd] ?? `output ${this.#fd}`;
    try {
      const path = readlinkSync(`/proc/self/fd/${this.#fd}`);
      return path.startsWith("/") ? `${name} (${path})` : name;
    } catch {
      // Only Linux tells.
      return name;
    }
  }

  write(text: string): void {
    if (this.#isDisposed || text === "") return;
    this.#waiting.push(text);
    this.#waitingCharacters += text.length;
    this.#writeNext();
  }

  /** The same where no more than `most` characters wait; false where the text was dropped. */
  offer(text: string, most: number): boolean {
    if (this.#isDisposed || this.waiting + text.length > most) return false;
    this.write(text);
    return true;
  }

  /**
   * Resolves when all is written that waits, or when a fault keeps it from being; after `withinMs` in any case. A reader
   * that is slow is waited for.
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

  /** Drops what waits, and all that is still to come, so that the process can end. */
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
    const longestMs = isStalled ? LONGEST_STALL_MS : LONGEST_PAUSE_MS;
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestMs);
  }
}
