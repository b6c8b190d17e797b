import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { DetailPart } from "../contract/detail-parts.ts";
import type { BuiltSnapshot } from "../importing/publish.ts";
import { lastFileEnd } from "../snapshot/metadata.ts";
import { sortedDistinct } from "../snapshot/bytes/sorted.ts";
import type { SnapshotStore } from "../store/store.ts";
import {
  isOnlyDetails,
  noChanges,
  type Change,
  type ChangeCounts,
} from "./change.ts";
import { ChangeWriter } from "./change-writer.ts";
import { differingNpis } from "../snapshot/records/differing-npis.ts";
import { changesOf } from "./compare.ts";
import { commonParts, DetailComparer } from "./detail-changes.ts";
import { DetailsReader } from "../snapshot/details/details-reader.ts";
import { differingDetails } from "../snapshot/details/differing-details.ts";
import { SnapshotRecords, rememberRecords } from "./snapshot-records.ts";

/** The maximum changes of one set. With more, only the counts are stored, and the list starts again there. */
export const MAX_CHANGES_PER_SET = 1_000_000;
/** The maximum changes kept: 400 days of weeks with 35,000 rows, with room to spare, in less than a gigabyte. */
const MAX_CHANGES_KEPT = 3_000_000;
/** The maximum characters of changed details kept. A week has some ten million. */
const MAX_DETAILS_KEPT = 1 << 30;

/** Records of this many NPIs are in memory at a time, equal ones of both snapshots once: about 200 MB at most. */
const MAX_NPIS_IN_MEMORY = 100_000;

export interface RecordingOptions {
  readonly store: SnapshotStore;
  /** Returns epoch milliseconds. */
  readonly now: () => number;
  /** For how many days changes are kept. */
  readonly keepDays: number;
  /** `MAX_CHANGES_PER_SET`, or fewer. */
  readonly maxChangesPerSet?: number;
}

/** The counts of an import's changes, for the operator; null if there was nothing to compare with. */
export type RecordedChanges = ChangeCounts | null;

/**
 * Stores the changes of a new snapshot before it becomes current. An import that does not build on another one only
 * leaves a mark. Throws ChangesDatabaseError, SnapshotFormatError and file system errors. The caller must have the
 * import lock.
 */
export function recordChanges(
  { base, merged, metadata, path }: BuiltSnapshot,
  {
    keepDays,
    maxChangesPerSet = MAX_CHANGES_PER_SET,
    now,
    store,
  }: RecordingOptions,
): RecordedChanges {
  using writer = new ChangeWriter(store.dataDir);
  const write = (
    changes: Iterable<Change>,
    counts: ChangeCounts | null,
  ): ChangeCounts =>
    writer.write(
      {
        snapshot: metadata.id,
        base: base?.id ?? null,
        file: metadata.files.at(-1)?.name ?? "",
        dataDate: lastFileEnd(metadata),
        day: new Date(now()).toISOString().slice(0, 10),
        isListed: counts === null,
        counts,
      },
      changes,
      store.ids(),
      {
        days: keepDays,
        changes: MAX_CHANGES_KEPT,
        details: MAX_DETAILS_KEPT,
      },
    );
  if (base === null) {
    write([], noChanges());
    return null;
  }
  const detailsBefore = existing(store.detailsPathOf(base.id));
  const detailsAfter = existing(store.builds.detailsPathIn(dirname(path)));
  const parts = commonParts(partsIn(detailsBefore), partsIn(detailsAfter));
  const details = parts.length > 0 ? new DetailComparer(parts) : null;
  const pathBefore = details && detailsBefore;
  const pathAfter = details && detailsAfter;
  if (merged !== null && merged.length <= MAX_NPIS_IN_MEMORY) {
    // One snapshot after the other: an import has no memory to spare here.
    const npis = sortedDistinct(merged);
    const before = rememberRecords(base.path, pathBefore, npis);
    const after = rememberRecords(path, pathAfter, npis, before);
    const changes = changesOf(before, after, npis, details);
    return npis.length <= maxChangesPerSet
      ? write(changes, null)
      : write([], counted(changes));
  }
  using before = new SnapshotRecords(base.path, pathBefore);
  using after = new SnapshotRecords(path, pathAfter);
  const npis = sortedDistinct(
    merged ?? differingNpis(before.snapshot, after.snapshot),
  );
  if (npis.length > maxChangesPerSet)
    return write([], counted(changesOf(before, after, npis)));
  const others =
    merged === null && hasDetails(before) && hasDetails(after)
      ? differingDetails(before, after, maxChangesPerSet)
      : null;
  const all = others === null ? npis : sortedDistinct(joined(npis, others));
  return write(changesOf(before, after, all, details), null);
}

function hasDetails(
  records: SnapshotRecords,
): records is SnapshotRecords & { details: DetailsReader } {
  return records.details !== null;
}

function existing(detailsPath: string): string | null {
  return existsSync(detailsPath) ? detailsPath : null;
}

function partsIn(detailsPath: string | null): readonly DetailPart[] {
  if (detailsPath === null) return [];
  using details = new DetailsReader(detailsPath);
  return details.metadata.parts;
}

function counted(changes: Iterable<Change>): ChangeCounts {
  const counts = noChanges();
  for (const change of changes)
    if (!isOnlyDetails(change)) counts[change.kind]++;
  return counts;
}

function joined(one: Uint32Array, other: Uint32Array): Uint32Array {
  const both = new Uint32Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
