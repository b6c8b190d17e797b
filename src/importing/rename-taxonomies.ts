import { SnapshotDraft } from "../snapshot/build/draft.ts";
import { DetailsImport } from "./details-import.ts";
import { openBase } from "./import-base.ts";
import { publish, UnfinishedBuild, type PublishRequest } from "./publish.ts";

/**
 * Rebuilds the current snapshot with new display names of taxonomies and makes the result current; providers and files
 * stay the same. The caller must have the import lock of the data folder. Returns the new snapshot's id. Throws
 * SnapshotFormatError if the current snapshot cannot be used.
 */
export async function renameTaxonomies(
  request: Omit<PublishRequest, "demo" | "keepBack" | "onto">,
): Promise<string> {
  const { now, store, taxonomy } = request;
  store.builds.discardAll();
  using base = openBase(store, false);
  if (base === null)
    throw new Error("There is no snapshot whose taxonomies could be renamed.");
  const { demo, id: baseId } = base.metadata;
  using unfinished = new UnfinishedBuild(store, now());
  using details = DetailsImport.copy({
    base,
    id: unfinished.id,
    target: store.builds.detailsPathIn(unfinished.dir),
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
