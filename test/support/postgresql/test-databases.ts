/** Databases on a PostgreSQL server of tests. */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { env } from "node:process";
import { Client } from "pg";
import type { DatabasePlace } from "../../../src/accounts/database/database.ts";

export const PASSWORD = "secret-of-tests";
/** Has the tables of accounts. */
export const TEMPLATE = "accounts_template";

export type TestPlace = DatabasePlace & { kind: "postgresql" };

// What the caller of the tests has set for other servers, such as PGPORT, would lead away from those of tests.
for (const name of Object.keys(env))
  if (name.startsWith("PG")) delete env[name];

/** Empties the tables of accounts and restarts their numbers, without triggers. */
const EMPTY = `DO $$
DECLARE each record;
BEGIN
  SET LOCAL session_replication_role = replica;
  SET LOCAL lock_timeout = '10s';
  FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely%' LOOP
    EXECUTE format('DELETE FROM %I', each.tablename);
  END LOOP;
  PERFORM setval(format('%I', sequencename)::regclass, start_value, false) FROM pg_sequences WHERE schemaname = 'public';
END $$`;

/** A database with empty tables of accounts, which the next test gets when this one has disposed of it. */
export interface SharedDatabase extends AsyncDisposable {
  readonly place: TestPlace;
}

/** The socket of a server in a folder. */
export function socketIn(folder: string): string {
  return join(folder, ".s.PGSQL.5432");
}

/** A server that runs, on which a test file makes databases. */
export class TestDatabases {
  /** Where its socket is. */
  readonly folder: string;
  readonly #made: string[] = [];
  /** Those that no test uses now. */
  readonly #idle: TestPlace[] = [];
  /** One for each shared database, by its URL. */
  readonly #cleaners = new Map<string, Client>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** A new, empty database. */
  makeEmptyDatabase(): Promise<TestPlace> {
    return this.#create();
  }

  /** A new database with the tables of accounts, copied, which is faster than to migrate each. */
  async makeDatabase(): Promise<TestPlace> {
    await this.makeTemplate();
    // As files: the default writes every page to the log too, for four times the processor.
    return this.#create(`TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`);
  }

  /** An empty database with the tables of accounts, a used one if possible: to make and drop one costs much more. */
  async shareDatabase(): Promise<SharedDatabase> {
    const place = this.#idle.pop() ?? (await this.makeDatabase());
    return {
      place,
      [Symbol.asyncDispose]: async () => {
        await (await this.#cleanerOf(place)).query(EMPTY);
        this.#idle.push(place);
      },
    };
  }

  /** Makes the template of `makeDatabase`; the run's server has one. */
  protected makeTemplate(): Promise<void> {
    return Promise.resolve();
  }

  /** Removes the databases that were made here. */
  async drop(): Promise<void> {
    await this.disconnect();
    if (this.#made.length === 0) return;
    await this.#query(
      this.#made.map((name) => `DROP DATABASE ${name} WITH (FORCE)`),
    );
  }

  /** Ends what `shareDatabase` has connected. */
  protected async disconnect(): Promise<void> {
    const cleaners = [...this.#cleaners.values()];
    this.#cleaners.clear();
    for (const cleaner of cleaners) await cleaner.end();
  }

  /** The server in a URL. */
  get host(): string {
    return encodeURIComponent(this.folder);
  }

  /** A client of the server, not connected yet. */
  protected client(): Client {
    return new Client({
      host: this.folder,
      user: "postgres",
      password: PASSWORD,
      database: "postgres",
    });
  }

  protected async createNamed(name: string, from = ""): Promise<TestPlace> {
    await this.#query([`CREATE DATABASE ${name} ${from}`]);
    return {
      kind: "postgresql",
      url: `postgres://postgres:${PASSWORD}@${this.host}/${name}`,
    };
  }

  async #create(from = ""): Promise<TestPlace> {
    const name = `test_${randomBytes(8).toString("hex")}`;
    const place = await this.createNamed(name, from);
    this.#made.push(name);
    return place;
  }

  async #cleanerOf({ url }: TestPlace): Promise<Client> {
    const known = this.#cleaners.get(url);
    if (known !== undefined) return known;
    const made = new Client({ connectionString: url });
    await made.connect();
    this.#cleaners.set(url, made);
    return made;
  }

  async #query(statements: readonly string[]): Promise<void> {
    const client = this.client();
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }
}
