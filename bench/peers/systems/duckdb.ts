/**
 * DuckDB: one table of columns in the snapshot's order, so zone maps skip most of it for a state or a city, and an
 * index (ART) on the NPI. Everything else is scanned, on all cores.
 */

import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  DuckDBInstance,
  type DuckDBPreparedStatement,
  version,
} from "@duckdb/node-api";
import type { WordSearch } from "../queries/matching.ts";
import { ENTRY, materializedOnce, type Matching } from "../queries/page-sql.ts";
import { answerOf, askPeer, npisOf, type Peer } from "./peer.ts";
import { PAGE_LIMIT, type Answer } from "../queries/question.ts";
import { referenceTables } from "../reference-tables.ts";
import {
  NAME_NAMES,
  NAME_TYPED,
  PROVIDER_NAMES,
  PROVIDER_TYPED,
  readRows,
  SNAPSHOT_ORDER,
  type Value,
} from "../rows.ts";
import { TIME_LIMIT_MS, type OpenSystem } from "./system.ts";

const FILE = "providers.duckdb";
const STAGING = "staging.duckdb";
const GREATEST_INTEGER = 2 ** 31 - 1;

export async function load(folder: string, zip: string): Promise<void> {
  const staging = join(folder, STAGING);
  const instance = await DuckDBInstance.create(join(folder, FILE));
  const connection = await instance.connect();
  await connection.run(`ATTACH '${staging}' AS staging`);
  await connection.run(
    `CREATE TABLE staging.provider (${PROVIDER_TYPED}, ${NAME_TYPED})`,
  );
  const appender = await connection.createAppender("provider", null, "staging");
  await readRows(zip, (row) => {
    for (const value of row) {
      if (value === null) appender.appendNull();
      else if (typeof value === "string") appender.appendVarchar(value);
      else if (value <= GREATEST_INTEGER) appender.appendInteger(value);
      else appender.appendBigInt(BigInt(value));
    }
    appender.endRow();
  });
  appender.closeSync();
  await connection.run(`
    CREATE TABLE provider AS
    SELECT (row_number() OVER (ORDER BY ${SNAPSHOT_ORDER}) - 1)::integer AS ord, ${PROVIDER_NAMES}, ${NAME_NAMES}
    FROM staging.provider ORDER BY ord`);
  await connection.run("DETACH staging");
  await connection.run(
    `CREATE VIEW name AS SELECT ord, entity, ${NAME_NAMES} FROM provider`,
  );
  await connection.run("CREATE UNIQUE INDEX provider_npi ON provider (npi)");
  for (const statement of referenceTables()) await connection.run(statement);
  await connection.run("ANALYZE");
  await connection.run("CHECKPOINT");
  connection.closeSync();
  instance.closeSync();
  rmSync(staging);
}

export async function open(folder: string): Promise<OpenSystem> {
  const path = join(folder, FILE);
  const instance = await DuckDBInstance.create(path, {
    access_mode: "READ_ONLY",
  });
  const connection = await instance.connect();
  const prepared = new Map<string, DuckDBPreparedStatement>();
  const peer: Peer = {
    async run({ sql, values }) {
      let statement = prepared.get(sql);
      if (statement === undefined) {
        statement = await connection.prepare(sql);
        prepared.set(sql, statement);
      }
      bind(statement, values);
      return (await statement.runAndReadAll()).getRowObjectsJS();
    },
    find: (matching) => find(peer, matching),
    findWords,
    nearby: (also) => `near JOIN provider ON near_zip = near.zip ${also}`,
    // A scan of one taxonomy costs about the same in every circle.
    startsSmall: ({ taxonomy }) => taxonomy === null,
  };
  return {
    async ask(question) {
      const limit = setTimeout(() => connection.interrupt(), TIME_LIMIT_MS);
      try {
        return await askPeer(peer, question);
      } catch (error) {
        if (isInterrupted(error)) return null;
        throw error;
      } finally {
        clearTimeout(limit);
      }
    },
    version: () => `DuckDB ${version().replace("v", "")}`,
    size: () => statSync(path).size,
    memory: () => process.memoryUsage.rss(),
    async [Symbol.asyncDispose]() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/**
 * Without tiers, total and page are two queries, so the entries' columns are read only for the page. In one query, the
 * total would keep the planner from that ("late materialization").
 */
async function find(peer: Peer, matching: Matching): Promise<Answer> {
  const { table, where, tier, values } = matching;
  if (tier !== null)
    return answerOf(await peer.run(materializedOnce(matching)));
  const [counted] = await peer.run({
    sql: `SELECT count(*) AS total FROM ${table} WHERE ${where}`,
    values,
  });
  const page = await peer.run({
    sql: `SELECT ${ENTRY} FROM ${table} WHERE ${where} ORDER BY ord LIMIT ${PAGE_LIMIT}`,
    values,
  });
  return { total: Number(counted?.["total"]), npis: npisOf(page) };
}

function findWords(parts: readonly string[]): WordSearch {
  const contains = (first: number) =>
    parts
      .map((_, at) => `contains(name.name_key, $${first + at})`)
      .join(" AND ");
  return {
    table: "name",
    inside: contains(2),
    starts: contains(2 + parts.length),
    values: [...parts, ...parts.map((part) => ` ${part}`)],
    isCostly: true,
  };
}

/** Binds integers as such: a floating-point value would have the column turned into one, whatever its index. */
function bind(
  statement: DuckDBPreparedStatement,
  values: readonly Value[],
): void {
  for (const [at, value] of values.entries()) {
    const index = at + 1;
    if (typeof value === "string") statement.bindVarchar(index, value);
    else if (value === null) statement.bindNull(index);
    else if (!Number.isInteger(value)) statement.bindDouble(index, value);
    else if (value <= GREATEST_INTEGER) statement.bindInteger(index, value);
    else statement.bindBigInt(index, BigInt(value));
  }
}

function isInterrupted(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("INTERRUPT");
}
