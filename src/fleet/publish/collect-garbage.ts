import { FleetError } from "../fleet-error.ts";
import { isUnfinished } from "../objects/file-store.ts";
import { readManifest, readPublicationFile } from "../manifest.ts";
import {
  isOfPublications,
  manifestKey,
  objectKey,
  type ObjectStore,
} from "../objects/object-store.ts";

/** The age at which an object that no publication uses is removed: a publisher may be about to use it. */
const ORPHAN_MS = 86_400_000;

/**
 * Removes objects and manifests that none of the kept manifests (SHA-256) uses, nor the store's own publication, and
 * what interrupted writes left behind, once they are a day old. Returns how many. Throws FleetError if a kept manifest
 * cannot be read, without removing anything.
 */
export async function collectGarbage(
  objects: ObjectStore,
  kept: readonly string[],
  nowMs: number,
  signal: AbortSignal,
): Promise<{ objects: number; bytes: number }> {
  const published = await readPublicationFile(objects, signal);
  const newest = [published?.manifest, published?.previous].flatMap(
    (manifest) => manifest ?? [],
  );
  const used = new Set<string>();
  for (const sha256 of new Set([...kept, ...newest])) {
    const { manifest } = await readManifest(objects, sha256, signal);
    used.add(manifestKey(sha256));
    for (const content of [...manifest.files, ...manifest.changes])
      used.add(objectKey(content.sha256));
  }
  if (used.size === 0)
    throw new FleetError(`Nothing is published in ${objects.name}.`);
  const orphans = (await objects.list(signal)).filter(
    ({ key, modifiedMs }) =>
      (isOfPublications(key) || isUnfinished(key)) &&
      !used.has(key) &&
      modifiedMs < nowMs - ORPHAN_MS,
  );
  for (const { key } of orphans) await objects.remove(key, signal);
  return {
    objects: orphans.length,
    bytes: orphans.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
