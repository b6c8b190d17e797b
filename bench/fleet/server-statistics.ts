import type {
  Connection,
  PostgresqlServer,
  ServerSettings,
} from "../peers/systems/postgresql-server.ts";
import type { Timed } from "./orders.ts";
import { kindOf } from "./statement-timer.ts";

/** As an operator runs it, on a disk that doesn't lie, with statements counted. */
export const SERVER_SETTINGS: ServerSettings = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track_planning": "on",
  max_connections: 1_000,
  synchronous_commit: "on",
  wal_level: "replica",
  checkpoint_timeout: "5min",
};

/** Kinds of statements: those of the fleet, reading keys, and the rest. */
export type StatementKind = Timed | "key";

/** What PostgreSQL did in a while. */
export interface ServerWork {
  readonly processorSeconds: number;
  readonly logBytes: number;
  readonly rowsWritten: number;
  /** Updates, and those of them that touched no index. */
  readonly updates: number;
  readonly hotUpdates: number;
  readonly statements: ReadonlyMap<StatementKind, StatementSum>;
  /** Rows read by scans of whole tables, by table; only those with many. */
  readonly scanned: ReadonlyMap<string, number>;
}

export interface StatementSum {
  calls: number;
  /** Time in the server to plan and to execute, in milliseconds. */
  planMs: number;
  executeMs: number;
  logBytes: number;
  rows: number;
}

const MANY_ROWS = 100_000;
const KEY_READING = /from "api_key" inner join/;
const OWN = /pg_stat|pg_current_wal|pg_stat_clear/;

/** Counters of the server since its start. */
interface Counters {
  readonly processorSeconds: number;
  readonly logBytes: number;
  readonly tables: readonly TableCounters[];
}

interface TableCounters {
  readonly name: string;
  readonly written: number;
  readonly updates: number;
  readonly hot: number;
  readonly scanned: number;
}

/** Makes the statistics of statements available in the connection's database. */
export async function enableStatistics(connection: Connection): Promise<void> {
  await connection.query({
    text: "CREATE EXTENSION IF NOT EXISTS pg_stat_statements",
  });
}

/** Starts to measure; the returned function says what the server did since, and in a connection's database. */
export async function measureServer(
  server: PostgresqlServer,
  connection = server.connection,
): Promise<() => Promise<ServerWork>> {
  await connection.query({ text: "SELECT pg_stat_statements_reset()" });
  const before = await readCounters(server, connection);
  return async () => {
    const after = await readCounters(server, connection);
    const sum = (name: "written" | "updates" | "hot") =>
      difference(before.tables, after.tables, name);
    return {
      processorSeconds: after.processorSeconds - before.processorSeconds,
      logBytes: after.logBytes - before.logBytes,
      rowsWritten: sum("written"),
      updates: sum("updates"),
      hotUpdates: sum("hot"),
      statements: await readStatements(connection),
      scanned: new Map(
        after.tables.flatMap(({ name, scanned }) => {
          const earlier = before.tables.find((table) => table.name === name);
          const rows = scanned - (earlier?.scanned ?? 0);
          return rows < MANY_ROWS ? [] : [[name, rows] as const];
        }),
      ),
    };
  };
}

async function readStatements(
  connection: Connection,
): Promise<ReadonlyMap<StatementKind, StatementSum>> {
  const { rows } = await connection.query({
    text: `SELECT query, calls::float8, total_plan_time, total_exec_time, wal_bytes::float8, rows::float8 FROM pg_stat_statements
      WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  });
  const sums = new Map<StatementKind, StatementSum>();
  for (const row of rows) {
    const query = String(row["query"]);
    if (OWN.test(query)) continue;
    const kind = KEY_READING.test(query) ? "key" : kindOf(query);
    const sum = sums.get(kind) ?? {
      calls: 0,
      planMs: 0,
      executeMs: 0,
      logBytes: 0,
      rows: 0,
    };
    sum.calls += Number(row["calls"]);
    sum.planMs += Number(row["total_plan_time"]);
    sum.executeMs += Number(row["total_exec_time"]);
    sum.logBytes += Number(row["wal_bytes"]);
    sum.rows += Number(row["rows"]);
    sums.set(kind, sum);
  }
  return sums;
}

async function readCounters(
  { processorSeconds }: PostgresqlServer,
  connection: Connection,
): Promise<Counters> {
  const log = await connection.query({
    text: "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes",
  });
  const { rows } = await connection.query({
    text: `SELECT relname, (n_tup_ins + n_tup_upd + n_tup_del)::float8 AS written, n_tup_upd::float8 AS updates,
      n_tup_hot_upd::float8 AS hot, seq_tup_read::float8 AS scanned FROM pg_stat_user_tables`,
  });
  return {
    processorSeconds,
    logBytes: Number(log.rows[0]?.["bytes"]),
    tables: rows.map((row) => ({
      name: String(row["relname"]),
      written: Number(row["written"]),
      updates: Number(row["updates"]),
      hot: Number(row["hot"]),
      scanned: Number(row["scanned"]),
    })),
  };
}

function difference(
  before: readonly TableCounters[],
  after: readonly TableCounters[],
  name: "written" | "updates" | "hot",
): number {
  const total = (tables: readonly TableCounters[]) =>
    tables.reduce((sum, table) => sum + table[name], 0);
  return total(after) - total(before);
}
