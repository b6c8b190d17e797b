import type { SQLInputValue, StatementSync } from "node:sqlite";
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  type SqliteDatabase,
  type SqliteStatement,
} from "kysely";
import { retryWhileBusy } from "./sqlite-busy.ts";
import { faultOfFileStatement, sqliteCode } from "./sqlite-fault.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** SQLite's code for a read-only database. */
const READ_ONLY = 8;

/** A Kysely dialect for Node's built-in SQLite. It owns the connection and closes it with the Kysely instance. */
export class NodeSqliteDialect implements Dialect {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  createDriver(): Driver {
    return new ImmediateDriver(this.#file);
  }

  createAdapter(): SqliteAdapter {
    return new SqliteAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler();
  }
}

/**
 * Transactions take the write lock when they start. A deferred one takes it at its first write, and fails at once if
 * another process has written since its first read.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    super({ database: adaptFile(file) });
    this.#file = file;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    // The connection has one user at a time, who is not in a transaction yet.
    await this.#file.refresh();
    return new WaitingConnection(connection, this.#file);
  }

  override async beginTransaction(
    connection: DatabaseConnection,
  ): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  /** Does nothing if SQLite has rolled back already, as on a full disk: a failure here would hide the reason. */
  override async rollbackTransaction(
    connection: DatabaseConnection,
  ): Promise<void> {
    if (this.#file.isTransaction) await super.rollbackTransaction(connection);
  }
}

/**
 * Waits for other writers without blocking the thread (SQLite's own timeout is 0). If the file cannot be written or
 * read, throws AccountsDatabaseError.
 */
class WaitingConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #file: SqliteFile;

  constructor(connection: DatabaseConnection, file: SqliteFile) {
    this.#connection = connection;
    this.#file = file;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await retryWhileBusy(() =>
        this.#connection.executeQuery<Row>(query),
      );
    } catch (error) {
      const { path, readOnly } = this.#file;
      if (readOnly !== null && sqliteCode(error) === READ_ONLY) throw readOnly;
      throw faultOfFileStatement(error, path);
    }
  }

  streamQuery<Row>(
    query: CompiledQuery,
    chunkSize: number,
  ): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery<Row>(query, chunkSize);
  }
}

function adaptFile(file: SqliteFile): SqliteDatabase {
  return {
    close() {
      file.close();
    },
    prepare(sql) {
      return adaptStatement(file.prepare(sql));
    },
  };
}

function adaptStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all(parameters) {
      return statement.all(...parameters.map(inputValue));
    },
    run(parameters) {
      return statement.run(...parameters.map(inputValue));
    },
    iterate(parameters) {
      return statement.iterate(...parameters.map(inputValue));
    },
  };
}

function inputValue(value: unknown): SQLInputValue {
  if (
    value === null ||
    typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "bigint"
  ) {
    return value;
  }
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`SQLite takes no value of type ${typeof value}`);
}
