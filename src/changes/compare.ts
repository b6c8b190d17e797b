import { withRoom } from "../snapshot/growable.ts";
import { NumberSet } from "../snapshot/number-set.ts";
import type { DiskSnapshot } from "../snapshot/disk-snapshot.ts";
import { RecordComparer } from "../snapshot/same-record.ts";
import { sortedDistinct } from "../snapshot/sorted.ts";
import type { Change, ChangeKind } from "./change.ts";
import { changedFields } from "./changed-fields.ts";
import type { HeldRecords } from "./held-records.ts";

/**
 * The NPIs whose records may differ between two snapshots, ascending: those of the rows that were merged, or, where `merged`
 * is null, those that a walk over both finds to differ. The documents of both stand in nearly the same order.
 */
export function candidates(
  before: DiskSnapshot,
  after: DiskSnapshot,
  merged: Uint32Array | null,
): Uint32Array {
  return sortedDistinct(merged ?? walk(before, after));
}

/** The changes of NPIs in their order; those whose records are the same have none. */
export function* changesOf(
  before: HeldRecords,
  after: HeldRecords,
  npis: Uint32Array,
): Generator<Change> {
  for (const npi of npis) {
    const change = changeOf(before, after, npi);
    if (change !== null) yield change;
  }
}

function changeOf(
  before: HeldRecords,
  after: HeldRecords,
  number: number,
): Change | null {
  const old = before.snapshot.find(number);
  const doc = after.snapshot.find(number);
  const npi = String(number);
  if (old < 0) return doc < 0 ? null : { npi, kind: "added", fields: {} };
  if (doc < 0) return { npi, kind: "removed", fields: {} };
  const was = before.json(old);
  const is = after.json(doc);
  if (was === is) return null;
  const fields = changedFields(JSON.parse(was), JSON.parse(is));
  return { npi, kind: kindOf(before, old, after, doc), fields };
}

function kindOf(
  before: HeldRecords,
  old: number,
  after: HeldRecords,
  doc: number,
): ChangeKind {
  const was = before.isDeactivated(old);
  if (was === after.isDeactivated(doc)) return "changed";
  return was ? "reactivated" : "deactivated";
}

function walk(old: DiskSnapshot, now: DiskSnapshot): Uint32Array {
  const comparer = new RecordComparer(old, now);
  const met = new NumberSet(old.count);
  let differing: Uint32Array = new Uint32Array(0);
  let count = 0;
  const add = (npi: number): void => {
    differing = withRoom(differing, count + 1);
    differing[count++] = npi;
  };
  let next = 0;
  for (let doc = 0; doc < now.count; doc++) {
    const npi = now.npi[doc]!;
    const found = old.npi[next] === npi ? next : old.find(npi);
    if (found >= 0) {
      next = found + 1;
      met.add(found);
    }
    if (found < 0 || !comparer.isSame(found, doc)) add(npi);
  }
  for (let doc = 0; doc < old.count; doc++)
    if (!met.has(doc)) add(old.npi[doc]!);
  return differing.slice(0, count);
}
