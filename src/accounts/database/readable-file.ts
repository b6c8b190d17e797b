import { readFileSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** Readers wait only for recovery after a killed process. */
const BUSY_TIMEOUT_MS = 5_000;

/** A larger file is not read into memory. */
const MAX_FILE_BYTES = 1 << 28;

/** Header bytes that say whether the file has a write-ahead log, and the value for "no". */
const FORMAT_VERSIONS = [18, 19];
const WITHOUT_LOG = 1;

/** A connection that cannot write. */
export interface ReadableFile {
  readonly connection: DatabaseSync;
  /** Whether it reads a copy in memory, which does not see later changes. */
  readonly isCopy: boolean;
}

/**
 * Opens a database file for reading. If its folder is full or read-only, SQLite's companion files cannot be created, so
 * a copy in memory is read instead. SQLite could read the file in place, but closing it would release the locks of the
 * whole process. Throws SQLite's error, or the system's.
 */
export function openReadable(file: string): ReadableFile {
  try {
    return { connection: openInPlace(file), isCopy: false };
  } catch (error) {
    const bytes = sizeOf(file);
    // The latest rows are in the log, which cannot be read without the companion files.
    if (bytes === 0 || bytes > MAX_FILE_BYTES || sizeOf(`${file}-wal`) > 0)
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

/** Only a first query shows whether a database can be read. */
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
