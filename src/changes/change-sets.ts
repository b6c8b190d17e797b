import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { noChanges, type ChangeSet } from "./change.ts";

/** The sets of changes that lead to a snapshot, the oldest first. */
export interface Lineage {
  readonly sets: readonly ChangeSet[];
  /** The snapshot from which the list goes on: a copy of older data cannot be brought up to date by it. */
  readonly begins: string;
}

/** Every set that is kept, by the snapshot that it leads to. */
export function readSets(database: DatabaseSync): Map<string, ChangeSet> {
  const rows = database
    .prepare("SELECT * FROM change_set ORDER BY number")
    .all();
  return new Map(rows.map((row) => [String(row["snapshot"]), setOf(row)]));
}

/** Follows the snapshots from the given one back, until one that was made from nothing before it, or whose set is not kept. */
export function lineageOf(
  sets: ReadonlyMap<string, ChangeSet>,
  snapshot: string,
): Lineage {
  const found: ChangeSet[] = [];
  let begins = snapshot;
  for (
    let set = sets.get(snapshot);
    set !== undefined;
    set = set.base === null ? undefined : sets.get(set.base)
  ) {
    found.unshift(set);
    if (!set.isListed || set.base === null)
      return { sets: found, begins: set.snapshot };
    begins = set.base;
  }
  return { sets: found, begins };
}

/** The time of a snapshot, which is its id, as ISO 8601. */
export function timeOfSnapshot(id: string): string {
  return id.replace(
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/,
    "$1-$2-$3T$4:$5:$6.$7Z",
  );
}

function setOf(row: Record<string, SQLOutputValue>): ChangeSet {
  return {
    number: Number(row["number"]),
    snapshot: String(row["snapshot"]),
    base: optional(row["base"]),
    file: String(row["file"]),
    dataDate: optional(row["data_date"]),
    appliedOn: String(row["applied_on"]),
    counts: { ...noChanges(), ...JSON.parse(String(row["counts"])) },
    isListed: row["is_listed"] === 1,
  };
}

function optional(value: SQLOutputValue | undefined): string | null {
  return value === undefined || value === null ? null : String(value);
}
