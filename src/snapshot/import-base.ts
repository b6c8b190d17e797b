import { SectionFile, SnapshotFormatError } from "./section-file.ts";
import { Snapshot } from "./snapshot.ts";
import type { SnapshotStore } from "./store.ts";

/**
 * The snapshot that an import builds on, null where the store holds none. Every checksum is checked first: what is taken
 * over gets new ones, so a damaged byte would pass for a sound one from then on. Throws SnapshotFormatError where the
 * snapshot is damaged, or where no current one is named though there are some; with `mayStartAnew` it is null instead.
 */
export function openBase(
  store: SnapshotStore,
  mayStartAnew: boolean,
): Snapshot | null {
  try {
    return openCurrent(store);
  } catch (error) {
    if (!(error instanceof SnapshotFormatError)) throw error;
    if (mayStartAnew) return null;
    throw error;
  }
}

function openCurrent(store: SnapshotStore): Snapshot | null {
  const id = store.currentId() ?? store.completeFirst();
  if (id === null) {
    if (store.ids().length === 0) return null;
    throw unusable("No snapshot is marked as the current one");
  }
  const buffer = readIfThere(store, id);
  if (buffer === null)
    throw unusable(`The current snapshot ${id} is not there`);
  const [corrupt] = corruptSections(buffer, id);
  if (corrupt !== undefined)
    throw unusable(
      `The current snapshot ${id} is damaged, for its section "${corrupt}" does not match its checksum`,
    );
  return new Snapshot(buffer);
}

function readIfThere(
  store: SnapshotStore,
  id: string,
): SharedArrayBuffer | null {
  try {
    return store.read(id);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return null;
    throw error;
  }
}

function corruptSections(buffer: SharedArrayBuffer, id: string): string[] {
  try {
    return new SectionFile(buffer).corruptSections();
  } catch (error) {
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
