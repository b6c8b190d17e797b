import { constants, type Dirent } from "node:fs";
import {
  open,
  readdir,
  rename,
  rm,
  stat,
  type FileHandle,
} from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolder } from "../../files/make-folder.ts";
import { FleetError } from "../fleet-error.ts";
import type { ObjectBytes, ObjectStore, StoredObject } from "./object-store.ts";

const READ_BYTES = 1 << 18;

/** Prefix of files that are being written. */
const UNFINISHED = ".unfinished-";
const FOLDERS = ["objects", "manifests", "."] as const;

/** A snapshot store in a folder that exists, such as a network file system's. */
export class FileStore implements ObjectStore {
  readonly name: string;
  readonly isReadOnly = false;
  readonly #folder: string;

  constructor(url: URL) {
    this.#folder = fileURLToPath(url);
    this.name = this.#folder;
  }

  async read<Result>(
    key: string,
    from: number,
    signal: AbortSignal,
    use: (bytes: ObjectBytes) => Promise<Result>,
  ): Promise<Result | null> {
    const file = await this.#open(key);
    if (file === null) return null;
    const body = bytesFrom(file, from, signal);
    try {
      return await use({ start: from, body });
    } catch (error) {
      throw isReadFault(error) ? this.#fault(key, error) : error;
    } finally {
      await file.close();
    }
  }

  async write(
    key: string,
    content: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#requireFolder();
    const path = join(this.#folder, key);
    const folder = dirname(path);
    const unfinished = join(folder, `${UNFINISHED}${randomUUID()}`);
    try {
      makeFolder(folder);
      {
        await using file = await open(unfinished, "wx");
        for await (const chunk of content) {
          signal.throwIfAborted();
          await file.writeFile(chunk);
        }
        await file.sync();
      }
      await rename(unfinished, path);
      await using entries = await open(folder);
      await entries.sync();
    } catch (error) {
      await rm(unfinished, { force: true });
      throw this.#fault(key, error);
    }
  }

  async list(): Promise<StoredObject[]> {
    await this.#requireFolder();
    const found: StoredObject[] = [];
    for (const folder of FOLDERS) {
      for (const entry of await this.#entriesOf(folder)) {
        const key = folder === "." ? entry.name : `${folder}/${entry.name}`;
        const { mtimeMs, size } = await stat(join(this.#folder, key)).catch(
          () => ({ mtimeMs: null, size: 0 }),
        );
        // Another publisher may have removed it meanwhile.
        if (mtimeMs !== null && entry.isFile())
          found.push({ key, bytes: size, modifiedMs: mtimeMs });
      }
    }
    return found;
  }

  async remove(key: string): Promise<void> {
    try {
      await rm(join(this.#folder, key), { force: true });
    } catch (error) {
      throw this.#fault(key, error);
    }
  }

  [Symbol.dispose](): void {}

  async #open(key: string): Promise<FileHandle | null> {
    await using opened = new AsyncDisposableStack();
    try {
      // Other machines write here. Otherwise, opening a pipe would block a thread of the process until someone writes.
      const flags = constants.O_RDONLY | constants.O_NONBLOCK;
      const file = opened.use(await open(join(this.#folder, key), flags));
      if (!(await file.stat()).isFile()) throw this.#notAFile(key);
      opened.move();
      return file;
    } catch (error) {
      // Of a socket.
      if (codeOf(error) === "ENXIO") throw this.#notAFile(key);
      if (codeOf(error) !== "ENOENT") throw this.#fault(key, error);
      await this.#requireFolder();
      return null;
    }
  }

  #notAFile(key: string): FleetError {
    return new FleetError(
      `${key} of the snapshot store ${this.#folder} is not a file, but a folder, pipe, socket, or device. Check who can write to the store, and publish again.`,
    );
  }

  async #entriesOf(folder: string): Promise<Dirent[]> {
    try {
      return await readdir(join(this.#folder, folder), { withFileTypes: true });
    } catch (error) {
      if (codeOf(error) === "ENOENT") return [];
      throw this.#fault(folder, error);
    }
  }

  /** Throws if the folder is missing: a disk that isn't mounted would look like an empty store. */
  async #requireFolder(): Promise<void> {
    const found = await stat(this.#folder).catch(() => null);
    if (found?.isDirectory() === true) return;
    throw new FleetError(
      `The snapshot store ${this.#folder} is not a folder. Mount its disk, or create the folder.`,
    );
  }

  /** Returns file system errors as sentences; other errors come from the content. */
  #fault(key: string, error: unknown): unknown {
    if (!(error instanceof Error) || !("syscall" in error)) return error;
    const code = codeOf(error);
    const advice =
      code === "ENOSPC" || code === "EDQUOT"
        ? "is full. Free some space and try again"
        : `cannot be used (${code}, ${key}). Check its disk and permissions`;
    return new FleetError(`The snapshot store ${this.#folder} ${advice}.`, {
      cause: error,
    });
  }
}

/** True if a key is what an interrupted write left behind. */
export function isUnfinished(key: string): boolean {
  return (key.split("/").at(-1) ?? "").startsWith(UNFINISHED);
}

async function* bytesFrom(
  file: FileHandle,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const buffer = Buffer.alloc(READ_BYTES);
  for (let at = from; ;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** True if an error is from reading the store, as a network file system's may fail, and not from who uses the bytes. */
function isReadFault(error: unknown): boolean {
  return (
    error instanceof Error && "syscall" in error && error.syscall === "read"
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
