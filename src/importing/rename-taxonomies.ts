import { SnapshotDraft } from "../snapshot/build/draft.ts";
import { DetailsImport } from "./details-import.ts";
import { openBase } from "./import-base.ts";
import { publish, UnfinishedBuild, type PublishRequest } from "./publish.ts";

/**
 * Makes the current snapshot anew with other display names of taxonomies, and makes the new one current; providers and
 * files stay as they are. The caller holds the data folder's import lock. Returns the new snapshot's id. Throws
 * SnapshotFormatError where what is held cannot be built on.
 */
export async function renameTaxonomies(
  request: Omit<PublishRequest, "demo" | "keepBack" | "onto">,
): Promise<string> {
  const { now, store, taxonomy } = request;
  store.discardUnfinished();
  using base = openBase(store, false);
  if (base === null)
    throw new Error("There is no snapshot whose taxonomies could be renamed.");
  const { demo, id: baseId } = base.metadata;
  using unfinished = new UnfinishedBuild(store, now());
  using details = DetailsImport.copy({
    base,
    id: unfinished.id,
    target: store.detailsPathIn(unfinished.dir),
  });
  const { id } = await publish(
    { ...request, demo },
    {
      unfinished,
      details,
      mergedInto: base,
      draft: new SnapshotDraft(),
      files: store.appliedFiles(base.metadata),
      base: { id: baseId, path: store.pathOf(baseId) },
      merged: new Uint32Array(0),
      report: {
        startedAt: new Date(now()).toISOString(),
        taxonomySource: taxonomy.source,
      },
    },
  );
  return id;
}
