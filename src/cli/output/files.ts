import {
  open as openFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  type FileHandle,
} from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { namedAs } from "../../registry/files/registry-file-error.ts";

/** Writes a new file. */
export interface FileWriter {
  /**
   * Starts writing after what was given before; fails if that failed. The bytes must stay as they are until the next
   * call resolves.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Makes it the file that was requested. */
  finish(): Promise<void>;
}

/** A file that appears under its name once it is complete. Pipes and devices are written as they are. */
export class NewFile implements FileWriter, AsyncDisposable {
  readonly #file: FileHandle;
  /** The path of the file; null for a pipe or a device, which is never replaced. */
  readonly #path: string | null;
  #isComplete = false;
  /** The last write, while the next bytes are made. */
  #written: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle, path: string | null) {
    this.#file = file;
    this.#path = path;
  }

  /** Opens it, with `.partial` after its name. A link keeps leading to its file. Throws for a folder. */
  static async open(path: string): Promise<NewFile> {
    const isFile = (await unlessMissing(stat(path)))?.isFile() ?? true;
    if (!isFile) return new NewFile(await openFile(path, "w"), null);
    const real = await targetOf(path);
    return new NewFile(await openPartial(real), real);
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#written;
    this.#written = this.#file.writeFile(bytes);
    // It is awaited by the next call, which may come later than the failure.
    this.#written.catch(() => undefined);
  }

  async finish(): Promise<void> {
    await this.#written;
    if (this.#path === null) return;
    await this.#file.sync();
    await rename(partialOf(this.#path), this.#path);
    this.#isComplete = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([this.#written]);
    await this.#file.close();
    if (this.#path !== null && !this.#isComplete)
      await rm(partialOf(this.#path), { force: true });
  }
}

/** A new file of the bytes that are written, compressed with gzip. */
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
    const compressed = Promise.withResolvers<void>();
    this.#compressed = compressed.promise;
    this.#gzip.write(bytes, (error) => {
      if (error == null) compressed.resolve();
      else compressed.reject(error);
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

/** Follows the links of a path, even if no file is there yet. */
async function targetOf(path: string): Promise<string> {
  const real = await unlessMissing(realpath(path));
  if (real !== null) return real;
  const link = await unlessMissing(readlink(path));
  return link === null ? path : await targetOf(resolve(dirname(path), link));
}

async function openPartial(path: string): Promise<FileHandle> {
  try {
    return await openFile(partialOf(path), "w");
  } catch (error) {
    throw namedAs(error, path);
  }
}

function partialOf(path: string): string {
  return `${path}.partial`;
}

/** Returns null if nothing is at a path. */
async function unlessMissing<Result>(
  asked: Promise<Result>,
): Promise<Result | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return null;
    throw error;
  }
}
