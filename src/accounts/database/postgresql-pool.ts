import type {
  PostgresCursor,
  PostgresPool,
  PostgresPoolClient,
  PostgresQueryResult,
} from "kysely";
import {
  Client,
  Pool,
  types,
  type ClientBase,
  type ClientConfig,
  type PoolClient,
  type QueryConfig,
} from "pg";
import {
  endsConnection,
  faultOfServer,
  faultOfStatement,
  NotWritableError,
  type Server,
} from "./postgresql-fault.ts";

export interface PoolLimits {
  /** The most connections at once. */
  readonly most: number;
  /** The time that an answer may take, in milliseconds; null for as long as it takes. */
  readonly answerWithinMs: number | null;
}

/** The time that it may take to get a connection, in milliseconds. */
const CONNECT_WITHIN_MS = 5_000;

/** 8-byte integers and their sums: times, counts and ids, all far below 2⁵³. */
const NUMBER_TYPES: ReadonlySet<number> = new Set([20, 1700]);

/** The statements with which Kysely starts transactions. */
const STARTS = /^(begin|start transaction)\b/;

/**
 * `direct`: the server process is the one that said hello, so no pooler is in between. Only then the timeout is set for
 * the session: a pooler would leave it to other clients, and refuses it as a parameter of the connection.
 */
const CHECK = `SELECT pg_is_in_recovery() AS standby,
  current_setting('transaction_read_only') = 'on' AS "readOnly",
  pg_backend_pid() = $1::integer AS direct,
  CASE WHEN pg_backend_pid() = $1::integer THEN set_config('statement_timeout', $2, false) END`;

interface CheckRow {
  readonly standby: boolean;
  readonly readOnly: boolean;
  readonly direct: boolean;
}

/** The state of a connection. */
interface Connection {
  /** The number of losses when it was opened. */
  readonly losses: number;
  /** True if a pooler such as PgBouncer may give each transaction another session. */
  readonly isPooled: boolean;
}

/**
 * Opens a pool for Kysely that returns numbers as numbers. Connections are opened on first use, and only to a server
 * that can be written. One that failed is not used again, neither for the rollback, which would wait for the same
 * silent server, nor for the next statement; nor are those that are older, which may lead to the same dead or demoted
 * server. If the server cannot answer, its clients throw AccountsDatabaseError.
 */
export function openConnections(
  server: Server,
  limits: PoolLimits,
): PostgresPool {
  const { answerWithinMs, most } = limits;
  const connections = new WeakMap<ClientBase, Connection>();
  let losses = 0;
  const pool = new Pool({
    Client: ClosedAtFault,
    connectionString: server.url,
    application_name: "provider-directory",
    keepAlive: true,
    max: most,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
    types: {
      getTypeParser: (oid: number) =>
        NUMBER_TYPES.has(oid) ? Number : types.getTypeParser(oid),
    },
    // The server's own timeout comes first if the server can be reached, and no pooler is in between.
    ...(answerWithinMs === null ? {} : { query_timeout: answerWithinMs + 500 }),
    async onConnect(client) {
      const opened = losses;
      const isPooled = await checkSession(client, limits);
      connections.set(client, { losses: opened, isPooled });
    },
  });
  // Losing an idle connection fails no query; the next one opens another.
  pool.on("error", () => undefined);
  pool.on("release", (fault, client) => {
    const isLost = fault instanceof Error;
    if (isLost && connections.get(client)?.losses === losses) losses++;
  });
  return {
    async connect() {
      try {
        for (;;) {
          const client = await pool.connect();
          const connection = connections.get(client);
          if (connection?.losses === losses)
            return new WatchedClient(
              client,
              server,
              connection.isPooled ? answerWithinMs : null,
            );
          client.release(true);
        }
      } catch (error) {
        throw faultOfServer(error, server);
      }
    },
    end: () => pool.end(),
  };
}

/** Checks that a new connection can write; resolves to true if a pooler is in between. */
async function checkSession(
  client: ClientBase,
  { answerWithinMs }: PoolLimits,
): Promise<boolean> {
  const question: QueryConfig & { query_timeout: number } = {
    text: CHECK,
    values: [Reflect.get(client, "processID"), String(answerWithinMs ?? 0)],
    query_timeout: CONNECT_WITHIN_MS,
  };
  const [row] = (await client.query<CheckRow>(question)).rows;
  if (row === undefined) throw new Error("the server's response is empty");
  if (row.standby)
    throw new NotWritableError("the server is a standby, which is read-only");
  if (row.readOnly) throw new NotWritableError("the server is read-only");
  return !row.direct;
}

/** Closes its socket if it can't log in: the pool only forgets it, and the server would wait for a minute. */
class ClosedAtFault extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    const { connection } = this;
    connection.once("error", () => connection.stream.destroy());
  }
}

class WatchedClient implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #statements: PostgresPoolClient;
  readonly #server: Server;
  /** The time limit to set at the start of each transaction, in milliseconds; null if the session has it. */
  readonly #timeoutMs: number | null;
  #fault: Error | null = null;

  constructor(client: PoolClient, server: Server, timeoutMs: number | null) {
    this.#client = client;
    this.#statements = client;
    this.#server = server;
    this.#timeoutMs = timeoutMs;
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
    // Ends with the transaction, so no pooler leaves it to another client.
    const setting =
      this.#timeoutMs !== null && STARTS.test(sql)
        ? `; set local statement_timeout = ${this.#timeoutMs}`
        : "";
    try {
      return await this.#statements.query<Row>(sql + setting, parameters);
    } catch (error) {
      this.#note(error);
      throw faultOfStatement(error, this.#server);
    }
  }

  readonly #note = (error: unknown): void => {
    if (endsConnection(error))
      this.#fault ??= error instanceof Error ? error : new Error(String(error));
  };
}
