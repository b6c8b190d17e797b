import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { DamagedObjectError } from "./fleet-error.ts";
import type { Content } from "./manifest.ts";
import { objectKey } from "./objects/object-store.ts";

export interface Unpacking {
  /** The object's bytes. */
  readonly packed: AsyncIterable<Uint8Array>;
  /** The content that it must have. */
  readonly content: Pick<Content, "bytes" | "sha256">;
  /** The store's name, for messages. */
  readonly from: string;
  readonly signal: AbortSignal;
  /** Gets the content, never more than `content.bytes`; null only to check it. */
  readonly write: ((chunk: Uint8Array) => Promise<void>) | null;
}

/**
 * Unpacks an object, and checks it against its length and SHA-256. Throws DamagedObjectError, and what others throw.
 */
export async function unpackObject({
  content: { bytes, sha256 },
  from,
  packed,
  signal,
  write,
}: Unpacking): Promise<void> {
  const key = objectKey(sha256);
  const hash = createHash("sha256");
  let length = 0;
  try {
    await pipeline(
      packed,
      createZstdDecompress(),
      async (chunks: AsyncIterable<Uint8Array>) => {
        for await (const chunk of chunks) {
          length += chunk.length;
          // Checked before anything is written: a small object may unpack to any length.
          if (length > bytes)
            throw new DamagedObjectError(
              `${key} of ${from} is damaged: it unpacks to more than its ${bytes} bytes. It is fetched again.`,
              key,
            );
          hash.update(chunk);
          await write?.(chunk);
        }
      },
      { signal },
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!isUnpackingFault(error)) throw error;
    throw new DamagedObjectError(
      `${key} of ${from} is damaged: it cannot be unpacked (${error.code}). It is fetched again; if this repeats, run publish --force at the importer.`,
      key,
      { cause: error },
    );
  }
  const found = hash.digest("hex");
  if (found !== sha256 || length !== bytes)
    throw new DamagedObjectError(
      `${key} of ${from} is damaged: the SHA-256 of its ${length} bytes is ${found}. It is fetched again; if this repeats, run publish --force at the importer.`,
      key,
    );
}

/** True for an error of zstd: all of its codes have this form. */
function isUnpackingFault(error: unknown): error is Error & { code: string } {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    /^(?:ZSTD_|Z_|ERR_ZSTD)/.test(error.code)
  );
}
