import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { AccountsDatabaseError } from "./database.ts";
import { openReadable } from "./readable-file.ts";
import { retryWhileBusy } from "./sqlite-busy.ts";
import { faultOfFile } from "./sqlite-fault.ts";

const OWNER_ONLY = 0o600;
/** How often it is tried to write again to a file that could not be written, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * The connection to a database file, which is made (readable only by its owner) when it is not there. Where the file is
 * there and its disk is full or cannot be written, the connection can only read, and is tried to be made one that writes.
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

  /** Throws AccountsDatabaseError where it can neither be written nor read. */
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

  /** Why it can only be read; null where it can be written. */
  get readOnly(): AccountsDatabaseError | null {
    return this.#readOnly;
  }

  prepare(sql: string): StatementSync {
    return this.#connection.prepare(sql);
  }

  /** Opens a file again that could only be read, where that is due. It must not be called within a transaction. */
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
  mkdirSync(dirname(path), { recursive: true });
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
      // Only a first reading shows whether there is room for what SQLite keeps beside the file.
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
    // To open and close a file that is there would take away the locks that the process has on it.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST"))
      throw error;
  }
}
