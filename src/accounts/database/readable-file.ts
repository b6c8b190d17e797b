import { readFileSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** Readers wait for no write, only for the repair of what a killed process left behind. */
const BUSY_TIMEOUT_MS = 5_000;

/** A larger file is not read into memory. */
const MOST_BYTES = 1 << 28;

/** Where a database file says whether its newest rows are in a log beside it, and how it says that they are not. */
const FORMAT_VERSIONS = [18, 19];
const WITHOUT_LOG = 1;

/** A connection that cannot write. */
export interface ReadableFile {
  readonly connection: DatabaseSync;
  /** Whether it reads a copy in memory, in which later changes of the file do not show. */
  readonly isCopy: boolean;
}

/**
 * Opens a database file for reading. Where its folder has no room for the files that SQLite keeps beside it, or cannot be
 * written, a copy in memory is read: SQLite can read such a file in place too, but to close it would take away the locks of
 * the whole process. Throws SQLite's error, or the system's.
 */
export function openReadable(file: string): ReadableFile {
  try {
    return { connection: openInPlace(file), isCopy: false };
  } catch (error) {
    const bytes = sizeOf(file);
    // What was written last is in the log, which cannot be read without the other files.
    if (bytes === 0 || bytes > MOST_BYTES || sizeOf(`${file}-wal`) > 0)
      throw error;
    return { connection: openCopy(file), isCopy: true };
  }
}

function openInPlace(file: string): DatabaseSync {
  const connection = new DatabaseSync(file, {
    readOnly: true,
    timeout: BUSY_TIMEOUT_MS,
  });
  return checked(connection);
}

function openCopy(file: string): DatabaseSync {
  const bytes = readFileSync(file);
  for (const at of FORMAT_VERSIONS) bytes[at] = WITHOUT_LOG;
  const connection = new DatabaseSync(":memory:");
  connection.deserialize(bytes);
  connection.exec("PRAGMA query_only = ON");
  return checked(connection);
}

/** Only a first reading shows whether a database can be read. */
function checked(connection: DatabaseSync): DatabaseSync {
  try {
    connection.prepare("SELECT count(*) FROM sqlite_schema").get();
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
