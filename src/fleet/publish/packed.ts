import { createHash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { constants, createZstdCompress } from "node:zlib";
import { DamagedObjectError, FleetError } from "../fleet-error.ts";
import type { Content, Manifest } from "../manifest.ts";
import {
  objectKey,
  type ObjectStore,
  type StoredObject,
} from "../objects/object-store.ts";
import { unpackObject } from "../unpack-object.ts";

/** Three quarters of what level 9 saves, in a fifth of its time. */
const LEVEL = 3;

/** Content to publish, which can be read more than once. */
export interface Source {
  /** For messages. */
  readonly name: string;
  read(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Returns the length and SHA-256 of content. */
export async function measure(
  source: Source,
  signal: AbortSignal,
): Promise<Omit<Content, "objectBytes">> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of source.read()) {
    signal.throwIfAborted();
    bytes += chunk.length;
    hash.update(chunk);
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** Packs content and stores it as an object. Returns the object's bytes. Throws FleetError. */
export async function store(
  source: Source,
  content: Omit<Content, "objectBytes">,
  objects: ObjectStore,
  signal: AbortSignal,
): Promise<number> {
  let objectBytes = 0;
  await objects.write(
    objectKey(content.sha256),
    counted(pack(checked(source, content)), (bytes) => (objectBytes += bytes)),
    signal,
  );
  return objectBytes;
}

/** True if the store's object of some content is there and undamaged. Reads all of it. Throws FleetError. */
export async function isIntact(
  content: Omit<Content, "objectBytes">,
  objects: ObjectStore,
  signal: AbortSignal,
): Promise<boolean> {
  const from = objects.name;
  try {
    const found = await objects.read(
      objectKey(content.sha256),
      0,
      signal,
      async ({ body: packed }) => {
        await unpackObject({ packed, content, from, signal, write: null });
        return true;
      },
    );
    return found ?? false;
  } catch (error) {
    if (error instanceof DamagedObjectError) return false;
    throw error;
  }
}

/** Returns the objects that a publication may rely on, by key: those of `kept` manifests, and recent ones. */
export function reliable(
  stored: readonly StoredObject[],
  kept: readonly Manifest[],
  sinceMs: number,
): Map<string, StoredObject> {
  const used = new Set(
    kept.flatMap(({ changes, files }) =>
      [...files, ...changes].map(({ sha256 }) => objectKey(sha256)),
    ),
  );
  return new Map(
    stored
      .filter(({ key, modifiedMs }) => used.has(key) || modifiedMs >= sinceMs)
      .map((each) => [each.key, each]),
  );
}

/** Fails before its end if the content isn't what was measured, so that no object is made of it. */
async function* checked(
  source: Source,
  { bytes, sha256 }: Omit<Content, "objectBytes">,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let length = 0;
  for await (const chunk of source.read()) {
    hash.update(chunk);
    length += chunk.length;
    yield chunk;
  }
  if (length !== bytes || hash.digest("hex") !== sha256)
    throw new FleetError(
      `${source.name} changed while it was published. Publish again.`,
    );
}

function pack(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const packing = createZstdCompress({
    params: {
      [constants.ZSTD_c_compressionLevel]: LEVEL,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  });
  // A fault of the content destroys the stream, and so reaches its reader.
  pipeline(Readable.from(content), packing, () => undefined);
  return packing;
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}
