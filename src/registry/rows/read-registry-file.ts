import { openFile } from "../files/open-file.ts";
import { readHere } from "./read-in-process.ts";
import type {
  RegistryFileHandlers,
  RegistryFileSummary,
} from "./read-in-process.ts";
import { readInThread } from "./read-in-thread.ts";

/** A file with less CSV, such as a week, is read sooner than a thread is of use. */
const LEAST_BYTES = 100_000_000;

/**
 * Reads a registry file, the official zip or a CSV, row by row. Throws a RegistryFileError when the file is broken or is
 * not one; that may be after rows were handed out, so what they went into is valid only when this returns.
 * An aborted `signal` stops it within some megabytes and throws the signal's reason. A file with at least
 * `leastThreadBytes` of CSV is unpacked and scanned in a thread of its own.
 */
export async function readRegistryFile(
  path: string,
  handlers: RegistryFileHandlers,
  signal?: AbortSignal,
  leastThreadBytes: number = LEAST_BYTES,
): Promise<RegistryFileSummary> {
  signal?.throwIfAborted();
  const { bytesTotal, csvBytes } = await sizeOf(path);
  return csvBytes >= leastThreadBytes
    ? readInThread(path, bytesTotal, handlers, signal)
    : readHere(path, handlers, signal);
}

async function sizeOf(
  path: string,
): Promise<{ bytesTotal: number; csvBytes: number }> {
  await using source = await openFile(path);
  const { bytesTotal, declared } = source;
  return { bytesTotal, csvBytes: declared?.bytes ?? bytesTotal };
}
