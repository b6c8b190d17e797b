import { withRoom } from "../snapshot/bytes/growable.ts";
import { NumberSet } from "../snapshot/bytes/bitset.ts";
import type { DiskSnapshot } from "../snapshot/disk-snapshot.ts";
import { RecordComparer } from "../snapshot/records/record-comparer.ts";
import type { Change, ChangeKind } from "./change.ts";
import { changedFields } from "./changed-fields.ts";
import type { HeldRecord, RecordsByNpi } from "./held-records.ts";

/** The changes of NPIs, ascending; those whose records are the same have none. */
export function* changesOf(
  before: RecordsByNpi,
  after: RecordsByNpi,
  npis: Uint32Array,
): Generator<Change> {
  for (const npi of npis) {
    const change = changeOf(String(npi), before.of(npi), after.of(npi));
    if (change !== null) yield change;
  }
}

function changeOf(
  npi: string,
  was: HeldRecord | null,
  is: HeldRecord | null,
): Change | null {
  if (was === null)
    return is === null ? null : { npi, kind: "added", fields: {} };
  if (is === null) return { npi, kind: "removed", fields: {} };
  if (was.json === is.json) return null;
  const fields = changedFields(JSON.parse(was.json), JSON.parse(is.json));
  return { npi, kind: kindOf(was, is), fields };
}

function kindOf(was: HeldRecord, is: HeldRecord): ChangeKind {
  if (was.isDeactivated === is.isDeactivated) return "changed";
  return was.isDeactivated ? "reactivated" : "deactivated";
}

/** The NPIs whose records differ between two snapshots, in any order. The documents of both stand in nearly the same order. */
export function differingNpis(
  old: DiskSnapshot,
  now: DiskSnapshot,
): Uint32Array {
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
