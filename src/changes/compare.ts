import { withRoom } from "../snapshot/growable.ts";
import { NumberSet } from "../snapshot/number-set.ts";
import { RecordComparer } from "../snapshot/same-record.ts";
import { sortedDistinct } from "../snapshot/sorted.ts";
import type { Change, ChangeKind } from "./change.ts";
import { changedFields } from "./changed-fields.ts";
import type { HeldRecords } from "./held-records.ts";

/**
 * The NPIs whose records differ between two snapshots, ascending. `candidates` are those that may, or null for all: then
 * both are walked in the order of their documents, which is nearly the same.
 */
export function differingNpis(
  before: HeldRecords,
  after: HeldRecords,
  candidates: Uint32Array | null,
): Uint32Array {
  const differing =
    candidates === null
      ? walk(before, after)
      : candidates.filter((npi) => {
          const old = before.snapshot.find(npi);
          const doc = after.snapshot.find(npi);
          return old < 0 || doc < 0
            ? old !== doc
            : !after.isSame(doc, before, old);
        });
  return sortedDistinct(differing);
}

/** What kind of change each of the NPIs had, all of which differ. */
export function kindOfChange(
  before: HeldRecords,
  after: HeldRecords,
  npi: number,
): ChangeKind {
  const old = before.snapshot.find(npi);
  const doc = after.snapshot.find(npi);
  if (old < 0) return "added";
  if (doc < 0) return "removed";
  const was = before.isDeactivated(old);
  if (was === after.isDeactivated(doc)) return "changed";
  return was ? "reactivated" : "deactivated";
}

/** The change of an NPI whose record differs. */
export function changeOf(
  before: HeldRecords,
  after: HeldRecords,
  npi: number,
): Change {
  const kind = kindOfChange(before, after, npi);
  const fields =
    kind === "added" || kind === "removed"
      ? {}
      : changedFields(
          before.read(before.snapshot.find(npi)),
          after.read(after.snapshot.find(npi)),
        );
  return { npi: String(npi), kind, fields };
}

function walk(before: HeldRecords, after: HeldRecords): Uint32Array {
  const old = before.snapshot;
  const now = after.snapshot;
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
