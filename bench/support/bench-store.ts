import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import { writeSyntheticRegistry } from "../../src/registry-generator/write-registry.ts";
import { importFile } from "./import-file.ts";

/**
 * Calls `use` with the store of a data folder and the ID of its current snapshot. If `source` is a number, the data
 * folder is a temporary one with that many invented providers and their details.
 */
export async function withStore(
  source: string,
  use: (store: SnapshotStore, id: string) => void | Promise<void>,
): Promise<void> {
  if (!/^\d+$/.test(source)) {
    const store = new SnapshotStore(source);
    const id = store.currentId();
    if (id === null)
      throw new Error("The data folder has no current snapshot.");
    return use(store, id);
  }
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  try {
    const path = join(folder, "registry.zip");
    await writeSyntheticRegistry({ providers: Number(source), out: path });
    const store = new SnapshotStore(folder);
    const { id } = await importFile(path, store);
    return await use(store, id);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Calls `use` with the current snapshot of such a data folder. */
export function withSnapshot(
  source: string,
  use: (snapshot: Snapshot) => void,
): Promise<void> {
  return withStore(source, (store, id) => use(new Snapshot(store.share(id))));
}
