import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import { writeSyntheticRegistry } from "../../src/registry-generator/write-registry.ts";
import { importFile } from "./import-file.ts";

/**
 * Calls `use` with the current snapshot of a data folder, or, if `source` is a number, with a snapshot of that many
 * invented providers, which is removed afterwards.
 */
export async function withSnapshot(
  source: string,
  use: (snapshot: Snapshot) => void,
): Promise<void> {
  if (!/^\d+$/.test(source)) return use(current(new SnapshotStore(source)));
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  try {
    const path = join(folder, "registry.zip");
    await writeSyntheticRegistry({ providers: Number(source), out: path });
    const store = new SnapshotStore(folder);
    await importFile(path, store);
    use(current(store));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function current(store: SnapshotStore): Snapshot {
  const id = store.currentId();
  if (id === null) throw new Error("The data folder has no current snapshot");
  return new Snapshot(store.read(id));
}
