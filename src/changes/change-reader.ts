import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import {
  CHANGE_KINDS,
  countAll,
  type Change,
  type ChangeSet,
} from "./change.ts";
import {
  lineageOf,
  readSets,
  timeOfSnapshot,
  type Lineage,
} from "./change-sets.ts";
import { FIRST_NPI, type Position } from "../contract/cursor.ts";
import { hasDetails, openForReading } from "./database.ts";
import { readHistory, type PastChange } from "./provider-history.ts";
import { SnapshotStore } from "../store/store.ts";

export interface PageRequest {
  /** The start: after a position, on a day (`YYYY-MM-DD`), or at the start of the list. */
  readonly from: Position | string | null;
  readonly limit: number;
  /** True if changes of details are listed, too. */
  readonly details?: boolean;
}

/** A page of the list of changes. Null instead of a page: the position is no longer in the list. */
export interface ChangePage {
  readonly changes: readonly {
    readonly set: ChangeSet;
    readonly change: Change;
  }[];
  /** The position after the last change of the page. */
  readonly end: Position;
  readonly hasMore: boolean;
  /** ISO 8601 time of the data from which the list starts. It cannot bring older copies up to date. */
  readonly completeSince: string;
}

/**
 * Reads the changes that led to a snapshot. Opens the database on request, so it may be created before the first
 * import.
 */
export class ChangeReader implements Disposable {
  readonly #dataDir: string;
  #database: DatabaseSync | null = null;
  /** The last snapshot requested. For another one the file is reopened, because it may have been replaced. */
  #snapshot: string | null = null;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Throws ChangesDatabaseError. */
  lineage(snapshot: string): Lineage {
    const database = this.#open(snapshot);
    return lineageOf(
      database === null ? new Map() : readSets(database),
      snapshot,
    );
  }

  /** Returns a page of the changes that led to a snapshot. Throws ChangesDatabaseError. */
  page(
    snapshot: string,
    { details = false, from, limit }: PageRequest,
  ): ChangePage | null {
    const database = this.#open(snapshot);
    // All reads use one transaction: an import may remove old sets meanwhile.
    database?.exec("BEGIN");
    try {
      return this.#page(snapshot, from, limit, details);
    } finally {
      database?.exec("COMMIT");
    }
  }

  /** Yields the changes of a set in order, or only those of one NPI; with `details`, those of details as well. */
  *changes(
    set: ChangeSet,
    npi: string | null,
    details = false,
  ): Generator<Change> {
    const only = npi === null ? null : Number(npi);
    const rows = details
      ? this.#rowsWithDetails(set, 0, only)
      : this.#rows(set, 0, only);
    for (const row of rows) yield changeOf(row);
  }

  /**
   * Returns the newest changes of a provider that led to a snapshot, newest first, at most `most`. Throws
   * ChangesDatabaseError.
   */
  history(snapshot: string, npi: string, most: number): PastChange[] {
    const database = this.#open(snapshot);
    if (database === null) return [];
    const { sets } = this.lineage(snapshot);
    return readHistory(database, sets, npi, most);
  }

  [Symbol.dispose](): void {
    this.#database?.close();
    this.#database = null;
  }

