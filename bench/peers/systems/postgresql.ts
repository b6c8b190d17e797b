/**
 * PostgreSQL: the rows in the snapshot's order, covering btree indexes, and a trigram index (pg_trgm, GIN) over a
 * narrow table of names, so that little is read to check what the trigrams find.
 */

import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { answerOf, askPeer, type Peer, type Row } from "./peer.ts";
import {
  totalAndPage,
  type Matching,
  type Statement,
} from "../queries/page-sql.ts";
import {
  initPostgresql,
  startPostgresql,
  type Connection,
  type Query,
} from "./postgresql-server.ts";
import { referenceTables } from "../reference-tables.ts";
import type { WordSearch } from "../queries/matching.ts";
import {
  NAME_NAMES,
  NAME_TYPED,
  PROVIDER_NAMES,
  readRows,
  PROVIDER_TYPED,
  SNAPSHOT_ORDER,
  type Value,
} from "../rows.ts";
import { TIME_LIMIT_MS, type OpenSystem } from "./system.ts";

const PIECE_LENGTH = 1 << 20;
/** A trigram index finds words from this length on. */
const TRIGRAM = 3;
/** The SQL state of a statement that was given up for its time. */
const QUERY_CANCELED = "57014";

const TABLES = [
  `CREATE UNLOGGED TABLE ranked AS
   SELECT (row_number() OVER (ORDER BY ${SNAPSHOT_ORDER}) - 1)::integer AS ord, * FROM staging`,
  `CREATE TABLE provider AS SELECT ord, ${PROVIDER_NAMES} FROM ranked ORDER BY ord`,
  `CREATE TABLE name AS SELECT ord, entity, ${NAME_NAMES} FROM ranked WHERE name_key IS NOT NULL ORDER BY ord`,
  "DROP TABLE staging",
  "DROP TABLE ranked",
  "ALTER TABLE provider ADD PRIMARY KEY (ord)",
  "CREATE UNIQUE INDEX ON provider (npi)",
  "CREATE INDEX ON provider (zip, ord)",
  "CREATE INDEX ON provider (us_state, city_key, ord)",
  "CREATE INDEX ON provider (us_state, taxonomy, ord)",
  "CREATE INDEX ON provider (taxonomy, ord)",
  "CREATE INDEX ON provider (near_zip, taxonomy, npi) INCLUDE (ord)",
  "CREATE INDEX ON name (last_key, ord) WHERE last_key IS NOT NULL",
  "CREATE INDEX ON name USING gin (name_key gin_trgm_ops)",
  ...referenceTables(),
  "CREATE INDEX ON centroid (lat, lng)",
  "VACUUM ANALYZE",
  "CHECKPOINT",
];

export async function load(folder: string, zip: string): Promise<void> {
  await initPostgresql(folder);
  const rows = join(folder, "rows.txt");
  await writeCopyText(zip, rows);
  await using server = await startPostgresql(folder);
  const run = (text: string) => server.connection.query({ text });
  await run("CREATE EXTENSION pg_trgm");
  await run(`CREATE UNLOGGED TABLE staging (${PROVIDER_TYPED}, ${NAME_TYPED})`);
  await run(`COPY staging FROM '${rows}'`);
  rmSync(rows);
  for (const statement of TABLES) await run(statement);
}

export async function open(folder: string): Promise<OpenSystem> {
  const server = await startPostgresql(folder);
  const { connection } = server;
  await connection.query({ text: `SET statement_timeout = ${TIME_LIMIT_MS}` });
  const names = new Map<string, string>();
  function prepared({ sql, values }: Statement): Promise<Row[]> {
    const name = names.get(sql) ?? `statement_${names.size}`;
    names.set(sql, name);
    return rowsOf({ name, text: sql, values });
  }
  async function rowsOf(query: Query): Promise<Row[]> {
    return (await connection.query(query)).rows;
  }
  const peer: Peer = {
    run: prepared,
    async find(matching) {
      const statement = totalAndPage(matching);
      return answerOf(
        dependsOnValues(matching)
          ? await rowsOf({ text: statement.sql, values: statement.values })
          : await prepared(statement),
      );
    },
    findWords,
    nearby,
    startsSmall: () => true,
  };
  return {
    async ask(question) {
      try {
        return await askPeer(peer, question);
      } catch (error) {
        if (isCanceled(error)) return null;
        throw error;
      }
    },
    version: async () =>
      `PostgreSQL ${await valueOf(connection, "SHOW server_version")}`,
    size: async () =>
      Number(
        await valueOf(
          connection,
          "SELECT pg_database_size(current_database())",
        ),
      ),
    memory: () => server.memory(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/**
 * True if the plan depends on the values, so that one made for any of them would be wrong for many: the trigram index
 * would be searched for words that have none.
 */
function dependsOnValues({ isCostly, tier }: Matching): boolean {
  return tier !== null && !isCostly;
}

/** Where no word has a trigram, all names are read, by all cores: rather twice than held. */
function findWords(parts: readonly string[]): WordSearch {
  const like = (first: number) =>
    parts.map((_, at) => `name.name_key LIKE $${first + at}`).join(" AND ");
  return {
    table: "name",
    inside: like(2),
    starts: like(2 + parts.length),
    values: [
      ...parts.map((part) => `%${part}%`),
      ...parts.map((part) => `% ${part}%`),
    ],
    isCostly: parts.some((part) => part.length >= TRIGRAM),
  };
}

/** The nearest ZIP first, and no further ones than the page needs. */
function nearby(also: string): string {
  return `(SELECT * FROM near ORDER BY miles) zips
    CROSS JOIN LATERAL (
      SELECT ord, npi FROM provider WHERE near_zip = zips.zip ${also}
    ) at_zip`;
}

async function valueOf(connection: Connection, text: string): Promise<string> {
  const { rows } = await connection.query({ text });
  return String(Object.values(rows[0] ?? {})[0]);
}

function isCanceled(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && error.code === QUERY_CANCELED
  );
}

/** Writes a registry's rows as COPY reads them. */
async function writeCopyText(zip: string, path: string): Promise<void> {
  const file = openSync(path, "w");
  try {
    let piece = "";
    await readRows(zip, (row) => {
      piece += `${row.map(copyValue).join("\t")}\n`;
      if (piece.length < PIECE_LENGTH) return;
      writeSync(file, piece);
      piece = "";
    });
    writeSync(file, piece);
  } finally {
    closeSync(file);
  }
}

function copyValue(value: Value): string {
  if (value === null) return "\\N";
  return String(value).replace(/[\\\t\n\r]/g, "\\$&");
}
