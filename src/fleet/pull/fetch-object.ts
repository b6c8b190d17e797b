import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { isDiskFull } from "../../store/durable-files.ts";
import { PART } from "../../update/http/part-file.ts";
import { DamagedObjectError, FleetError } from "../fleet-error.ts";
import type { Content } from "../manifest.ts";
import { objectKey, type ObjectStore } from "../objects/object-store.ts";
import { unpackObject } from "../unpack-object.ts";

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
      `The snapshot store ${objects.name} has no ${key}, or only a part of it. Run publish --force on the importer.`,
    );
  if (size < content.objectBytes)
    throw new FleetError(
      `${key} of ${objects.name} ended after ${size} of ${content.objectBytes} bytes. The download continues there; if this repeats, run publish --force at the importer.`,
    );
}

async function unpack(
  { content, objects, signal }: Fetch,
  part: string,
  unpacked: string,
): Promise<void> {
  await using file = await open(unpacked, "w");
  await unpackObject({
    packed: createReadStream(part),
    content,
    from: objects.name,
    signal,
    write: (chunk) => file.writeFile(chunk),
  });
  await file.sync();
}
