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
import {
  addExtendedIndex,
  hasExtendedParts,
  buildExtendedInBackground,
} from "../snapshot/extended/extended-index-builder.ts";

export interface PublishRequest {
  store: SnapshotStore;
  /** Display names of taxonomies, and in words where they come from. */
  taxonomy: { table: TaxonomyTable; source: string };
  centroids: Centroids;
  /** The providers are invented: they replace all that is held and are never merged with the registry's. */
  demo: boolean;
  /** The id of a snapshot that an import before kept back: it is what is held then, in place of the current one. */
  onto?: string | null;
  /**
   * Keeps the new snapshot back: it does not become current, and goes away unless the next import is `onto` it. For a file
   * that newer ones follow, where what is served is newer than the file itself.
   */
  keepBack?: boolean;
  /** Milliseconds since 1970. */
  now: () => number;
  /**
   * Told of the new snapshot before it becomes current, not of one that is kept back; where it throws, nothing does. What
   * searches can be widened to is not in the file yet.
   */
  onBuilt?: (built: BuiltSnapshot) => void;
}

/** A new snapshot that is not in the store yet, and what it was made from. */
export interface BuiltSnapshot {
  metadata: SnapshotMetadata;
  /** Its file. */
  path: string;
  /** The snapshot whose data were current before; null where there were none that it could build on. */
  base: { id: string; path: string } | null;
  /** The NPIs of the rows that were merged into the base, in any order; null where every record may be another. */
  merged: Uint32Array | null;
}

/** A folder of the store in which a snapshot is built. It goes when this is disposed of, unless it is to stay. */
export class UnfinishedBuild implements Disposable {
  readonly id: string;
  readonly dir: string;
  readonly #store: SnapshotStore;
  #stays = false;

  constructor(store: SnapshotStore, nowMs: number) {
    this.#store = store;
    this.id = store.newId(nowMs);
    this.dir = store.beginBuild(this.id);
  }

  /** Says that the folder is published or kept back. */
  stay(): void {
    this.#stays = true;
  }

  [Symbol.dispose](): void {
    if (!this.#stays) this.#store.discard(this.dir);
  }
}

/** What a snapshot is made of. */
interface SnapshotToPublish<Report> extends Pick<
  BuiltSnapshot,
  "base" | "merged"
> {
  /** Where it is built. */
  unfinished: UnfinishedBuild;
  /** Null where none are kept. */
  details: DetailsImport | null;
  draft: SnapshotDraft;
  /** What the draft is merged into; null where the snapshot is made of one file only. */
  mergedInto: BaseSnapshot | null;
  files: AppliedFile[];
  /** What was done, for the operator. */
  report: Report;
}

/** Builds a snapshot and makes it current, or keeps it back; the report, with what came of it, stands beside it. */
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
  const path = store.snapshotPathIn(dir);
  const detailed = details === null ? null : details.finish(taxonomy.table);
  await using extended =
    details === null || detailed === null || !hasExtendedParts(details.held)
      ? null
      : buildExtendedInBackground(
          {
            detailsPath: store.detailsPathIn(dir),
            base:
              mergedInto === null
                ? null
                : { path: mergedInto.sections.path, written: details.npis },
            taxonomyNames: new Map(taxonomy.table.entries()),
          },
          detailed,
        );
  const metadata = await buildSnapshot(
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
        ...(details === null ? {} : { details: details.held }),
      },
      taxonomyName: (code) => taxonomy.table.name(code),
      centroids,
    },
    path,
  );
  if (detailed !== null && detailed !== metadata.counts.providers)
    throw new Error("The details and the snapshot have different NPIs");
  const widened = extended?.write(path);
  if (request.keepBack !== true)
    request.onBuilt?.({ metadata, path, base, merged });
  if (widened !== undefined) {
    await widened;
    addExtendedIndex(path);
  }
  const finished = {
    ...report,
    finishedAt: new Date(now()).toISOString(),
    counts: metadata.counts,
  };
  if (onto !== null) store.inheritReports(onto, dir);
  if (request.keepBack === true) store.keepBack(dir, finished);
  else store.publish(id, dir, finished, now());
  unfinished.stay();
  if (onto !== null) store.discard(store.buildDirOf(onto));
  return { id, report: finished };
}
