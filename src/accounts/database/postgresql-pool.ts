import type {
  PostgresCursor,
  PostgresPool,
  PostgresPoolClient,
  PostgresQueryResult,
} from "kysely";
import { Pool, types, type PoolClient } from "pg";
import { HostClient, Hosts, type ClientLimits } from "./postgresql-client.ts";
import {
  endsConnection,
  faultOfServer,
  faultOfStatement,
  type Server,
} from "./postgresql-fault.ts";

export interface PoolLimits extends ClientLimits {
  /** The most connections at once. */
  readonly most: number;
}

/** 8-byte integers and their sums: times, counts and ids, all far below 2⁵³. */
const NUMBER_TYPES: ReadonlySet<number> = new Set([20, 1700]);

/** The statements with which Kysely starts transactions. */
const STARTS = /^(begin|start transaction)\b/;

/**
 * A connection pool for Kysely that returns numbers as numbers. Connections are opened on first use, and again after
 * each loss, to the host that works. One that failed is not used again, neither for the rollback, which would wait for
 * the same silent server, nor for the next statement; nor are those that are older than the loss of another. If the
 * server cannot answer, throws AccountsDatabaseError.
 */
export function openConnections(
  server: Server,
  limits: PoolLimits,
): PostgresPool {
  const hosts = new Hosts(server);
  const pool = openPool(hosts, limits);
  return {
    async connect() {
      for (let failed = 0; ;) {
        try {
          const client = await pool.connect();
          if (!(client instanceof HostClient))
            throw new TypeError("The pool has clients of another class");
          if (client.generation === hosts.generation)
            return new WatchedClient(client, server, limits, hosts);
          client.release(true);
        } catch (error) {
          if (++failed < hosts.count && hosts.isFault(error)) continue;
          throw faultOfServer(hosts.fault(error), server);
        }
      }
    },
    end: () => pool.end(),
  };
}

function openPool(hosts: Hosts, limits: PoolLimits): Pool {
  const { answerWithinMs, connectWithinMs, most } = limits;
  const config = {
    application_name: "provider-directory",
    keepAlive: true,
    types: {
      getTypeParser: (oid: number) =>
        NUMBER_TYPES.has(oid) ? Number : types.getTypeParser(oid),
    },
    // The server's own timeout comes first if the server can be reached, and no pooler is in between.
    ...(answerWithinMs === null ? {} : { query_timeout: answerWithinMs + 500 }),
  };
  const pool = new Pool({
    max: most,
    connectionTimeoutMillis: connectWithinMs,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
    Client: class extends HostClient {
      constructor() {
        super(hosts, limits, config);
      }
    },
  });
  // Losing an idle connection fails no query; the next one opens another.
  pool.on("error", () => undefined);
  return pool;
}

class WatchedClient implements PostgresPoolClient {
  readonly #client: HostClient & PoolClient;
  readonly #statements: PostgresPoolClient;
  readonly #server: Server;
  readonly #hosts: Hosts;
  /** What a transaction starts with; it ends with the transaction, so no pooler leaves it to another client. */
  readonly #settings: string;
  #fault: Error | null = null;

  constructor(
    client: HostClient & PoolClient,
    server: Server,
    { answerWithinMs }: PoolLimits,
    hosts: Hosts,
  ) {
    this.#server = server;
    this.#client = client;
    this.#hosts = hosts;
    this.#settings =
      client.isPooled && answerWithinMs !== null
        ? `; set local statement_timeout = ${answerWithinMs}`
        : "";
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
    if (this.#fault !== null) throw faultOfServer(this.#fault, this.#server);
    try {
      const statement = STARTS.test(sql) ? sql + this.#settings : sql;
      return await this.#statements.query<Row>(statement, parameters);
    } catch (error) {
      this.#note(error);
      throw faultOfStatement(error, this.#server);
    }
  }

  readonly #note = (error: unknown): void => {
    if (this.#fault !== null || !endsConnection(error)) return;
    this.#fault = error instanceof Error ? error : new Error(String(error));
    this.#hosts.noteLost(this.#client.generation);
  };
}
