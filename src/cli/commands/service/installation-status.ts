import { countAll, type ChangeCounts } from "../../../changes/change.ts";
import { ChangeReader } from "../../../changes/change-reader.ts";
import { timeOfSnapshot } from "../../../changes/change-sets.ts";
import { ChangesDatabaseError } from "../../../changes/database.ts";
import type { DetailPart } from "../../../contract/detail-parts.ts";
import { dataAge } from "../../../contract/data-age.ts";
import {
  dataDateOf,
  describeSource,
  type AppliedFile,
  type SnapshotCounts,
} from "../../../snapshot/metadata.ts";
import { missingDays, type Days } from "../../../store/missing-days.ts";
import type { SnapshotStore } from "../../../store/store.ts";
import {
  readUpdateStatus,
  type UpdateStatus,
} from "../../../update/update-status.ts";
import { describeChangesFault } from "../registry/changes-fault.ts";
import { existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";

/** The installation's status as `status --json` prints it. Times are ISO 8601, sizes bytes. */
export interface InstallationStatus {
  /** The current snapshot; null if there is none or it is unreadable. */
  readonly snapshot: {
    readonly id: string;
    readonly created_at: string;
    readonly source: string;
    readonly specialty_names: string;
    readonly counts: SnapshotCounts;
    /** What `include` can add to a record. */
    readonly details: readonly DetailPart[];
    readonly files: readonly Pick<
      AppliedFile,
      "name" | "kind" | "begin" | "end"
    >[];
    readonly data_date: string | null;
    readonly data_age_days: number | null;
    /** Days before that date that no imported file covers. */
    readonly missing_days: readonly Days[];
  } | null;
  readonly snapshots: number;
  /** About old data; null if it is recent or of unknown age. */
  readonly warning: string | null;
  readonly update: UpdateStatus | null;
  readonly changes: {
    readonly sets: number;
    readonly changes: number;
    /** Creation time of the data that the list of changes starts from. */
    readonly complete_since: string;
    /** Changes of the last import. */
    readonly last: (ChangeCounts & { readonly date: string }) | null;
  } | null;
  /** Why the changes cannot be read, as on a full disk; null if they can. */
  readonly changes_fault: string | null;
  readonly disk: DiskUse;
}

export function installationStatus(
  store: SnapshotStore,
  nowMs: number,
): InstallationStatus {
  const { dataDir } = store;
  const all = store.list();
  const metadata = all.find(({ isCurrent }) => isCurrent)?.metadata ?? null;
  const age = metadata === null ? null : dataAge(dataDateOf(metadata), nowMs);
  return {
    snapshot:
      metadata === null
        ? null
        : {
            id: metadata.id,
            created_at: metadata.createdAt,
            source: describeSource(metadata),
            specialty_names: metadata.taxonomySource,
            counts: metadata.counts,
            details: metadata.details ?? [],
            files: store
              .appliedFiles(metadata)
              .map(({ begin, end, kind, name }) => ({
                name,
                kind,
                begin,
                end,
              })),
            data_date: dataDateOf(metadata),
            data_age_days: age?.days ?? null,
            missing_days: missingDays(store.appliedFiles(metadata)),
          },
    snapshots: all.length,
    warning: age?.warning ?? null,
    update: readUpdateStatus(dataDir),
    ...changesOf(metadata?.id ?? null, dataDir),
    disk: diskUse(dataDir),
  };
}

/** A fault in the changes must not hide the rest of the status. */
function changesOf(
  snapshot: string | null,
  dataDir: string,
): Pick<InstallationStatus, "changes" | "changes_fault"> {
  try {
    const changes = snapshot === null ? null : changesTo(snapshot, dataDir);
    return { changes, changes_fault: null };
  } catch (error) {
    if (!(error instanceof ChangesDatabaseError)) throw error;
    return { changes: null, changes_fault: describeChangesFault(error) };
  }
}

function changesTo(
  snapshot: string,
  dataDir: string,
): InstallationStatus["changes"] {
  using reader = new ChangeReader(dataDir);
  const { origin, sets } = reader.lineage(snapshot);
  const listed = sets.filter(({ isListed }) => isListed);
  const last = listed.at(-1);
  return {
    sets: listed.length,
    changes: listed.reduce((sum, { counts }) => sum + countAll(counts), 0),
    complete_since: timeOfSnapshot(origin),
    last: last === undefined ? null : { date: last.appliedOn, ...last.counts },
  };
}

/** A data folder's disk use, in bytes. */
export interface DiskUse {
  readonly snapshots: number;
  readonly downloads: number;
  readonly databases: number;
  /** Bytes available to this user. */
  readonly free: number;
}

export function diskUse(dataDir: string): DiskUse {
  const { bavail, bsize } = statfsSync(dataDir);
  return {
    snapshots: bytesBelow(join(dataDir, "snapshots")),
    downloads: bytesBelow(join(dataDir, "downloads")),
    databases: readdirSync(dataDir)
      .filter((name) => /\.sqlite(-wal|-shm)?$/.test(name))
      .reduce((sum, name) => sum + bytesOf(join(dataDir, name)), 0),
    free: bavail * bsize,
  };
}

/** Counts hard-linked files, such as details, once. */
function bytesBelow(folder: string): number {
  if (!existsSync(folder)) return 0;
  const seen = new Set<number>();
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).reduce(
    (sum, name) => sum + bytesOf(join(folder, name), seen),
    0,
  );
}

/** A file's length; 0 for a folder, a file that is gone by now, and a file seen before. */
function bytesOf(path: string, seen: Set<number> = new Set()): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || seen.has(stat.ino)) return 0;
  seen.add(stat.ino);
  return stat.size;
}
