import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { FileWriter, NewFile } from "./new-file.ts";

/** A new file of what is written, compressed with gzip. */
export class GzipFile implements FileWriter, AsyncDisposable {
  readonly #file: NewFile;
  readonly #gzip = createGzip();
  readonly #piped: Promise<void>;
  /** The last write, while the next bytes are made. */
  #compressed: Promise<void> = Promise.resolve();

  constructor(file: NewFile) {
    this.#file = file;
    this.#piped = pipeline(this.#gzip, async (chunks) => {
      for await (const chunk of chunks) await file.write(chunk);
    });
    // It is awaited later, and then says why.
    this.#piped.catch(() => undefined);
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#sent();
    this.#compressed = new Promise((resolve, reject) => {
      this.#gzip.write(bytes, (error) => {
        if (error == null) resolve();
        else reject(error);
      });
    });
    this.#compressed.catch(() => undefined);
  }

  async finish(): Promise<void> {
    await this.#sent();
    this.#gzip.end();
    await this.#piped;
    await this.#file.finish();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#gzip.destroy();
    await Promise.allSettled([this.#piped]);
    await this.#file[Symbol.asyncDispose]();
  }

  /** Fails with the fault of the file, not with that of the stream that it stopped. */
  async #sent(): Promise<void> {
    try {
      await this.#compressed;
    } catch (error) {
      await this.#piped;
      throw error;
    }
  }
}
