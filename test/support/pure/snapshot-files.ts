/** The files of a snapshot in a data folder, made in this process. */

import { makeFiles } from "../../../src/tables/make-files.ts";
import { dataDateOf, describeSource } from "../../../src/snapshot/metadata.ts";
import { Snapshot } from "../../../src/snapshot/snapshot.ts";
import { SnapshotStore } from "../../../src/store/store.ts";

/** What `makeFiles` needs for the current snapshot of a data folder. */
export function filesToMake(dataDir: string) {
  const store = new SnapshotStore(dataDir);
  const id = store.currentId() ?? "none";
  const file = store.share(id);
  const { count, metadata } = new Snapshot(file);
  return {
    id,
    file,
    detailsPath: store.detailsPathOf(id),
    providers: count,
    dataDate: dataDateOf(metadata),
    source: describeSource(metadata),
    dataDir,
    createdBy: "a test",
  };
}

/** Makes the files of the current snapshot of a data folder. */
export function makeCurrentFiles(
  dataDir: string,
  signal = new AbortController().signal,
) {
  return makeFiles(filesToMake(dataDir), signal);
}
