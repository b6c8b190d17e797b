import type { DatabaseSync } from "node:sqlite";
import { CHANGE_KINDS, type Change, type ChangeSet } from "./change.ts";

/** A change of a provider and the import that made it. */
export interface PastChange {
  readonly set: ChangeSet;
  readonly change: Change;
}

const INDEX = "change_by_npi";

/** Adds what finds all changes of a provider. An earlier version keeps it up to date without using it. */
export function indexByNpi(database: DatabaseSync): void {
  database.exec(`
    CREATE INDEX IF NOT EXISTS ${INDEX} ON change (npi);
    CREATE INDEX IF NOT EXISTS detail_change_by_npi ON detail_change (npi);
  `);
}

/**
 * Reads the newest changes of a provider by imports in `sets`, newest first, at most `most`. Returns none for a
 * database that no import of this version has indexed: reading it whole would take a second.
 */
export function readHistory(
  database: DatabaseSync,
  sets: readonly ChangeSet[],
  npi: string,
  most: number,
): PastChange[] {
  const isIndexed = database
    .prepare("SELECT 1 FROM sqlite_master WHERE name = ?")
    .get(INDEX);
  if (isIndexed === undefined) return [];
  const byNumber = new Map(sets.map((set) => [set.number, set]));
  const number = Number(npi);
  const found = new Map<number, Change>();
  for (const row of database
    .prepare("SELECT change_set, kind, fields FROM change WHERE npi = ?")
    .all(number)) {
    const kind = CHANGE_KINDS[Number(row["kind"])] ?? "changed";
    const fields = JSON.parse(String(row["fields"]));
    found.set(Number(row["change_set"]), { npi, kind, fields });
  }
  for (const row of database
    .prepare("SELECT change_set, details FROM detail_change WHERE npi = ?")
    .all(number)) {
    const set = Number(row["change_set"]);
    const change = found.get(set) ?? { npi, kind: "changed", fields: {} };
    const details = JSON.parse(String(row["details"]));
    found.set(set, { ...change, details });
  }
  return [...found]
    .sort(([a], [b]) => b - a)
    .flatMap(([set, change]) => {
      const of = byNumber.get(set);
      return of === undefined ? [] : [{ set: of, change }];
    })
    .slice(0, most);
}
