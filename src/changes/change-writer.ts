import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CHANGE_KINDS, countAll, isOnlyDetails, noChanges } from "./change.ts";
import type {
  Change,
  ChangeCounts,
  ChangedDetails,
  ChangeSet,
} from "./change.ts";
import { readChangeSet } from "./change-set-file.ts";
import { lineageOf, readSets } from "./change-sets.ts";
import { openForWriting } from "./database.ts";

/** Rows that are adopted at a time: a few milliseconds. */
const ROWS_AT_ONCE = 1_000;
/** Characters of a set's changed details. After that, only the names of what changed are stored. */
const MAX_SET_DETAILS = 1 << 28;

/** A set before it is written. */
export type NewChangeSet = Omit<
  ChangeSet,
  "number" | "appliedOn" | "counts" | "details"
> & {
  /** The UTC day of the import, `YYYY-MM-DD`. */
  readonly day: string;
  /** The counts, if the changes are not listed. */
  readonly counts: ChangeCounts | null;
};

export interface Retention {
  /** The number of days that sets are kept, counted from the day of the import. */
  readonly days: number;
  /** The greatest number of changes to keep. The newest set is always kept. */
  readonly changes: number;
  /** The greatest number of characters of changed details to keep. */
  readonly details: number;
}

/** Writes the changes of imports. The caller must have the import lock. */
export class ChangeWriter implements Disposable {
  readonly #database: DatabaseSync;
  readonly #maxSetDetails: number;

  /** Throws ChangesDatabaseError. `maxSetDetails` is MAX_SET_DETAILS, or less. */
  constructor(dataDir: string, maxSetDetails = MAX_SET_DETAILS) {
    this.#maxSetDetails = maxSetDetails;
    this.#database = openForWriting(dataDir);
  }

  /**
   * Writes a set in one transaction and removes others: what a killed import left behind, whose snapshot is neither in
   * `stored` nor the new one, and the oldest ones beyond the retention. Returns the number of changes of each kind.
   */
  write(
    set: NewChangeSet,
    changes: Iterable<Change>,
    stored: readonly string[],
    retention: Retention,
  ): ChangeCounts {
    const database = this.#database;
    database.exec("BEGIN IMMEDIATE");
    try {
      this.#removeUnused(set.base === null ? stored : [...stored, set.base]);
      const { counts, number } = this.#insert(set, changes);
      this.#removeOld(number, set.day, retention);
      database.exec("COMMIT");
      return counts;
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  }

  /** Names the snapshots whose sets of changes are here. */
  snapshots(): Set<string> {
    return new Set(readSets(this.#database).keys());
  }

  /**
   * Adds sets from files (`readChangeSet`), oldest first, in one transaction, and removes those that lead to none of
   * the `kept` snapshots. Pauses in between, so the thread can do other work. Throws ChangeSetFileError.
   */
  async adopt(
    files: readonly string[],
    kept: readonly string[],
  ): Promise<void> {
    const database = this.#database;
    database.exec("BEGIN IMMEDIATE");
    try {
      for (const file of files) await this.#adoptFile(file);
      this.#removeUnused(kept);
      database.exec("COMMIT");
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  }

  [Symbol.dispose](): void {
    try {
      // A large set would leave an equally large log.
      this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // The log has what was written, and the next writer empties it.
    } finally {
      this.#database.close();
    }
  }

  async #adoptFile(file: string): Promise<void> {
    const rows = new ChangeRows(this.#database, this.#maxSetDetails);
    await readChangeSet(
      file,
      (set) => rows.begin(this.#insertSet(set, set.appliedOn, set.counts)),
      (change) => {
        rows.add(change);
        return rows.count % ROWS_AT_ONCE === 0 ? nextTurn() : undefined;
      },
    );
    rows.end();
  }

  #insertSet(
    {
      base,
      dataDate,
      file,
      isListed,
      snapshot,
    }: Pick<ChangeSet, "base" | "dataDate" | "file" | "isListed" | "snapshot">,
    appliedOn: string,
    counts: Partial<ChangeCounts>,
  ): number {
    const { lastInsertRowid } = this.#database
      .prepare(
        "INSERT INTO change_set (snapshot, base, file, data_date, applied_on, is_listed, counts) VALUES (?, ?, ?, ?, ?, ?, ?)",
      )
      .run(
        snapshot,
        base,
        file,
        dataDate,
        appliedOn,
        isListed ? 1 : 0,
        JSON.stringify(counts),
      );
    return Number(lastInsertRowid);
  }

  #insert(
    set: NewChangeSet,
    changes: Iterable<Change>,
  ): { number: number; counts: ChangeCounts } {
    const appliedOn = this.#dayAfter(set.base, set.day);
    const number = this.#insertSet(set, appliedOn, {});
    const counted = set.counts ?? this.#insertChanges(number, changes);
    this.#database
      .prepare("UPDATE change_set SET counts = ? WHERE number = ?")
      .run(JSON.stringify(counted), number);
    return { number, counts: counted };
  }

  #insertChanges(number: number, changes: Iterable<Change>): ChangeCounts {
    const counts = noChanges();
    const rows = new ChangeRows(this.#database, this.#maxSetDetails);
    rows.begin(number);
    for (const change of changes) {
      if (!isOnlyDetails(change)) counts[change.kind]++;
      rows.add(change);
    }
    rows.end();
    return counts;
  }

  /** Returns the day of an import, or that of its base if the clock went back. */
  #dayAfter(base: string | null, day: string): string {
    const before = this.#database
      .prepare("SELECT applied_on FROM change_set WHERE snapshot = ?")
      .get(base)?.["applied_on"];
    return typeof before === "string" && before > day ? before : day;
  }

  #removeUnused(snapshots: readonly string[]): void {
    const sets = readSets(this.#database);
    const used = new Set(snapshots.flatMap((id) => lineageOf(sets, id).sets));
    for (const set of sets.values())
      if (!used.has(set)) this.#remove(set.number);
  }

  /** Removes whole sets, oldest first. */
  #removeOld(newest: number, day: string, most: Retention): void {
    const first = new Date(Date.parse(day) - most.days * 86_400_000)
      .toISOString()
      .slice(0, 10);
    const kept = [...readSets(this.#database).values()].map((set) => ({
      set,
      listed: set.isListed ? countAll(set.counts) : 0,
    }));
    let sum = kept.reduce((all, { listed }) => all + listed, 0);
    let details = kept.reduce((all, { set }) => all + set.details, 0);
    for (const { listed, set } of kept) {
      const fits = sum <= most.changes && details <= most.details;
      if (set.number === newest || (set.appliedOn >= first && fits)) break;
      this.#remove(set.number);
      sum -= listed;
      details -= set.details;
    }
  }

