import type {
  PostgresCursor,
  PostgresPool,
  PostgresPoolClient,
  PostgresQueryResult,
} from "kysely";
import { Pool, types, type PoolClient } from "pg";
import {
  describeServer,
  faultOfServer,
  faultOfStatement,
  isConnectionLost,
} from "./postgresql-fault.ts";

export interface PoolLimits {
  /** The most connections at once. */
  readonly most: number;
  /** How long it may take to connect, in milliseconds. */
  readonly connectWithinMs: number;
  /** How long an answer may take, in milliseconds; null for as long as it takes. */
  readonly answerWithinMs: number | null;
}

/** 8-byte integers and their sums: times, counts and ids, all far below 2⁵³. */
const NUMBER_TYPES: ReadonlySet<number> = new Set([20, 1700]);

/**
 * A connection pool for Kysely that returns numbers as numbers. Connections are opened on first use, and again after
 * each loss. One that failed is not used again, neither for the rollback, which would wait for the same silent server,
 * nor for the next statement. If the server cannot answer, throws AccountsDatabaseError.
 */
export function openConnections(url: string, limits: PoolLimits): PostgresPool {
  const name = describeServer(url);
  const pool = openPool(url, limits);
  return {
    async connect() {
      try {
        return new WatchedClient(await pool.connect(), name);
      } catch (error) {
        throw faultOfServer(error, name);
      }
    },
    end: () => pool.end(),
  };
}

function openPool(
  url: string,
  { answerWithinMs, connectWithinMs, most }: PoolLimits,
): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: "provider-directory",
    max: most,
    connectionTimeoutMillis: connectWithinMs,
    keepAlive: true,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
    types: {
      getTypeParser: (oid: number) =>
        NUMBER_TYPES.has(oid) ? Number : types.getTypeParser(oid),
    },
    ...(answerWithinMs === null
      ? {}
      : {
          statement_timeout: answerWithinMs,
          // The server's own timeout comes first if the server can be reached.
          query_timeout: answerWithinMs + 500,
        }),
  });
  // Losing an idle connection fails no query; the next one opens another.
  pool.on("error", () => undefined);
  return pool;
}

class WatchedClient implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #statements: PostgresPoolClient;
  readonly #name: string;
  #fault: Error | null = null;

  constructor(client: PoolClient, name: string) {
    this.#name = name;
    this.#client = client;
    this.#statements = client;
    // Without a listener, losing a connection in use would end the process.
    client.on("error", this.#note);
  }

  query<Row>(
    sql: string,
    parameters: readonly unknown[],
  ): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(
    sql: string | PostgresCursor<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof sql !== "string") return this.#statements.query(sql);
    return this.#run(sql, parameters);
  }

  release(): void {
    this.#client.off("error", this.#note);
    this.#client.release(this.#fault ?? undefined);
  }

  async #run<Row>(
    sql: string,
    parameters: readonly unknown[],
  ): Promise<PostgresQueryResult<Row>> {
    if (this.#fault !== null) throw faultOfServer(this.#fault, this.#name);
    try {
      return await this.#statements.query<Row>(sql, parameters);
    } catch (error) {
      this.#note(error);
      throw faultOfStatement(error, this.#name);
    }
  }

  readonly #note = (error: unknown): void => {
    if (isConnectionLost(error))
      this.#fault ??= error instanceof Error ? error : new Error(String(error));
  };
}
