import {
  open as openFile,
  rename,
  rm,
  type FileHandle,
} from "node:fs/promises";

/** A file that appears under its name once it is complete. */
export class NewFile implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #path: string;
  #isOpen = true;
  /** The last write, while the next bytes are made. */
  #written: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle, path: string) {
    this.#file = file;
    this.#path = path;
  }

  /** Opens it, with `.partial` after its name. */
  static async open(path: string): Promise<NewFile> {
    return new NewFile(await openFile(partialOf(path), "w"), path);
  }

  /**
   * Starts writing after what was given before; fails if that failed. The bytes must stay as they are until the next
   * call resolves.
   */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#written;
    this.#written = this.#file.writeFile(bytes);
    // It is awaited by the next call, which may come later than the failure.
    this.#written.catch(() => undefined);
  }

  /** Makes it the file that was requested. */
  async finish(): Promise<void> {
    await this.#written;
    await this.#file.sync();
    await this.#file.close();
    this.#isOpen = false;
    await rename(partialOf(this.#path), this.#path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOpen) return;
    await Promise.allSettled([this.#written]);
    await this.#file.close();
    await rm(partialOf(this.#path), { force: true });
  }
}

function partialOf(path: string): string {
  return `${path}.partial`;
}
