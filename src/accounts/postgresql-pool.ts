import type {
  PostgresCursor,
  PostgresPool,
  PostgresPoolClient,
  PostgresQueryResult,
} from "kysely";
import { DatabaseError, Pool, types, type PoolClient } from "pg";

export interface PoolLimits {
  /** The most connections at once. */
  readonly most: number;
  /** How long it may take to connect, in milliseconds. */
  readonly connectWithinMs: number;
  /** How long an answer may take, in milliseconds; null for as long as it takes. */
  readonly answerWithinMs: number | null;
}

/** 8-byte integers and sums of them: times, counts and ids, all far below 2⁵³. */
const NUMBER_TYPES: ReadonlySet<number> = new Set([20, 1700]);

/** A server's words about the connection: class 08, and of one that ends or begins. */
const OF_CONNECTION = /^(08|57P0)/;

/** A pool over a server, with numbers as numbers. It connects when it is first asked, and again after each loss. */
export function openPool(
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
          // The server's own limit comes first, where it can be heard.
          query_timeout: answerWithinMs + 500,
        }),
  });
  // An idle connection that is lost is nobody's failure: the next question makes another.
  pool.on("error", () => undefined);
  return pool;
}

/**
 * A pool as Kysely takes it. A connection that failed under a statement is not used again: not for the rollback, which
 * would wait for the same silent server, and not for the next statement.
 */
export function poolWithoutBroken(pool: Pool): PostgresPool {
  return {
    async connect() {
      return new WatchedClient(await pool.connect());
    },
    end: () => pool.end(),
  };
}

/** Whether an error says that the server cannot be reached, rather than what it thinks of a statement. */
export function isConnectionLost(error: unknown): boolean {
  return !(
    error instanceof DatabaseError && !OF_CONNECTION.test(error.code ?? "")
  );
}

class WatchedClient implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #statements: PostgresPoolClient;
  #fault: Error | null = null;

  constructor(client: PoolClient) {
    this.#client = client;
    this.#statements = client;
    // Without it the end of a connection that is just in use would end the process.
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
    if (this.#fault !== null) throw this.#fault;
    try {
      return await this.#statements.query<Row>(sql, parameters);
    } catch (error) {
      this.#note(error);
      throw error;
    }
  }

  readonly #note = (error: unknown): void => {
    if (isConnectionLost(error))
      this.#fault ??= error instanceof Error ? error : new Error(String(error));
  };
}
