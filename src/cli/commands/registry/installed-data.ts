import {
  deactivationsDate,
  describeSource,
  type AppliedFile,
} from "../../../snapshot/metadata.ts";
import type { SnapshotStore } from "../../../store/store.ts";
import type { Installed, RolledBackFile } from "../../../update/plan/plan.ts";
import { taxonomyVersionOf } from "../../../update/offers/taxonomy-page.ts";
import { UpdateError } from "../../../update/update-error.ts";

/** The snapshot of a weekly file is as large as its base plus an index of details, which are shared. Rounded up. */
const WEEK_PER_SNAPSHOT = 1.1;

/** Facts about the installation, for an update. */
export interface InstalledData {
  readonly installed: Installed;
  /** Bytes for the snapshot of a weekly file; 0 if there is no base. */
  readonly snapshotBytes: number;
  /** The number of snapshots. */
  readonly snapshots: number;
  /** Last day of the data, an ISO date; null if there is none or it is unknown. */
  readonly reach: string | null;
  /** In words. */
  readonly source: string;
}

export const NO_DATA: InstalledData = {
  installed: installedFrom([], null, []),
  snapshotBytes: 0,
  snapshots: 0,
  reach: null,
  source: "no registry data",
};

/**
 * Describes the current data; a demo counts as none. With `force`, ignores rollbacks. Throws UpdateError if there are
 * snapshots but none can be built on.
 */
export function installedData(
  store: SnapshotStore,
  force = false,
): InstalledData {
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
    installed: installedFrom(
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

function installedFrom(
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
