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
import type { Position } from "../contract/cursor.ts";
import { openForReading } from "./database.ts";
import { SnapshotStore } from "../store/store.ts";

export interface PageRequest {
  /** Where to start: after a position, on a day (`YYYY-MM-DD`), or at the start of the list. */
  readonly from: Position | string | null;
  readonly limit: number;
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

  /** A page of the changes that led to a snapshot. Throws ChangesDatabaseError. */
  page(snapshot: string, { from, limit }: PageRequest): ChangePage | null {
    const database = this.#open(snapshot);
    // All reads use one transaction: an import may remove old sets meanwhile.
    database?.exec("BEGIN");
    try {
      return this.#page(snapshot, from, limit);
    } finally {
      database?.exec("COMMIT");
    }
  }

  /** The changes of a set in order, or only those of one NPI. */
  *changes(set: ChangeSet, npi: string | null): Generator<Change> {
    const rows = this.#database
      ?.prepare(
        "SELECT npi, kind, fields FROM change WHERE change_set = ? AND (? IS NULL OR npi = ?) ORDER BY number",
      )
      .iterate(
        set.number,
        npi === null ? null : Number(npi),
        npi === null ? null : Number(npi),
      );
    for (const row of rows ?? []) yield changeOf(row);
  }

  [Symbol.dispose](): void {
    this.#database?.close();
    this.#database = null;
  }

  #page(
    snapshot: string,
    from: PageRequest["from"],
    limit: number,
  ): ChangePage | null {
    const { origin, sets } = this.lineage(snapshot);
    const start = startOf(from, sets, origin);
    if (start === null) return this.#pageAhead(snapshot, from, origin);
    const found: { set: ChangeSet; row: Row }[] = [];
    for (const [index, set] of sets.slice(start.index).entries()) {
      const after = index === 0 ? start.after : 0;
      for (const row of this.#rows(set, after, limit + 1 - found.length))
        found.push({ set, row });
    }
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      changes: page.map(({ row, set }) => ({ set, change: changeOf(row) })),
      end:
        last === undefined
          ? { snapshot, behind: "all" }
          : positionBehind(last.set, Number(last.row["number"])),
      hasMore: found.length > limit,
      completeSince: timeOfSnapshot(origin),
    };
  }

  /**
   * The empty page for a position from another thread or node, which already serves a newer snapshot: its changes
   * follow once this process serves the newer snapshot as well. Null if the position does not lead to the current
   * snapshot.
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

  /** The first changes of a set after a number. */
  #rows(set: ChangeSet, after: number, most: number): Row[] {
    if (this.#database === null || most === 0) return [];
    return this.#database
      .prepare(
        "SELECT number, npi, kind, fields FROM change WHERE change_set = ? AND number > ? ORDER BY number LIMIT ?",
      )
      .all(set.number, after, most);
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

/** The set in which a page starts, and the change number after which it starts; null if the position is gone. */
function startOf(
  from: PageRequest["from"],
  sets: readonly ChangeSet[],
  origin: string,
): { index: number; after: number } | null {
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

/** The changes of a set are numbered from 1. */
function positionBehind(set: ChangeSet, number: number): Position {
  return {
    snapshot: set.snapshot,
    behind: number === countAll(set.counts) ? "all" : number,
  };
}

function changeOf({ fields, kind, npi }: Row): Change {
  const name = CHANGE_KINDS[Number(kind)];
  if (name === undefined)
    throw new Error(
      `The change database contains an unknown kind of change: ${String(kind)}.`,
    );
  return { npi: String(npi), kind: name, fields: JSON.parse(String(fields)) };
}
