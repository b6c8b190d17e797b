import type { TaxonomyTable } from "../reference/taxonomy-table.ts";
import type { Centroids } from "../snapshot/places/centroids.ts";
import type { BaseSnapshot } from "../snapshot/base-snapshot.ts";
import type { DetailsImport } from "./details-import.ts";
import { buildSnapshot } from "../snapshot/build/build.ts";
import type { SnapshotDraft } from "../snapshot/build/draft.ts";
import type {
  AppliedFile,
  SnapshotCounts,
  SnapshotMetadata,
} from "../snapshot/metadata.ts";
import type { SnapshotStore } from "../store/store.ts";
import { buildExtendedInBackground } from "../snapshot/extended/extended-index-builder.ts";
import { hasExtendedParts } from "../snapshot/extended/extended-index.ts";

export interface PublishRequest {
  store: SnapshotStore;
  /** Display names of taxonomies, and a description of their source. */
  taxonomy: { table: TaxonomyTable; source: string };
  /** Returns the centroids. Called when they are needed. */
  centroids: () => Centroids;
  /** Demo providers: they replace all data and are never merged with the registry's. */
  demo: boolean;
  /** The id of a build that an earlier import kept back; it is the base instead of the current snapshot. */
  onto?: string | null;
  /**
   * Keeps the new snapshot back: it does not become current, and is deleted unless the next import builds `onto` it.
   * Used for a file with newer files to follow, if the current snapshot is newer than the file.
   */
  keepBack?: boolean;
  /** Returns milliseconds since 1970. */
  now: () => number;
  /**
   * Runs before the new snapshot becomes current, not if it is kept back. If it throws, nothing becomes current. The
   * extended index is not finished yet.
   */
  onBuilt?: (built: BuiltSnapshot) => void;
}

/** A new snapshot that is not in the store yet, and its base. */
export interface BuiltSnapshot {
  metadata: SnapshotMetadata;
  /** Path of its file. */
  path: string;
  /** The snapshot whose data was current before; null if the import did not build on any. */
  base: { id: string; path: string } | null;
  /** The NPIs of the rows merged into the base, in any order; null if any record may have changed. */
  merged: Uint32Array | null;
}

/** A folder of the store in which a snapshot is built. Disposing removes it, unless `stay` was called. */
export class UnfinishedBuild implements Disposable {
  readonly id: string;
  readonly dir: string;
  readonly #store: SnapshotStore;
  #stays = false;

  constructor(store: SnapshotStore, nowMs: number) {
    this.#store = store;
    this.id = store.newId(nowMs);
    this.dir = store.builds.begin(this.id);
  }

  /** Keeps the folder, which is published or kept back, when this is disposed of. */
  stay(): void {
    this.#stays = true;
  }

  [Symbol.dispose](): void {
    if (!this.#stays) this.#store.builds.discard(this.dir);
  }
}

/** The parts of a snapshot. */
interface SnapshotToPublish<Report> extends Pick<
  BuiltSnapshot,
  "base" | "merged"
> {
  /** The folder where it is built. */
  unfinished: UnfinishedBuild;
  /** Null if no details are kept. */
  details: DetailsImport | null;
  draft: SnapshotDraft;
  /** The base that the draft is merged into; null for a snapshot made from a single file. */
  mergedInto: BaseSnapshot | null;
  files: AppliedFile[];
  /** The import's report for the operator. */
  report: Report;
}

/** Builds a snapshot with its report, and makes it current or keeps it back. */
export async function publish<Report extends object>(
  request: PublishRequest,
  {
    base,
    details,
    draft,
    files,
    merged,
    mergedInto,
    report,
    unfinished,
  }: SnapshotToPublish<Report>,
): Promise<{
  id: string;
  report: Report & { finishedAt: string; counts: SnapshotCounts };
}> {
  const { centroids, demo, now, onto = null, store, taxonomy } = request;
  const { dir, id } = unfinished;
  const path = store.builds.snapshotPathIn(dir);
  const rows = mergedInto === null ? draft.rows.byNpi() : undefined;
  const detailed =
    details === null ? null : details.finish(taxonomy.table, rows);
  await using extended =
    details === null ||
    detailed === null ||
    !hasExtendedParts(details.keptParts)
      ? null
      : buildExtendedInBackground(
          {
            detailsPath: store.builds.detailsPathIn(dir),
            taxonomyNames: new Map(taxonomy.table.entries()),
          },
          detailed,
        );
  let widened = Promise.resolve();
  const metadata = buildSnapshot(
    draft,
    mergedInto,
    {
      metadata: {
        id,
        createdAt: new Date(now()).toISOString(),
        files,
        demo,
        madeFrom: store.currentId(),
        taxonomySource: taxonomy.source,
        ...(details === null ? {} : { details: details.keptParts }),
      },
      taxonomyTable: taxonomy.table,
      centroids,
      onDocuments(written) {
        if (extended !== null) widened = extended.write(path, written);
      },
    },
    path,
  );
  if (detailed !== null && detailed !== metadata.counts.providers)
    throw new Error("The details and the snapshot have different NPIs");
  if (request.keepBack !== true)
    request.onBuilt?.({ metadata, path, base, merged });
  await widened;
  const finished = {
    ...report,
    finishedAt: new Date(now()).toISOString(),
    counts: metadata.counts,
  };
  if (onto !== null) store.builds.inheritReports(onto, dir);
  if (request.keepBack === true) store.builds.keepBack(dir, finished);
  else store.publish(id, dir, finished, now());
  unfinished.stay();
  if (onto !== null) store.builds.discard(store.builds.dirOf(onto));
  return { id, report: finished };
}
