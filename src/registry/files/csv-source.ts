import type { FileHandle } from "node:fs/promises";
import { RegistryFileError } from "./registry-file-error.ts";

/** Bytes of a file that are read at a time. */
const CHUNK_BYTES = 1 << 20;

/** The CSV of a registry file, opened, wherever it lies; or a workbook. Dispose it when done. */
export interface CsvSource extends AsyncDisposable {
  /** The CSV file's name without folders: the zip's entry, or the file itself. */
  readonly name: string;
  readonly content: "csv" | "workbook";
  /** Bytes of the opened file that hold the CSV (compressed in a zip), and how many of them have been read. */
  readonly bytesTotal: number;
  readonly bytesRead: number;
  /** Bytes of CSV handed out so far. */
  readonly csvBytesRead: number;
  /** CRC-32 of the bytes handed out so far. */
  readonly checksum: number;
  /** What a zip's list of contents says of the CSV; null for a file that is the CSV itself. */
  readonly declared: { readonly bytes: number; readonly crc32: number } | null;
  /** The CSV's bytes, to be asked for once. Throws a RegistryFileError when they are damaged, which may show at the end only. */
  chunks(): AsyncGenerator<Uint8Array, void, undefined>;
}

/**
 * Reads `[start, end)` of a file, one chunk ahead of what the consumer works on. Ends early where the file does.
 * `path` is for the sentence in the RegistryFileError when the disk fails.
 */
export async function* readRange(
  handle: FileHandle,
  start: number,
  end: number,
  path: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let at = start;
  let pending = readAt(handle, at, end, path);
  try {
    for (;;) {
      const chunk = await pending;
      if (chunk.length === 0) return;
      at += chunk.length;
      pending = readAt(handle, at, end, path);
      // A failure is thrown by the await above; it is not unhandled when the consumer leaves before.
      pending.catch(() => {});
      yield chunk;
    }
  } finally {
    // The file must not be closed under a running read.
    await Promise.allSettled([pending]);
  }
}

async function readAt(
  handle: FileHandle,
  at: number,
  end: number,
  path: string,
): Promise<Uint8Array> {
  const length = Math.min(CHUNK_BYTES, end - at);
  if (length <= 0) return new Uint8Array(0);
  try {
    // Slow memory is memory of its own, not a piece of Node's shared pool.
    const { buffer, bytesRead } = await handle.read(
      Buffer.allocUnsafeSlow(length),
      0,
      length,
      at,
    );
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The sentence for a file that the operating system does not let us read. */
export function unreadable(path: string, error: unknown): RegistryFileError {
  const code =
    error instanceof Error && "code" in error
      ? String(error.code)
      : String(error);
  const options = { cause: error };
  if (code === "ENOENT")
    return new RegistryFileError(
      `${path} does not exist: check the path.`,
      options,
    );
  if (code === "EACCES" || code === "EPERM") {
    return new RegistryFileError(
      `${path} may not be read: check its permissions.`,
      options,
    );
  }
  return new RegistryFileError(
    `${path} cannot be read (${code}): check the disk, or copy the file again.`,
    options,
  );
}
