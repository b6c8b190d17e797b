/** What a PostgreSQL server counted of the statements on a database (`pg_stat_statements`). */

import { Client } from "pg";
import type { TestPlace } from "./test-databases.ts";

/** Settings of a server that counts. */
export const COUNTING = {
  shared_preload_libraries: "pg_stat_statements",
} as const;

export interface CountedStatement {
  readonly text: string;
  readonly calls: number;
}

export interface Statements extends AsyncDisposable {
  /** Starts at zero. */
  reset(): Promise<void>;
  /** All statements since, other than this module's; `BEGIN` and `COMMIT` too. */
  counted(): Promise<readonly CountedStatement[]>;
}

/** Counts statements on a database of a server with the settings `COUNTING`. */
export async function countStatements({ url }: TestPlace): Promise<Statements> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
  return {
    async reset() {
      await client.query("SELECT pg_stat_statements_reset()");
    },
    async counted() {
      const { rows } = await client.query<{ query: string; calls: string }>(
        `SELECT query, calls FROM pg_stat_statements
        WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND query NOT LIKE '%pg_stat_statements%'
        ORDER BY calls DESC`,
      );
      return rows.map(({ calls, query }) => ({
        text: query,
        calls: Number(calls),
      }));
    },
    async [Symbol.asyncDispose]() {
      await client.end();
    },
  };
}
