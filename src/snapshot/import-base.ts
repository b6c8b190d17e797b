import { BaseSnapshot } from "./base-snapshot.ts";
import { DiskSections } from "./disk-sections.ts";
import { SnapshotFormatError } from "./section-file.ts";
import type { SnapshotStore } from "./store.ts";

/**
 * The snapshot that an import builds on: that of the build `keptId`, where one was kept back for it, else the current one;
 * null where the store holds none. Every checksum is checked first: what is taken
 * over gets new ones, so a damaged byte would pass for a sound one from then on. Throws SnapshotFormatError where the
 * snapshot is damaged, or where no current one is named though there are some; with `mayStartAnew` it is null instead.
 */
export function openBase(
  store: SnapshotStore,
  mayStartAnew: boolean,
  keptId: string | null = null,
): BaseSnapshot | null {
  try {
    return keptId === null
      ? openCurrent(store)
      : openSound(store.snapshotPathIn(store.buildDirOf(keptId)), keptId);
  } catch (error) {
    if (!(error instanceof SnapshotFormatError)) throw error;
    if (mayStartAnew) return null;
    throw error;
  }
}

function openCurrent(store: SnapshotStore): BaseSnapshot | null {
  const id = store.currentId() ?? store.completeFirst();
  if (id === null) {
    if (store.ids().length === 0) return null;
    throw unusable("No snapshot is marked as the current one");
  }
  return openSound(store.pathOf(id), id);
}

function openSound(path: string, id: string): BaseSnapshot {
  const sections = openSections(path, id);
  try {
    const corrupt = sections.firstCorrupt();
    if (corrupt !== null)
      throw unusable(
        `The current snapshot ${id} is damaged, for its section "${corrupt}" does not match its checksum`,
      );
    return new BaseSnapshot(sections);
  } catch (error) {
    sections[Symbol.dispose]();
    throw error;
  }
}

function openSections(path: string, id: string): DiskSections {
  try {
    return new DiskSections(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw unusable(`The current snapshot ${id} is not there`);
    if (!(error instanceof SnapshotFormatError)) throw error;
    // What stands behind the semicolon is other advice.
    const [how] = error.message.split(";");
    throw unusable(`The current snapshot ${id} is damaged (${how})`, error);
  }
}

function unusable(what: string, cause?: unknown): SnapshotFormatError {
  return new SnapshotFormatError(
    `${what}: go back with snapshots rollback, or import a full file with --force, which then carries no details over.`,
    { cause },
  );
}
