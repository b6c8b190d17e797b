import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { noChanges, type ChangeSet } from "./change.ts";

/** The sets of changes that lead to a snapshot, oldest first. */
export interface Lineage {
  readonly sets: readonly ChangeSet[];
  /** The snapshot from which the list starts. Older copies cannot be brought up to date with it. */
  readonly origin: string;
}

/** Reads all sets, by the snapshot that each leads to. */
export function readSets(database: DatabaseSync): Map<string, ChangeSet> {
  const rows = database
    .prepare("SELECT * FROM change_set ORDER BY number")
    .all();
  return new Map(rows.map((row) => [String(row["snapshot"]), setOf(row)]));
}

/** Follows the snapshots back to one that was not based on another, or whose set was removed. */
export function lineageOf(
  sets: ReadonlyMap<string, ChangeSet>,
  snapshot: string,
): Lineage {
  const found: ChangeSet[] = [];
  let origin = snapshot;
  for (
    let set = sets.get(snapshot);
    set !== undefined;
    set = set.base === null ? undefined : sets.get(set.base)
  ) {
    found.unshift(set);
    if (!set.isListed || set.base === null)
      return { sets: found, origin: set.snapshot };
    origin = set.base;
  }
  return { sets: found, origin };
}

/** Returns the time of a snapshot, from its id, in ISO 8601. */
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
    details: Number(row["details"] ?? 0),
    isListed: row["is_listed"] === 1,
  };
}

function optional(value: SQLOutputValue | undefined): string | null {
  return value === undefined || value === null ? null : String(value);
}
