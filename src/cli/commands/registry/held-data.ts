import {
  deactivationsDate,
  describeSource,
  type AppliedFile,
} from "../../../snapshot/metadata.ts";
import type { SnapshotStore } from "../../../store/store.ts";
import type { Installed } from "../../../update/plan/plan.ts";
import type { RolledBackFile } from "../../../update/plan/rolled-back.ts";
import { taxonomyVersionOf } from "../../../update/offers/taxonomy-page.ts";
import { UpdateError } from "../../../update/update-error.ts";

/**
 * A week's snapshot takes as much as the one that it is merged into, and an index of details: these themselves stand in both.
 * Rather too much than too little.
 */
const WEEK_PER_SNAPSHOT = 1.1;

/** What an installation has, as an update sees it. */
export interface HeldData {
  readonly installed: Installed;
  /** What a week's snapshot takes of the disk, 0 when there is none to build on. */
  readonly snapshotBytes: number;
  /** How many snapshots there are. */
  readonly snapshots: number;
  /** ISO date to which the data reach; null when there are none, or when no file says. */
  readonly reach: string | null;
  /** In words. */
  readonly source: string;
}

export const NO_DATA: HeldData = {
  installed: heldBy([], null, []),
  snapshotBytes: 0,
  snapshots: 0,
  reach: null,
  source: "no registry data",
};

/**
 * What the current snapshot holds; invented providers count as nothing. With `force`, what was rolled back is forgotten.
 * Throws an UpdateError where there are snapshots and none can be built on.
 */
export function heldData(store: SnapshotStore, force = false): HeldData {
  const all = store.list();
  const current = all.find(({ isCurrent }) => isCurrent);
  if (current === undefined || current.metadata === null) {
    if (all.length === 0) return NO_DATA;
    throw new UpdateError(
      `${current === undefined ? "No snapshot is marked as current" : `The current snapshot ${current.id} cannot be read`}. Run snapshots rollback, or import a full file with --force.`,
    );
  }
  const { fileBytes, metadata } = current;
  const real = metadata.demo ? null : metadata;
  const files = real === null ? [] : store.appliedFiles(real);
  const ends = files.flatMap(({ end, kind }) =>
    kind === "deactivations" ? [] : (end ?? []),
  );
  return {
    installed: heldBy(
      files,
      real?.taxonomySource ?? null,
      force ? [] : rolledBackFiles(store),
    ),
    snapshotBytes: fileBytes * WEEK_PER_SNAPSHOT,
    snapshots: all.length,
    reach: ends.sort().at(-1) ?? null,
    source: real === null ? NO_DATA.source : describeSource(real),
  };
}

function heldBy(
  files: readonly AppliedFile[],
  taxonomySource: string | null,
  rolledBack: Installed["rolledBack"],
): Installed {
  return {
    files,
    rolledBack,
    taxonomyVersion: taxonomyVersionOf(taxonomySource ?? ""),
    deactivationsDate: deactivationsDate(files),
  };
}

function rolledBackFiles(store: SnapshotStore): RolledBackFile[] {
  return store.rollbacks().flatMap(({ at, files, taxonomySource }) => {
    const on = new Date(at).toISOString().slice(0, 10);
    const rolledBack = files.map(({ begin, end, kind }): RolledBackFile => ({
      kind,
      begin,
      end,
      on,
    }));
    const version = taxonomyVersionOf(taxonomySource ?? "");
    if (version !== null) rolledBack.push({ kind: "taxonomy", version, on });
    return rolledBack;
  });
}
