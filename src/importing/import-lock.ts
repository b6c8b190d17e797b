import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The lock's file name in the data folder. */
export const IMPORT_LOCK_FILE = "import.lock";

/**
 * Keeps two imports from running on one data folder. Node has no file locks, so this locks an empty SQLite file: the
 * operating system releases the lock when the process ends, however it ends.
 */
export class ImportLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Takes the lock, or returns null if another import has it. */
  static take(dataDir: string): ImportLock | null {
    const database = new DatabaseSync(join(dataDir, IMPORT_LOCK_FILE));
    try {
      // Nothing is ever written. A journal in memory works on a full disk as well.
      database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
      return new ImportLock(database);
    } catch (error) {
      database.close();
      if (isBusy(error)) return null;
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

/** True if the error is SQLITE_BUSY, with or without an extended code in the higher bits. */
function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return (
    error instanceof Error &&
    "errcode" in error &&
    typeof error.errcode === "number" &&
    (error.errcode & 0xff) === SQLITE_BUSY
  );
}
