import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
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
import { whileBusy } from "./sqlite-busy.ts";

/** Kysely over Node's own SQLite; the dialect owns the connection and closes it with the Kysely instance. */
export class NodeSqliteDialect implements Dialect {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  createDriver(): Driver {
    return new ImmediateDriver({ database: adaptDatabase(this.#database) });
  }

  createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler();
  }
}

/**
 * Transactions take the write lock when they begin. A deferred one takes it at its first write, and fails at once,
 * without waiting, when another process has written since its first read.
 */
class ImmediateDriver extends SqliteDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    return new WaitingConnection(await super.acquireConnection());
  }

  override async beginTransaction(
    connection: DatabaseConnection,
  ): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}

/** Waits for other writers without stopping the thread; SQLite's own time-out is 0 here. */
class WaitingConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return whileBusy(() => this.#connection.executeQuery<Row>(query));
  }

  streamQuery<Row>(
    query: CompiledQuery,
    chunkSize: number,
  ): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery<Row>(query, chunkSize);
  }
}

/**
 * SQLite can roll back changes of its schema. Saying so makes the migrator run inside one (immediate) transaction,
 * which is also the lock between processes that open the file at the same time.
 */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function adaptDatabase(database: DatabaseSync): SqliteDatabase {
  return {
    close() {
      database.close();
    },
    prepare(sql) {
      return adaptStatement(database.prepare(sql));
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
