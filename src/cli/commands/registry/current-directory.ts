import { Directory } from "../../../search/directory.ts";
import { MemorySections } from "../../../snapshot/container/sections.ts";
import { SnapshotFormatError } from "../../../snapshot/container/section-file.ts";
import { DetailsReader } from "../../../snapshot/details/details-reader.ts";
import { Snapshot } from "../../../snapshot/snapshot.ts";
import type { SnapshotStore } from "../../../store/store.ts";

/**
 * Opens the data of the current snapshot; null if there is none. With "held", for many lookups of details, their index
 * is in memory. Throws SnapshotFormatError if the data is damaged.
 */
export function openCurrent(
  store: SnapshotStore,
  ...held: "held"[]
): Directory | null {
  for (let id = store.currentId(); id !== null && store.ids().includes(id);) {
    try {
      return open(store, id, held);
    } catch (error) {
      // An import may have replaced the snapshot and removed it.
      const current = store.currentId();
      if (current === id) throw error;
      id = current;
    }
  }
  return null;
}

/** Checks every byte: a search in damaged data could give wrong results, or never end. */
function open(
  store: SnapshotStore,
  id: string,
  held: readonly "held"[],
): Directory {
  const file = store.share(id);
  const corrupt = new MemorySections(file.bytes).firstCorrupt();
  if (corrupt !== null)
    throw new SnapshotFormatError(
      `Section "${corrupt}" of the current snapshot does not match its checksum`,
      "roll back or import again",
    );
  return new Directory(
    new Snapshot(file),
    openDetails(store.detailsPathOf(id), held),
  );
}

/** Returns null if they cannot be opened: as in the service, only a search that needs them fails then. */
function openDetails(
  path: string,
  held: readonly "held"[],
): DetailsReader | null {
  try {
    return new DetailsReader(path, ...held);
  } catch {
    return null;
  }
}