  #page(
    snapshot: string,
    from: PageRequest["from"],
    limit: number,
    details: boolean,
  ): ChangePage | null {
    const { origin, sets } = this.lineage(snapshot);
    const start = startOf(from, sets, origin);
    if (start === null) return this.#pageAhead(snapshot, from, origin);
    const page: { set: ChangeSet; row: Row }[] = [];
    /** The set of the first change after the page. */
    let further: ChangeSet | null = null;
    let characters = 0;
    for (const { row, set } of this.#rowsFrom(sets, start, details)) {
      characters += String(row["details"] ?? "").length;
      if (
        page.length === limit ||
        (page.length > 0 && characters > MAX_PAGE_DETAILS)
      ) {
        further = set;
        break;
      }
      page.push({ set, row });
    }
    const last = page.at(-1);
    return {
      changes: page.map(({ row, set }) => ({ set, change: changeOf(row) })),
      end:
        last === undefined || further !== last.set
          ? { snapshot: last?.set.snapshot ?? snapshot, behind: "all" }
          : {
              snapshot: last.set.snapshot,
              behind: Number(last.row[details ? "npi" : "number"]),
            },
      hasMore: further !== null,
      completeSince: timeOfSnapshot(origin),
    };
  }

  *#rowsFrom(
    sets: readonly ChangeSet[],
    start: Start,
    details: boolean,
  ): Generator<{ set: ChangeSet; row: Row }> {
    for (const [index, set] of sets.slice(start.index).entries()) {
      const after = index === 0 ? start.after : 0;
      const rows = details
        ? this.#rowsWithDetails(set, this.#npiOf(set, after))
        : this.#rows(set, this.#numberOf(set, after));
      for (const row of rows) yield { set, row };
    }
  }

  /**
   * Returns the empty page for a position from another thread or node, which already serves a newer snapshot: its
   * changes follow once this process serves the newer snapshot as well. Null if the position does not lead to the
   * current snapshot.
   */
  #pageAhead(
    snapshot: string,
    from: PageRequest["from"],
    origin: string,
  ): ChangePage | null {
    if (from === null || typeof from === "string") return null;
    const current = new SnapshotStore(this.#dataDir).currentId();
    if (current === null || this.#database === null) return null;
    const { sets } = lineageOf(readSets(this.#database), current);
    const next = sets.findIndex(({ base }) => base === snapshot);
    const isAhead =
      next >= 0 &&
      sets.slice(next).some((set) => set.snapshot === from.snapshot);
    if (!isAhead) return null;
    return {
      changes: [],
      end: from,
      hasMore: false,
      completeSince: timeOfSnapshot(origin),
    };
  }

  /** Returns the changes of a set after a number, or only those of one NPI. */
  #rows(
    set: ChangeSet,
    after: number,
    npi: number | null = null,
  ): Iterable<Row> {
    const rows = this.#database
      ?.prepare(
        "SELECT number, npi, kind, fields FROM change WHERE change_set = ? AND number > ? AND (? IS NULL OR npi = ?) ORDER BY number",
      )
      .iterate(set.number, after, npi, npi);
    return rows ?? [];
  }

  /** Merges the changes of records and of details of a set after an NPI, or only those of one NPI. */
  *#rowsWithDetails(
    set: ChangeSet,
    after: number,
    only: number | null = null,
  ): Generator<Row> {
    const rows = this.#rows(set, this.#numberOf(set, after), only);
    const records = rows[Symbol.iterator]();
    try {
      let record = records.next();
      for (const row of this.#detailRows(set, after, only)) {
        const npi = Number(row["npi"]);
        while (record.done !== true && Number(record.value["npi"]) < npi) {
          yield record.value;
          record = records.next();
        }
        if (record.done !== true && record.value["npi"] === npi) {
          yield { ...record.value, ...row };
          record = records.next();
        } else yield { ...DETAILS_ONLY, ...row };
      }
      for (; record.done !== true; record = records.next()) yield record.value;
    } finally {
      // Otherwise the statement would keep its transaction open.
      records.return?.();
    }
  }

  #detailRows(
    set: ChangeSet,
    after: number,
    npi: number | null,
  ): Iterable<Row> {
    if (this.#database === null || !hasDetails(this.#database)) return [];
    return this.#database
      .prepare(
        npi === null
          ? "SELECT npi, details FROM detail_change WHERE change_set = ? AND npi > ? ORDER BY npi"
          : "SELECT npi, details FROM detail_change WHERE change_set = ? AND npi = ?",
      )
      .iterate(set.number, npi ?? after);
  }

  /** Finds the NPI of a position in a set: its own, or that of the change with its number; 0 for none. */
  #npiOf(set: ChangeSet, behind: number): number {
    if (behind === 0 || behind >= FIRST_NPI) return behind;
    const row = this.#database
      ?.prepare(
        "SELECT npi FROM change WHERE change_set = ? AND number <= ? ORDER BY number DESC LIMIT 1",
      )
      .get(set.number, behind);
    return Number(row?.["npi"] ?? 0);
  }

  /** Finds the number of the last change up to a position in a set. Changes are numbered by NPI. */
  #numberOf(set: ChangeSet, behind: number): number {
    if (behind < FIRST_NPI) return behind;
    let low = 0;
    let high = set.isListed ? countAll(set.counts) : 0;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#npiOf(set, middle) <= behind) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #open(snapshot: string): DatabaseSync | null {
    if (snapshot === this.#snapshot) return this.#database;
    this[Symbol.dispose]();
    this.#database = openForReading(this.#dataDir);
    this.#snapshot = snapshot;
    return this.#database;
  }
}

type Row = Record<string, SQLOutputValue>;

/** The rest of a row of `detail_change` whose record did not change. */
const DETAILS_ONLY: Row = {
  kind: CHANGE_KINDS.indexOf("changed"),
  fields: "{}",
};
/** Details of a page, in characters; a page always has at least one change. */
const MAX_PAGE_DETAILS = 1 << 20;

interface Start {
  readonly index: number;
  readonly after: number;
}

/** Finds the set in which a page starts, and the change number after which it starts; null if the position is gone. */
function startOf(
  from: PageRequest["from"],
  sets: readonly ChangeSet[],
  origin: string,
): Start | null {
  if (from === null) return { index: 0, after: 0 };
  if (typeof from === "string") {
    const index = sets.findIndex(({ appliedOn }) => appliedOn >= from);
    return { index: index < 0 ? sets.length : index, after: 0 };
  }
  const index = sets.findIndex(({ snapshot }) => snapshot === from.snapshot);
  const { behind } = from;
  if (index >= 0)
    return behind === "all"
      ? { index: index + 1, after: 0 }
      : { index, after: behind };
  // The rest of a set that was removed cannot be restored.
  return from.snapshot === origin && behind === "all"
    ? { index: 0, after: 0 }
    : null;
}

function changeOf({ details, fields, kind, npi }: Row): Change {
  const name = CHANGE_KINDS[Number(kind)];
  if (name === undefined)
    throw new Error(
      `The change database contains an unknown kind of change: ${String(kind)}.`,
    );
  const change: Change = {
    npi: String(npi),
    kind: name,
    fields: JSON.parse(String(fields)),
  };
  return details === undefined
    ? change
    : { ...change, details: JSON.parse(String(details)) };
}
