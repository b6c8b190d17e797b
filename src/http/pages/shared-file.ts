import { readFile } from "node:fs/promises";
import { sharedBytes } from "../pipeline/compression.ts";

/**
 * Makes a reader of a file that does not change: all who ask while its bytes are in use, or being read, get the same bytes.
 * When the last answer that holds them has left, the memory is free again.
 */
export function sharedFile(path: string): () => Promise<Buffer> {
  let held: WeakRef<Buffer> | null = null;
  let reading: Promise<Buffer> | null = null;
  return function read() {
    const bytes = held?.deref();
    if (bytes !== undefined) return Promise.resolve(bytes);
    reading ??= readFile(path)
      .then((found) => {
        held = new WeakRef(found);
        return sharedBytes(found);
      })
      .finally(() => (reading = null));
    return reading;
  };
}
