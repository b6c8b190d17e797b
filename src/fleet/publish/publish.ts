import type {
  Publication,
  Publications,
} from "../../accounts/fleet/publications.ts";
import type { SnapshotStore } from "../../store/store.ts";
import { DamagedObjectError, FleetError } from "../fleet-error.ts";
import { keep, PUBLISHED_FILE, readKept } from "../file-bytes.ts";
import {
  readManifest,
  readPublicationFile,
  writePublicationFile,
  type Manifest,
  type PublicationFile,
} from "../manifest.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { upload, type Uploaded } from "./upload.ts";

export interface PublishRequest {
  readonly store: SnapshotStore;
  readonly objects: ObjectStore;
  /** The fleet's publications; null without PostgreSQL, where `publication.json` decides. */
  readonly publications: Pick<Publications, "add" | "newest" | "state"> | null;
  /** The name of this node. */
  readonly publisher: string;
  /** The program's version. */
  readonly program: string;
  /** Check what the store already has, and upload again what is damaged. */
  readonly again: boolean;
  /** Returns epoch milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Called before each upload with the file's name. */
  readonly onFile: (name: string) => void;
  readonly onWarning: (message: string) => void;
}

export interface Published {
  readonly publication: Publication;
  /** Null if nothing was uploaded, because it is the newest publication already. */
  readonly uploaded: Uploaded | null;
  /** True if nodes serve it. */
  readonly isActive: boolean;
}

/**
 * Publishes what the data folder serves: uploads it, and gives it the next epoch, which is not active yet (`activate`).
 * If it is the newest publication already, uploads nothing. The data folder keeps the number, so that it isn't given
 * again if store and database are lost. Throws FleetError, also if another publisher is faster. The caller must have
 * the import lock.
 */
export async function publish(request: PublishRequest): Promise<Published> {
  const published = await uploadAndAdd(request);
  keep(request.store.dataDir, PUBLISHED_FILE, published.publication);
  return published;
}

async function uploadAndAdd(request: PublishRequest): Promise<Published> {
  const { again, objects, onWarning, publications, signal, store } = request;
  if (objects.isReadOnly) await objects.list(signal);
  const id = store.currentId();
  if (id === null)
    throw new FleetError(
      `${store.dataDir} has no current snapshot to publish. Create one with update or import.`,
    );
  // Read before the database's publications, which are never older, unless the database was restored from a backup.
  const announced = await readAnnounced(objects, signal);
  const before = (await publications?.state()) ?? {
    active: announced,
    pending: null,
  };
  const newest = before.pending ?? before.active;
  const kept = readKept(store.dataDir, PUBLISHED_FILE, onWarning);
  const lastEpoch = Math.max(
    ...[newest, announced, kept].map((each) => each?.epoch ?? 0),
  );
  const isNewest = newest?.snapshot === id && newest.epoch === lastEpoch;
  if (isNewest && !again)
    return {
      publication: newest,
      uploaded: null,
      isActive: before.pending === null,
    };
  const uploaded = await upload({
    ...request,
    id,
    again,
    kept: await manifestsOf([before.active, before.pending], objects, signal),
  });
  if (isNewest && newest.manifest === uploaded.manifest)
    return {
      publication: newest,
      uploaded,
      isActive: before.pending === null,
    };
  const publication = {
    epoch: lastEpoch + 1,
    snapshot: id,
    manifest: uploaded.manifest,
  };
  if (publications !== null) await add(publication, publications, request);
  return { publication, uploaded, isActive: false };
}

async function add(
  publication: Publication,
  publications: NonNullable<PublishRequest["publications"]>,
  { publisher }: PublishRequest,
): Promise<void> {
  if (await publications.add(publication, publisher)) return;
  const faster = await publications.newest();
  throw new FleetError(
    `Another publisher was faster: ${faster?.publisher ?? "unknown"} published snapshot ${faster?.snapshot ?? "unknown"} as publication ${faster?.epoch ?? publication.epoch}. To serve yours instead, publish again.`,
  );
}

/** Reads the manifests of publications, without those that cannot be read. */
async function manifestsOf(
  publications: readonly (Publication | null)[],
  objects: ObjectStore,
  signal: AbortSignal,
): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const publication of publications) {
    if (publication === null) continue;
    try {
      const read = await readManifest(objects, publication.manifest, signal);
      manifests.push(read.manifest);
    } catch (error) {
      // Its objects then count as any others.
      if (!(error instanceof FleetError)) throw error;
    }
  }
  return manifests;
}

/**
 * Writes `publication.json`, for nodes and mirrors without PostgreSQL, unless it already names the publication. Without
 * PostgreSQL, this is what activates it. False if it names a later publication, and so stays.
 */
export async function announce(
  { epoch, manifest, snapshot }: Publication,
  objects: ObjectStore,
  now: () => number,
  signal: AbortSignal,
): Promise<boolean> {
  const before = await readAnnounced(objects, signal);
  if (before !== null && before.epoch > epoch) return false;
  if (before?.epoch === epoch && before.manifest === manifest) return true;
  const file: PublicationFile = {
    format: 1,
    epoch,
    snapshot,
    manifest,
    activatedAt: new Date(now()).toISOString(),
    previous: before?.manifest ?? null,
  };
  await writePublicationFile(objects, file, signal);
  return true;
}

/** Returns what `publication.json` names; null also if it is damaged, because it is about to be replaced. */
async function readAnnounced(
  objects: ObjectStore,
  signal: AbortSignal,
): Promise<PublicationFile | null> {
  try {
    return await readPublicationFile(objects, signal);
  } catch (error) {
    if (error instanceof DamagedObjectError) return null;
    throw error;
  }
}
