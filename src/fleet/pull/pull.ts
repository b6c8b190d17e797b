import { readdirSync, rmSync, statSync, readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { ChangeSetFileError } from "../../changes/change-set-file.ts";
import { ChangeWriter } from "../../changes/change-writer.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { ImportLock } from "../../importing/import-lock.ts";
import { linkOrCopy } from "../../snapshot/details/details-file.ts";
import { DiskSections } from "../../snapshot/container/disk-sections.ts";
import { SECTIONS } from "../../snapshot/container/descriptors.ts";
import { SnapshotFormatError } from "../../snapshot/container/section-file.ts";
import { parseMetadata } from "../../snapshot/metadata.ts";
import { writeDurably } from "../../store/durable-files.ts";
import type { SnapshotStore } from "../../store/store.ts";
import { PART } from "../../update/http/part-file.ts";
import { FleetError } from "../fleet-error.ts";
import { readManifest, type Manifest, parseManifest } from "../manifest.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { fetchContent } from "./fetch-object.ts";
import { hasContent } from "../file-bytes.ts";

/** Snapshots to keep while the disk has too little space for another one. */
const FEWEST_SNAPSHOTS = 1;
/** Rows and index of a list of changes, and SQLite's log of them, per byte of the set's file. */
const DATABASE_PER_BYTE = 2;

export interface Pull {
  readonly published: Published;
  readonly objects: ObjectStore;
  readonly store: SnapshotStore;
  readonly signal: AbortSignal;
  /** Returns epoch milliseconds. */
  readonly clock: () => number;
  /** Called once it is known what is to be downloaded. */
  readonly onBegin: (files: number, objectBytes: number) => void;
}

/**
 * Gets a published snapshot into the data folder, complete and verified, without making it current. An interrupted pull
 * leaves its downloads, and the next one continues. Files that the data folder already has are linked. Takes the import
 * lock. Throws FleetError, the signal's reason, and file system errors.
 */
export async function pull(request: Pull): Promise<void> {
  const { objects, published, signal, store } = request;
  using lock = ImportLock.take(store.dataDir);
  if (lock === null)
    throw new FleetError(
      `Another import or update is running on this data folder. Snapshot ${published.snapshot} is pulled when it has finished.`,
    );
  const { bytes, manifest } = await readManifest(
    objects,
    published.manifest,
    signal,
  );
  if (manifest.snapshot !== published.snapshot)
    throw new FleetError(
      `The manifest ${published.manifest} of ${objects.name} is that of snapshot ${manifest.snapshot}, not of ${published.snapshot}. Publish again.`,
    );
  if (await isComplete(store.dirOf(manifest.snapshot), manifest, signal)) {
    // An import of this data folder made it.
    keepManifest(store.dirOf(manifest.snapshot), bytes);
    return;
  }
  const folder = await buildFolder(request, manifest);
  refuseAnotherSnapshot(folder, manifest);
  await adoptChanges(request, manifest, folder);
  keepManifest(folder, bytes);
  removeOthers(folder, manifest);
  store.add(manifest.snapshot, folder);
}

async function isComplete(
  folder: string,
  { files }: Manifest,
  signal: AbortSignal,
): Promise<boolean> {
  for (const file of files)
    if (!(await hasContent(join(folder, file.name), file, signal)))
      return false;
  return true;
}

/** Fills the unfinished folder of the snapshot with its files, and returns its path. */
async function buildFolder(
  { clock, objects, onBegin, signal, store }: Pull,
  manifest: Manifest,
): Promise<string> {
  const { builds } = store;
  const folder = builds.dirOf(manifest.snapshot);
  // What other pulls, or a killed import, left behind.
  builds.discardAll(manifest.snapshot);
  makeFolder(folder);
  const missing: Manifest["files"] = [];
  for (const file of manifest.files)
    if (!(await takeLocal(file, folder, store, signal))) missing.push(file);
  const sets = missingSets(store, manifest);
  await requireSpace(folder, missing, sets, () =>
    store.prune(FEWEST_SNAPSHOTS, clock()),
  );
  const objectBytes = [...missing, ...sets].reduce(
    (sum, each) => sum + each.objectBytes,
    0,
  );
  onBegin(missing.length, objectBytes);
  for (const content of missing)
    await fetchContent({
      objects,
      content,
      path: join(folder, content.name),
      signal,
    });
  return folder;
}

/**
 * Uses a file that was fetched before, or links one of another snapshot: entry files of details are shared by many.
 * False if there is none with these bytes.
 */
async function takeLocal(
  file: Manifest["files"][number],
  folder: string,
  store: SnapshotStore,
  signal: AbortSignal,
): Promise<boolean> {
  const path = join(folder, file.name);
  if (await hasContent(path, file, signal)) return true;
  rmSync(path, { force: true });
  for (const id of store.ids()) {
    const candidate = join(store.dirOf(id), file.name);
    if (!(await hasContent(candidate, file, signal))) continue;
    linkOrCopy(candidate, path);
    return true;
  }
  return false;
}

function missingSets(
  { dataDir }: SnapshotStore,
  { changes }: Manifest,
): Manifest["changes"] {
  using writer = new ChangeWriter(dataDir);
  const held = writer.snapshots();
  return changes.filter(({ snapshot }) => !held.has(snapshot));
}

/** Throws FleetError if the disk has too little space, also after `prune`. */
async function requireSpace(
  folder: string,
  files: Manifest["files"],
  sets: Manifest["changes"],
  prune: () => void,
): Promise<void> {
  const contents = [...files, ...sets];
  const packed = Math.max(0, ...contents.map(({ objectBytes }) => objectBytes));
  const parts = files.reduce(
    (sum, { name }) => sum + sizeOf(join(folder, name + PART)),
    0,
  );
  const needed =
    sumOf(files) + sumOf(sets) * (1 + DATABASE_PER_BYTE) + packed - parts;
  if ((await freeBytes(folder)) >= needed) return;
  prune();
  const free = await freeBytes(folder);
  if (free >= needed) return;
  throw new FleetError(
    `The disk of ${folder} has ${megabytes(free)} free, but the published snapshot needs ${megabytes(needed)}. Free some space.`,
  );
}

function sumOf(contents: readonly { readonly bytes: number }[]): number {
  return contents.reduce((sum, { bytes }) => sum + bytes, 0);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString("en-US")} MB`;
}

/** Throws FleetError if the fetched file is not the snapshot that its manifest names, or one for another program. */
function refuseAnotherSnapshot(folder: string, { snapshot }: Manifest): void {
  try {
    using sections = new DiskSections(join(folder, "providers.snapshot"));
    const { id } = parseMetadata(sections.getChecked(SECTIONS.metadata));
    if (id === snapshot) return;
  } catch (error) {
    if (error instanceof SnapshotFormatError)
      throw new FleetError(`${error.fault}. Publish again.`, { cause: error });
    throw error;
  }
  throw new FleetError(
    `The published file is not that of snapshot ${snapshot}. Publish again.`,
  );
}

/** Fetches the sets of changes that are missing, and adds them before the snapshot appears. */
async function adoptChanges(
  { objects, signal, store }: Pull,
  manifest: Manifest,
  folder: string,
): Promise<void> {
  const sets = missingSets(store, manifest);
  const paths = sets.map(({ snapshot }) =>
    join(folder, `changes-${snapshot}.jsonl`),
  );
  for (const [index, content] of sets.entries()) {
    const path = paths[index] ?? "";
    if (!(await hasContent(path, content, signal)))
      await fetchContent({ objects, content, path, signal });
  }
  using writer = new ChangeWriter(store.dataDir);
  try {
    await writer.adopt(paths, [...store.ids(), manifest.snapshot]);
  } catch (error) {
    if (!(error instanceof ChangeSetFileError)) throw error;
    throw new FleetError(
      `A list of changes in ${objects.name} ${error.message}. Publish with the version of this program that the nodes run.`,
      { cause: error },
    );
  }
}

function keepManifest(folder: string, bytes: Uint8Array): void {
  writeDurably(join(folder, MANIFEST_FILE), Buffer.from(bytes).toString());
}

/** Removes what the snapshot doesn't have: files of changes, and downloads of an earlier program. */
function removeOthers(folder: string, { files }: Manifest): void {
  const names = new Set([MANIFEST_FILE, ...files.map(({ name }) => name)]);
  for (const name of readdirSync(folder))
    if (!names.has(name))
      rmSync(join(folder, name), { recursive: true, force: true });
}

/** A copy of the manifest in the folder of a snapshot that was pulled, or compared with a publication. */
const MANIFEST_FILE = "manifest.json";

/** A published snapshot: its ID, and the SHA-256 of its manifest. */
interface Published {
  readonly snapshot: string;
  readonly manifest: string;
}

/**
 * True if a data folder has a published snapshot: with a copy of its manifest, and all of its files in their lengths.
 * Their bytes were checked when the copy was written.
 */
export function isHeld(store: SnapshotStore, published: Published): boolean {
  const folder = store.dirOf(published.snapshot);
  const manifest = heldManifest(folder, published);
  return (
    manifest !== null &&
    manifest.files.every(
      ({ bytes, name }) =>
        statSync(join(folder, name), { throwIfNoEntry: false })?.size === bytes,
    )
  );
}

function heldManifest(folder: string, published: Published): Manifest | null {
  try {
    const bytes = readFileSync(join(folder, MANIFEST_FILE));
    const manifest = parseManifest(bytes, published.manifest, folder);
    return manifest.snapshot === published.snapshot ? manifest : null;
  } catch (error) {
    if (error instanceof FleetError) return null;
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return null;
    throw error;
  }
}
