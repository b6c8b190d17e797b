import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The name of the lock in the data folder. */
export const IMPORT_LOCK_FILE = "import.lock";

/**
 * Keeps two imports from working on one data folder at once. Node has no file locks of its own, so an empty SQLite file
 * holds one for us: the operating system lets go of it when the process ends, however it ends.
 */
export class ImportLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Takes the lock, or returns null when another import holds it. */
  static take(dataDir: string): ImportLock | null {
    const database = new DatabaseSync(join(dataDir, IMPORT_LOCK_FILE));
    try {
      // Nothing is ever written, and a journal in memory needs no room on a full disk.
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

/** SQLITE_BUSY, also with an extended code in its higher bits. */
function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return (
    error instanceof Error &&
    "errcode" in error &&
    typeof error.errcode === "number" &&
    (error.errcode & 0xff) === SQLITE_BUSY
  );
}
