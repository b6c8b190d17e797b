import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { isDiskFull } from "../../store/durable-files.ts";
import { PART } from "../../update/http/part-file.ts";
import { DamagedObjectError, FleetError } from "../fleet-error.ts";
import type { Content } from "../manifest.ts";
import { objectKey, type ObjectStore } from "../objects/object-store.ts";

/** Suffix of a file that is being unpacked. */
const UNPACKED = ".unpacked";

export interface Fetch {
  readonly objects: ObjectStore;
  readonly content: Content;
  /** The final path. Its folder exists. */
  readonly path: string;
  readonly signal: AbortSignal;
}

/**
 * Fetches content to a file, which appears complete and with the right SHA-256, or not at all. An interrupted download
 * stays as `PATH.part` and resumes. Never writes more bytes than the manifest says. Throws DamagedObjectError after
 * removing a download with other bytes, FleetError, the signal's reason, and file system errors.
 */
export async function fetchContent(fetch: Fetch): Promise<void> {
  const { content, objects, path } = fetch;
  const part = path + PART;
  try {
    await download(fetch, part);
    await unpack(fetch, part, path + UNPACKED);
    await rename(path + UNPACKED, path);
    await rm(part, { force: true });
  } catch (error) {
    await rm(path + UNPACKED, { force: true });
    if (error instanceof DamagedObjectError) await rm(part, { force: true });
    if (isDiskFull(error))
      throw new FleetError(
        `The disk is full (${path}). Free some space; the download of ${objectKey(content.sha256)} from ${objects.name} then continues.`,
        { cause: error },
      );
    throw error;
  }
}

async function download(
  { content, objects, signal }: Fetch,
  part: string,
): Promise<void> {
  const key = objectKey(content.sha256);
  await using file = await open(part, "a");
  let { size } = await file.stat();
  if (size > content.objectBytes) await file.truncate((size = 0));
  if (size === content.objectBytes) return;
  const found = await objects.read(
    key,
    size,
    signal,
    async ({ body, start }) => {
      if (start !== size && start !== 0)
        throw new DamagedObjectError(
          `${objects.name} sent another part of ${key} than requested. It is fetched again.`,
          key,
        );
      if (start !== size) await file.truncate((size = start));
      for await (const chunk of body) {
        size += chunk.length;
        if (size > content.objectBytes)
          throw new DamagedObjectError(
            `${key} of ${objects.name} is damaged: it is longer than its ${content.objectBytes} bytes. It is fetched again.`,
            key,
          );
        await file.appendFile(chunk);
      }
      await file.datasync();
      return true;
    },
  );
  if (found === null)
    throw new FleetError(
      `The snapshot store ${objects.name} has no ${key}, or only a part of it. Run publish --force at the importer.`,
    );
  if (size < content.objectBytes)
    throw new FleetError(
      `${key} of ${objects.name} ended after ${size} of ${content.objectBytes} bytes. The download continues there; if this repeats, run publish --force at the importer.`,
    );
}

/** Unpacks a download, and checks it against its length and SHA-256. */
async function unpack(
  { content: { bytes, sha256 }, objects, signal }: Fetch,
  part: string,
  unpacked: string,
): Promise<void> {
  const key = objectKey(sha256);
  const hash = createHash("sha256");
  let length = 0;
  await using file = await open(unpacked, "w");
  try {
    await pipeline(
      createReadStream(part),
      createZstdDecompress(),
      async (chunks: AsyncIterable<Uint8Array>) => {
        for await (const chunk of chunks) {
          length += chunk.length;
          // Checked before anything is written: a small object may unpack to any length.
          if (length > bytes)
            throw new DamagedObjectError(
              `${key} of ${objects.name} is damaged: it unpacks to more than its ${bytes} bytes. It is fetched again.`,
              key,
            );
          hash.update(chunk);
          await file.writeFile(chunk);
        }
      },
      { signal },
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!isUnpackingFault(error)) throw error;
    throw new DamagedObjectError(
      `${key} of ${objects.name} is damaged: it cannot be unpacked (${error.code}). It is fetched again; if this repeats, run publish --force at the importer.`,
      key,
      { cause: error },
    );
  }
  const found = hash.digest("hex");
  if (found !== sha256 || length !== bytes)
    throw new DamagedObjectError(
      `${key} of ${objects.name} is damaged: the SHA-256 of its ${length} bytes is ${found}. It is fetched again; if this repeats, run publish --force at the importer.`,
      key,
    );
  await file.sync();
}

/** An error of zstd: all of its codes have this form. */
function isUnpackingFault(error: unknown): error is Error & { code: string } {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    /^(?:ZSTD_|Z_|ERR_ZSTD)/.test(error.code)
  );
}
