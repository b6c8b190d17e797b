/**
 * SQLite: the rows by their place in the snapshot's order, covering indexes, and a trigram index (FTS5) over a narrow
 * table of names. Words too short for it are looked for in that table.
 */

import { statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { WordSearch } from "../queries/matching.ts";
import { totalAndPage } from "../queries/page-sql.ts";
import { answerOf, askPeer, type Peer } from "./peer.ts";
import { referenceTables } from "../reference-tables.ts";
import {
  NAME_NAMES,
  NAME_TYPED,
  PROVIDER_NAMES,
  PROVIDER_TYPED,
  readRows,
  ROW_LENGTH,
  SNAPSHOT_ORDER,
  type Value,
} from "../rows.ts";
import type { OpenSystem } from "./system.ts";

const FILE = "providers.sqlite";
const TRIGRAM = 3;
/** A quarter of the memory for pages, as for the other peers; in units of kilobytes, which the minus sign says. */
const CACHE = `PRAGMA cache_size = -${Math.floor(totalmem() / 4 / 1024)}`;

/** The database can be made again, so nothing is written twice for its safety. */
const BEFORE_LOADING = [
  "PRAGMA page_size = 8192",
  "PRAGMA journal_mode = OFF",
  "PRAGMA synchronous = OFF",
  "PRAGMA locking_mode = EXCLUSIVE",
  "PRAGMA threads = 8",
  CACHE,
];

const BEFORE_ASKING = [
  "PRAGMA query_only = ON",
  "PRAGMA mmap_size = 2147418112",
  "PRAGMA temp_store = MEMORY",
  CACHE,
];

const TABLES = [
  `CREATE TABLE provider (ord INTEGER PRIMARY KEY, ${PROVIDER_TYPED})`,
  `CREATE TABLE name (ord INTEGER PRIMARY KEY, entity smallint, ${NAME_TYPED})`,
  `CREATE TABLE staging.ranked AS
   SELECT row_number() OVER (ORDER BY ${SNAPSHOT_ORDER}) - 1 AS ord, * FROM staging.row`,
  `INSERT INTO provider SELECT ord, ${PROVIDER_NAMES} FROM staging.ranked ORDER BY ord`,
  `INSERT INTO name SELECT ord, entity, ${NAME_NAMES} FROM staging.ranked WHERE name_key IS NOT NULL ORDER BY ord`,
  "DETACH staging",
  "CREATE UNIQUE INDEX provider_npi ON provider (npi)",
  "CREATE INDEX provider_zip ON provider (zip)",
  "CREATE INDEX provider_city ON provider (us_state, city_key)",
  "CREATE INDEX provider_state_taxonomy ON provider (us_state, taxonomy)",
  "CREATE INDEX provider_taxonomy ON provider (taxonomy)",
  "CREATE INDEX provider_near ON provider (near_zip, taxonomy, npi) WHERE near_zip IS NOT NULL",
  "CREATE INDEX name_last ON name (last_key) WHERE last_key IS NOT NULL",
  `CREATE VIRTUAL TABLE name_trigram USING fts5(
     name_key, content = 'name', content_rowid = 'ord', tokenize = 'trigram case_sensitive 1')`,
  "INSERT INTO name_trigram (name_trigram) VALUES ('rebuild')",
  "INSERT INTO name_trigram (name_trigram) VALUES ('optimize')",
  ...referenceTables(),
  "CREATE INDEX centroid_place ON centroid (lat, lng)",
  "ANALYZE",
];

export async function load(folder: string, zip: string): Promise<void> {
  const staging = join(folder, "staging.sqlite");
  using database = new DatabaseSync(join(folder, FILE));
  for (const pragma of BEFORE_LOADING) database.exec(pragma);
  database.exec(`ATTACH '${staging}' AS staging`);
  database.exec("PRAGMA staging.journal_mode = OFF");
  database.exec("PRAGMA staging.synchronous = OFF");
  database.exec(`CREATE TABLE staging.row (${PROVIDER_TYPED}, ${NAME_TYPED})`);
  const places = Array.from({ length: ROW_LENGTH }, () => "?").join(", ");
  const insert = database.prepare(`INSERT INTO staging.row VALUES (${places})`);
  database.exec("BEGIN");
  await readRows(zip, (row) => insert.run(...row));
  database.exec("COMMIT");
  for (const statement of TABLES) database.exec(statement);
  await rm(staging);
}

export async function open(folder: string): Promise<OpenSystem> {
  const path = join(folder, FILE);
  const database = new DatabaseSync(path, { readOnly: true });
  for (const pragma of BEFORE_ASKING) database.exec(pragma);
  const prepared = new Map<string, StatementSync>();
  const peer: Peer = {
    run({ sql, values }) {
      let statement = prepared.get(sql);
      if (statement === undefined) {
        // SQLite numbers its parameters by "?1"; "$1" would be a name.
        statement = database.prepare(sql.replaceAll("$", "?"));
        prepared.set(sql, statement);
      }
      return statement.all(...values);
    },
    async find(matching) {
      return answerOf(await peer.run(totalAndPage(matching)));
    },
    findWords,
    nearby: (also) => `near JOIN provider ON near_zip = near.zip ${also}`,
    startsSmall: () => true,
  };
  return {
    ask: (question) => askPeer(peer, question),
    version: () => `SQLite ${process.versions["sqlite"]}`,
    size: () => statSync(path).size,
    memory: () => process.memoryUsage.rss(),
    async [Symbol.asyncDispose]() {
      database.close();
    },
  };
}

/** Words that have trigrams are found by them; the rest are searched for in the names that are left. */
function findWords(parts: readonly string[]): WordSearch {
  const long = parts.filter((part) => part.length >= TRIGRAM);
  const short = parts.filter((part) => part.length < TRIGRAM);
  const isIndexed = long.length > 0;
  const values: Value[] = [];
  const place = (value: Value): string => `$${values.push(value) + 1}`;
  const conditions = short.map(
    (part) => `instr(name.name_key, ${place(part)}) > 0`,
  );
  if (isIndexed) {
    const phrases = long.map((part) => `"${part}"`).join(" AND ");
    conditions.push(`name_trigram MATCH ${place(phrases)}`);
  }
  const starts = parts.map(
    (part) => `instr(name.name_key, ${place(` ${part}`)}) > 0`,
  );
  return {
    table: isIndexed
      ? "name_trigram CROSS JOIN name ON name.ord = name_trigram.rowid"
      : "name",
    inside: conditions.join(" AND "),
    starts: starts.join(" AND "),
    values,
    isCostly: true,
  };
}
