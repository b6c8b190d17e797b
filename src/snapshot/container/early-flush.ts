import { closeSync, fdatasync, openSync } from "node:fs";

/** So much is left to the system before it is made to write it. */
const FLUSHED_BYTES = 1 << 26;

/**
 * Has what is written to a file brought to the disk while more is written, so that little is left when all has to be there:
 * by itself the system begins half a minute later. It goes by a descriptor of its own, for an error of the disk is told once
 * to each: whoever flushes the file at the end still hears of it.
 */
export class EarlyFlush implements Disposable {
  readonly #fd: number;
  #begun = 0;
  #running = 0;
  #isDone = false;

  /** The file must be there. */
  constructor(path: string) {
    this.#fd = openSync(path, "r");
  }

  /** The file was written up to a place. */
  wrote(end: number): void {
    if (end - this.#begun < FLUSHED_BYTES) return;
    this.#begun = end;
    this.#running++;
    fdatasync(this.#fd, () => {
      this.#running--;
      this.#close();
    });
  }

  [Symbol.dispose](): void {
    this.#isDone = true;
    this.#close();
  }

  #close(): void {
    if (this.#isDone && this.#running === 0) closeSync(this.#fd);
  }
}
