import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { indexByNpi } from "./provider-history.ts";

const CHANGES_FILE = "changes.sqlite";
const SCHEMA = 1;
/** Readers never wait for writers, only for recovery after a killed process. */
const BUSY_TIMEOUT_MS = 5_000;
const MODE = 0o644;

/** The change database cannot be used. The message says why and what to do. */
export class ChangesDatabaseError extends Error {
  override readonly name = "ChangesDatabaseError";
  /** The database. */
  readonly file: string;

  constructor(message: string, file: string, cause: unknown) {
    super(message, { cause });
    this.file = file;
  }
}

export function changesFile(dataDir: string): string {
  return join(dataDir, CHANGES_FILE);
}

/** Opens the change database for writing, and creates it if needed. The caller must have the import lock. */
export function openForWriting(dataDir: string): DatabaseSync {
  const file = changesFile(dataDir);
  return opened(file, () => {
    closeSync(openSync(file, "a", MODE));
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    if (schemaOf(database) === 0) database.exec(MAKE);
    if (!hasDetails(database)) database.exec(MAKE_DETAILS);
    indexByNpi(database);
    return database;
  });
}

/** Opens the change database for reading, even during an import; null if nothing was written yet. */
export function openForReading(dataDir: string): DatabaseSync | null {
  const file = changesFile(dataDir);
  if (!existsSync(file)) return null;
  const database = opened(
    file,
    () => new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS }),
    true,
  );
  if (schemaOf(database) !== 0) return database;
  database.close();
  return null;
}

function opened(
  file: string,
  open: () => DatabaseSync,
  mayBeEmpty = false,
): DatabaseSync {
  let database: DatabaseSync | null = null;
  try {
    database = open();
    const schema = schemaOf(database);
    if (schema === SCHEMA || (mayBeEmpty && schema === 0)) return database;
    throw new Error(
      `its schema version is ${schema}, and this program reads ${SCHEMA}. Run the version that wrote it, or move the file away; the list of changes then starts again`,
    );
  } catch (error) {
    database?.close();
    throw new ChangesDatabaseError(
      `Cannot open the change database ${file}: ${error instanceof Error ? error.message : String(error)}`,
      file,
      error,
    );
  }
}

function schemaOf(database: DatabaseSync): number {
  return Number(
    database.prepare("PRAGMA user_version").get()?.["user_version"],
  );
}

/** True if a database has details of changes; one that an earlier version wrote lacks them until the next import. */
export function hasDetails(database: DatabaseSync): boolean {
  const table = database
    .prepare("SELECT 1 FROM sqlite_master WHERE name = 'detail_change'")
    .get();
  return table !== undefined;
}

/** Next to the changes of records, whose numbers stay as they are. An earlier version ignores both. */
const MAKE_DETAILS = `
BEGIN IMMEDIATE;
ALTER TABLE change_set ADD COLUMN details INTEGER NOT NULL DEFAULT 0;
CREATE TABLE detail_change (
  change_set INTEGER NOT NULL,
  npi INTEGER NOT NULL,
  details TEXT NOT NULL,
  PRIMARY KEY (change_set, npi)
) STRICT, WITHOUT ROWID;
COMMIT;
`;

const MAKE = `
BEGIN IMMEDIATE;
CREATE TABLE change_set (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  snapshot TEXT NOT NULL UNIQUE,
  base TEXT,
  file TEXT NOT NULL,
  data_date TEXT,
  applied_on TEXT NOT NULL,
  is_listed INTEGER NOT NULL,
  counts TEXT NOT NULL
) STRICT;
CREATE TABLE change (
  change_set INTEGER NOT NULL,
  number INTEGER NOT NULL,
  npi INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  fields TEXT NOT NULL,
  PRIMARY KEY (change_set, number)
) STRICT, WITHOUT ROWID;
PRAGMA user_version = ${SCHEMA};
COMMIT;
`;
