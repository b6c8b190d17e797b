import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { makeFolder } from "../../files/make-folder.ts";
import type { AccountsDatabaseError } from "./database.ts";
import { openReadable } from "./readable-file.ts";
import { retryWhileBusy } from "./sqlite-busy.ts";
import { faultOfFile } from "./sqlite-fault.ts";

const OWNER_ONLY = 0o600;
/** How often opening a read-only file for writing is retried. */
const RETRY_MS = 1_000;

/**
 * The connection to a database file, which is created (readable only by its owner) if it is missing. On a full or
 * read-only disk the connection is read-only, and opening it for writing is retried.
 */
export class SqliteFile {
  readonly path: string;
  #connection: DatabaseSync;
  #readOnly: AccountsDatabaseError | null;
  #triedMs = performance.now();

  private constructor(
    path: string,
    connection: DatabaseSync,
    readOnly: AccountsDatabaseError | null,
  ) {
    this.path = path;
    this.#connection = connection;
    this.#readOnly = readOnly;
  }

  /** Throws AccountsDatabaseError if the file can be neither written nor read. */
  static async open(path: string): Promise<SqliteFile> {
    try {
      return new SqliteFile(path, await openWritable(path), null);
    } catch (error) {
      const fault = faultOfFile(error, path, "written");
      try {
        return new SqliteFile(path, openReadable(path).connection, fault);
      } catch {
        throw faultOfFile(error, path, "opened");
      }
    }
  }

  /** Why the file is read-only; null if it is writable. */
  get readOnly(): AccountsDatabaseError | null {
    return this.#readOnly;
  }

  /** True if a transaction has begun and not ended. */
  get isTransaction(): boolean {
    return this.#connection.isTransaction;
  }

  prepare(sql: string): StatementSync {
    return this.#connection.prepare(sql);
  }

  /** Retries opening a read-only file for writing, if that is due. Do not call it within a transaction. */
  async refresh(): Promise<void> {
    if (this.#readOnly === null || performance.now() - this.#triedMs < RETRY_MS)
      return;
    this.#triedMs = performance.now();
    try {
      const connection = await openWritable(this.path);
      this.#connection.close();
      this.#connection = connection;
      this.#readOnly = null;
    } catch (error) {
      this.#readOnly = faultOfFile(error, this.path, "written");
    }
  }

  close(): void {
    this.#connection.close();
  }
}

async function openWritable(path: string): Promise<DatabaseSync> {
  makeFolder(dirname(path));
  make(path);
  const connection = new DatabaseSync(path, {
    timeout: 0,
    enableForeignKeyConstraints: true,
  });
  try {
    await retryWhileBusy(() => {
      connection.exec(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON",
      );
      // Only a first query shows whether SQLite's companion files can be created.
      connection.prepare("SELECT count(*) FROM sqlite_schema").get();
    });
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** SQLite gives its companion files (-wal, -shm) the mode of this one. */
function make(path: string): void {
  try {
    closeSync(openSync(path, "ax", OWNER_ONLY));
  } catch (error) {
    // Opening and closing an existing file would release the process's locks on it.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST"))
      throw error;
  }
}
