import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ChangeReader } from "../../changes/change-reader.ts";
import { encodeChangeSet } from "../../changes/change-set-file.ts";
import { withPath } from "../../registry/files/registry-file-error.ts";
import { DiskSections } from "../../snapshot/container/disk-sections.ts";
import { SnapshotFormatError } from "../../snapshot/container/section-file.ts";
import { openExtendedFile } from "../../snapshot/container/shared-file.ts";
import { DetailsReader } from "../../snapshot/details/details-reader.ts";
import type { SnapshotStore } from "../../store/store.ts";
import { bytesOfFile } from "../file-bytes.ts";
import { FleetError } from "../fleet-error.ts";
import {
  encodeManifest,
  formatsOf,
  isPublishedFile,
  once,
  sha256Of,
  type Content,
  type Manifest,
} from "../manifest.ts";
import {
  manifestKey,
  objectKey,
  type ObjectStore,
} from "../objects/object-store.ts";
import {
  isIntact,
  measure,
  reliable,
  store as storeObject,
  type Source,
} from "./packed.ts";

/** Objects that no publication uses are removed after a day; younger ones than this are safe until then. */
const RELIABLE_MS = 12 * 3_600_000;

export interface UploadRequest {
  readonly store: SnapshotStore;
  readonly objects: ObjectStore;
  /** The snapshot to publish. */
  readonly id: string;
  /** Manifests of publications whose objects are kept. */
  readonly kept: readonly Manifest[];
  /** Check what the store already has, and upload again what is damaged. */
  readonly again: boolean;
  readonly program: string;
  /** Returns epoch milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onFile: (name: string) => void;
}

export interface Uploaded {
  /** SHA-256 of the manifest. */
  readonly manifest: string;
  /** The objects that were uploaded, and those that the store had. */
  readonly uploaded: { readonly objects: number; readonly bytes: number };
  readonly present: number;
}

/**
 * Uploads what the store lacks of a snapshot and its changes, then the manifest. Throws FleetError, SnapshotFormatError
 * if the snapshot is damaged, ChangesDatabaseError, the signal's reason, and file system errors. The caller must have
 * the import lock.
 */
export async function upload(request: UploadRequest): Promise<Uploaded> {
  const { id, kept, now, objects, program, signal, store } = request;
  const version = refuseDamaged(store, id);
  const stored = await objects.list(signal);
  const present = reliable(stored, kept, now() - RELIABLE_MS);
  const done = { objects: 0, bytes: 0 };
  const published = async (source: Source): Promise<Content> => {
    const content = await measure(source, signal);
    const held = present.get(objectKey(content.sha256));
    // An intact one stays as it is: another version of zstd would change its length, which manifests state.
    if (
      held !== undefined &&
      (!request.again || (await isIntact(content, objects, signal)))
    )
      return { ...content, objectBytes: held.bytes };
    request.onFile(source.name);
    const objectBytes = await storeObject(source, content, objects, signal);
    done.objects++;
    done.bytes += objectBytes;
    return { ...content, objectBytes };
  };
  const files: Manifest["files"] = [];
  const folder = store.dirOf(id);
  for (const name of readdirSync(folder).filter(isPublishedFile).sort())
    files.push({
      name,
      ...(await published({
        name,
        read: () => bytesOfFile(join(folder, name), signal),
      })),
    });
  const changes = await publishChanges(
    store,
    id,
    request.again ? [] : kept,
    (content) => present.has(objectKey(content.sha256)),
    published,
  );
  const manifest = encodeManifest({
    format: 1,
    snapshot: id,
    formats: formatsOf(version),
    program,
    files,
    changes,
  });
  const sha256 = sha256Of(manifest);
  await objects.write(manifestKey(sha256), once(manifest), signal);
  const count = files.length + changes.length;
  return { manifest: sha256, uploaded: done, present: count - done.objects };
}

async function publishChanges(
  { dataDir }: SnapshotStore,
  id: string,
  kept: readonly Manifest[],
  isPresent: (content: Content) => boolean,
  published: (source: Source) => Promise<Content>,
): Promise<Manifest["changes"]> {
  using reader = new ChangeReader(dataDir);
  // A set never changes, so one that was published before need not be read again.
  const before = new Map(
    kept.flatMap(({ changes }) =>
      changes
        .filter(isPresent)
        .map((content) => [content.snapshot, content] as const),
    ),
  );
  const changes: Manifest["changes"] = [];
  for (const set of reader.lineage(id).sets) {
    const known = before.get(set.snapshot);
    const read = () => encodeChangeSet(set, reader.changes(set, null, true));
    changes.push(
      known ?? {
        snapshot: set.snapshot,
        ...(await published({ name: `changes of ${set.snapshot}`, read })),
      },
    );
  }
  return changes;
}

/**
 * Throws SnapshotFormatError if a checksum of the snapshot's files is wrong: the fleet would get the damage. Returns
 * the snapshot's format version.
 */
function refuseDamaged(store: SnapshotStore, id: string): number {
  const path = store.pathOf(id);
  if (!existsSync(path))
    throw new FleetError(
      `Snapshot ${id} is missing. Roll back or import again.`,
    );
  using file = withPath(path, () => new DiskSections(path));
  const wrong = firstDamage(file, store.detailsPathOf(id));
  if (wrong === null) return file.header.version;
  throw new SnapshotFormatError(
    `Snapshot ${id} is not published, because ${wrong} does not match its checksum`,
    "roll back or import again",
  );
}

function firstDamage(file: DiskSections, detailsPath: string): string | null {
  const section = withPath(file.path, () => file.firstCorrupt());
  if (section !== null) return `its section "${section}"`;
  using extended = openExtendedFile(file.path);
  const indexed = extended?.firstCorrupt() ?? null;
  if (indexed !== null) return `"${indexed}" of its extended index`;
  if (!existsSync(detailsPath)) return null;
  const part = withPath(detailsPath, () => {
    using details = new DetailsReader(detailsPath);
    return details.firstCorrupt() ?? details.firstCorruptEntries();
  });
  return part === null ? null : `"${part}" of its details`;
}
