import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import {
  DatabaseSync,
  type SQLInputValue,
  type StatementSync,
} from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { SqliteDatabase, SqliteStatement } from "kysely";
import { makeFolder } from "../../files/make-folder.ts";
import type { AccountsDatabaseError } from "./database.ts";
import { BUSY, faultOfFile, sqliteCode } from "./sqlite-fault.ts";

const OWNER_ONLY = 0o600;
/** The interval at which opening a read-only file for writing is retried. */
const RETRY_MS = 1_000;

/** The most attempts of a statement while another connection has the lock: 250, 20 ms apart, take 5 s. */
const ATTEMPTS = 250;
const PAUSE_MS = 20;

/** Preparing a statement takes longer than running it; lists of values make many statements. */
const MAX_STATEMENTS = 200;

/** Readers wait only for recovery after a killed process. */
const READ_TIMEOUT_MS = 5_000;

/** A larger file is not read into memory. */
const MAX_FILE_BYTES = 1 << 28;

/** Header bytes that say whether the file has a write-ahead log, and the value for "no". */
const FORMAT_VERSIONS = [18, 19];
const WITHOUT_LOG = 1;

/**
 * The connection to a database file, which is created (readable only by its owner) if it is missing. On a full or
 * read-only disk the connection is read-only, and opening it for writing is retried.
 */
export class SqliteFile implements SqliteDatabase {
  readonly path: string;
  #connection: DatabaseSync;
  #readOnly: AccountsDatabaseError | null;
  #triedMs = performance.now();
  /** Prepared statements by their SQL, the least recently used first. */
  readonly #statements = new Map<string, StatementSync>();

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
        return new SqliteFile(path, openReadable(path), fault);
      } catch {
        throw faultOfFile(error, path, "opened");
      }
    }
  }

  /** The reason why the file is read-only; null if it is writable. */
  get readOnly(): AccountsDatabaseError | null {
    return this.#readOnly;
  }

  /** True if a transaction has begun and not ended. */
  get isTransaction(): boolean {
    return this.#connection.isTransaction;
  }

  prepare(sql: string): SqliteStatement {
    const statement = this.#prepared(sql);
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...parameters.map(inputValue)),
      run: (parameters) => statement.run(...parameters.map(inputValue)),
      // The rows are read while others may run the same statement.
      iterate: (parameters) =>
        this.#connection.prepare(sql).iterate(...parameters.map(inputValue)),
    };
  }

  #prepared(sql: string): StatementSync {
    const statement =
      this.#statements.get(sql) ?? this.#connection.prepare(sql);
    this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > MAX_STATEMENTS)
      this.#statements.delete(oldest!);
    return statement;
  }

  /** Retries opening a read-only file for writing, if that is due. Do not call it within a transaction. */
  async refresh(): Promise<void> {
    if (this.#readOnly === null || performance.now() - this.#triedMs < RETRY_MS)
      return;
    this.#triedMs = performance.now();
    try {
      const connection = await openWritable(this.path);
      this.#statements.clear();
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
      queryOnce(connection);
    });
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Creates the file if it is missing, readable only by its owner. SQLite gives its companion files the same mode. */
function make(path: string): void {
  try {
    closeSync(openSync(path, "ax", OWNER_ONLY));
  } catch (error) {
    // Opening and closing an existing file would release the process's locks on it.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST"))
      throw error;
  }
}

/**
 * Opens a database file for reading. If its folder is full or read-only, SQLite's companion files cannot be created, so
 * a copy in memory is read instead, which does not see later changes. SQLite could read the file in place, but closing
 * it would release the locks of the whole process. Throws SQLite's error, or the system's.
 */
function openReadable(file: string): DatabaseSync {
  try {
    const options = { readOnly: true, timeout: READ_TIMEOUT_MS };
    return checked(new DatabaseSync(file, options));
  } catch (error) {
    const bytes = sizeOf(file);
    // The latest rows are in the log, which cannot be read without the companion files.
    if (bytes === 0 || bytes > MAX_FILE_BYTES || sizeOf(`${file}-wal`) > 0)
      throw error;
    return openCopy(file);
  }
}

function openCopy(file: string): DatabaseSync {
  const bytes = readFileSync(file);
  for (const at of FORMAT_VERSIONS) bytes[at] = WITHOUT_LOG;
  const connection = new DatabaseSync(":memory:");
  connection.deserialize(bytes);
  connection.exec("PRAGMA query_only = ON");
  return checked(connection);
}

/** Returns the connection if it can be read; otherwise closes it and throws. */
function checked(connection: DatabaseSync): DatabaseSync {
  try {
    queryOnce(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Queries once: only a first query shows whether a database can be read, and SQLite's companion files be created. */
function queryOnce(connection: DatabaseSync): void {
  connection.prepare("SELECT count(*) FROM sqlite_schema").get();
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Retries while another connection has the lock, for at most five seconds. SQLite's `busy_timeout` would block the
 * thread, and with it a transaction of the same thread that is about to end. `pause` waits before each retry.
 */
export async function retryWhileBusy<Result>(
  attempt: () => Result | Promise<Result>,
  pause = pauseWhileBusy,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts === ATTEMPTS || sqliteCode(error) !== BUSY) throw error;
      await pause();
    }
  }
}

/** Waits until another attempt is worth it. */
export function pauseWhileBusy(): Promise<void> {
  return sleep(PAUSE_MS);
}

function inputValue(value: unknown): SQLInputValue {
  if (
    value === null ||
    typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "bigint" ||
    value instanceof Uint8Array
  )
    return value;
  throw new TypeError(`SQLite takes no value of type ${typeof value}`);
}
