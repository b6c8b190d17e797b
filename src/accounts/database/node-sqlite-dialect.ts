import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
} from "kysely";
import { faultOfFileStatement, sqliteCode } from "./sqlite-fault.ts";
import {
  pauseWhileBusy,
  retryWhileBusy,
  type SqliteFile,
} from "./sqlite-file.ts";

/** SQLite's code for a read-only database. */
const READ_ONLY = 8;

/** Makes a Kysely dialect for Node's built-in SQLite. It owns the connection and closes it with the Kysely instance. */
export function nodeSqliteDialect(file: SqliteFile): Dialect {
  return {
    createDriver: () => new ImmediateDriver(file),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/**
 * Transactions take the write lock when they start. A deferred one takes it at its first write, and fails at once if
 * another process has written since its first read.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    super({ database: file });
    this.#file = file;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    // The connection has one user at a time, who is not in a transaction yet.
    await this.#file.refresh();
    return {
      executeQuery: (query) => this.#execute(connection, query),
      streamQuery: (query, chunkSize) =>
        connection.streamQuery(query, chunkSize),
    };
  }

  /** Lets others use the connection while its user waits for the lock: who only reads needs none. */
  async #pause(): Promise<void> {
    if (this.#file.isTransaction) return pauseWhileBusy();
    await super.releaseConnection();
    await pauseWhileBusy();
    await super.acquireConnection();
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

  /**
   * Waits for other writers without blocking the thread (SQLite's own timeout is 0). If the file cannot be written or
   * read, throws AccountsDatabaseError.
   */
  async #execute<Row>(
    connection: DatabaseConnection,
    query: CompiledQuery,
  ): Promise<QueryResult<Row>> {
    try {
      return await retryWhileBusy(
        () => connection.executeQuery<Row>(query),
        () => this.#pause(),
      );
    } catch (error) {
      const { path, readOnly } = this.#file;
      if (readOnly !== null && sqliteCode(error) === READ_ONLY) throw readOnly;
      throw faultOfFileStatement(error, path);
    }
  }
}
