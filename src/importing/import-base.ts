import { BaseSnapshot } from "../snapshot/base-snapshot.ts";
import { DetailsReader } from "../snapshot/details/details-reader.ts";
import { SECTIONS } from "../snapshot/container/descriptors.ts";
import { DiskSections } from "../snapshot/container/disk-sections.ts";
import { parseMetadata } from "../snapshot/metadata.ts";
import { SnapshotFormatError } from "../snapshot/container/section-file.ts";
import type { SnapshotStore } from "../store/store.ts";

/**
 * Opens the snapshot that an import builds on: the build `keptId` if given, else the current snapshot; null if the
 * store is empty. All checksums are verified first: copied sections get new checksums, which would hide damage forever.
 * Throws SnapshotFormatError if the snapshot is damaged, or if there are snapshots but none is current; with
 * `mayStartAnew` it returns null instead.
 */
export function openBase(
  store: SnapshotStore,
  mayStartAnew: boolean,
  keptId: string | null = null,
): BaseSnapshot | null {
  try {
    if (keptId === null) return openCurrent(store);
    const dir = store.builds.dirOf(keptId);
    const details = store.builds.detailsPathIn(dir);
    return openSound(store.builds.snapshotPathIn(dir), details, keptId);
  } catch (error) {
    if (!(error instanceof SnapshotFormatError)) throw error;
    if (mayStartAnew) return null;
    throw error;
  }
}

/** Opens the base like openBase; null if it has demo providers: real ones are never merged with them. */
export function openRealBase(
  ...which: Parameters<typeof openBase>
): BaseSnapshot | null {
  const base = openBase(...which);
  if (base?.metadata.demo !== true) return base;
  base[Symbol.dispose]();
  return null;
}

function openCurrent(store: SnapshotStore): BaseSnapshot | null {
  const id = store.currentId() ?? store.completeFirst();
  if (id === null) {
    if (store.ids().length === 0) return null;
    throw unusable("No snapshot is marked as the current one");
  }
  return openSound(store.pathOf(id), store.detailsPathOf(id), id);
}

function openSound(
  path: string,
  detailsPath: string,
  id: string,
): BaseSnapshot {
  using opened = new DisposableStack();
  const snapshot = `The current snapshot ${id}`;
  const sections = opened.use(openPart(snapshot, () => new DiskSections(path)));
  refuseCorrupt(snapshot, sections);
  const { details } = parseMetadata(sections.get(SECTIONS.metadata));
  if (details === undefined) {
    opened.move();
    return new BaseSnapshot(sections, null);
  }
  const what = `The details file of the current snapshot ${id}`;
  const reader = opened.use(
    openPart(what, () => new DetailsReader(detailsPath)),
  );
  refuseCorrupt(what, reader);
  opened.move();
  return new BaseSnapshot(sections, reader);
}

function refuseCorrupt(
  what: string,
  file: { firstCorrupt: () => string | null },
): void {
  const corrupt = file.firstCorrupt();
  if (corrupt !== null)
    throw unusable(
      `${what} is damaged: its section "${corrupt}" does not match its checksum`,
    );
}

function openPart<T>(what: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw unusable(`${what} is missing`);
    if (!(error instanceof SnapshotFormatError)) throw error;
    // The original advice is for other callers.
    throw unusable(`${what} is damaged (${error.fault})`, error);
  }
}

function unusable(what: string, cause?: unknown): SnapshotFormatError {
  return new SnapshotFormatError(
    what,
    "run snapshots rollback, or import a full file with --force, which carries no details over",
    { cause },
  );
}