  #remove(number: number): void {
    for (const statement of [
      "DELETE FROM change WHERE change_set = ?",
      "DELETE FROM detail_change WHERE change_set = ?",
      "DELETE FROM change_set WHERE number = ?",
    ])
      this.#database.prepare(statement).run(number);
  }
}

/** The rows of one set. */
class ChangeRows {
  /** The number of changes that were added. */
  count = 0;
  readonly #database: DatabaseSync;
  readonly #maxDetails: number;
  readonly #insert: StatementSync;
  readonly #insertDetails: StatementSync;
  #set = 0;
  #number = 0;
  #characters = 0;

  /** After `maxDetails` characters, changed details are stored without their values. */
  constructor(database: DatabaseSync, maxDetails: number) {
    this.#database = database;
    this.#maxDetails = maxDetails;
    this.#insert = database.prepare(
      "INSERT INTO change VALUES (?, ?, ?, ?, ?)",
    );
    this.#insertDetails = database.prepare(
      "INSERT INTO detail_change VALUES (?, ?, ?)",
    );
  }

  /** Sets the number of the set that the rows are of. */
  begin(set: number): void {
    this.#set = set;
  }

  /** Adds the next change, by NPI. */
  add(change: Change): void {
    const { details, fields, kind, npi } = change;
    if (details !== undefined) {
      const fits = this.#characters < this.#maxDetails;
      const text = JSON.stringify(fits ? details : withoutValues(details));
      this.#characters += text.length;
      this.#insertDetails.run(this.#set, Number(npi), text);
    }
    if (!isOnlyDetails(change))
      this.#insert.run(
        this.#set,
        ++this.#number,
        Number(npi),
        CHANGE_KINDS.indexOf(kind),
        JSON.stringify(fields),
      );
    this.count++;
  }

  end(): void {
    this.#database
      .prepare("UPDATE change_set SET details = ? WHERE number = ?")
      .run(this.#characters, this.#set);
  }
}

function withoutValues(details: ChangedDetails): ChangedDetails {
  return Object.fromEntries(
    Object.keys(details).map((path) => [path, [null, null]]),
  );
}
