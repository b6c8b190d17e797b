/** PgBouncer, the pooler, as an operator runs it in front of a PostgreSQL server of tests. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../pure/temporary-folder.ts";
import { until } from "../pure/until.ts";
import { missingProgram } from "./debian-package.ts";
import {
  PASSWORD,
  type TestDatabases,
  type TestPlace,
} from "./test-databases.ts";

const PROGRAM = "/usr/sbin/pgbouncer";

/** Why there is no PgBouncer, false if there is one. */
export const NO_PGBOUNCER = missingProgram(PROGRAM, "pgbouncer");

export interface Pgbouncer extends AsyncDisposable {
  /** The way to the same database through the pooler. */
  through(place: TestPlace): TestPlace;
}

export interface PgbouncerOptions {
  readonly mode: "session" | "transaction";
  /** Connections to the server, for each database. */
  readonly poolSize?: number;
}

/** Starts a pooler in front of a server; it refuses parameters of connections, as it does by default. */
export async function startPgbouncer(
  server: TestDatabases,
  { mode, poolSize = 20 }: PgbouncerOptions,
): Promise<Pgbouncer> {
  const folder = temporaryFolder();
  // As root it becomes the user postgres.
  chmodSync(folder.path, 0o777);
  const file = join(folder.path, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = host=${server.folder} port=5432 user=postgres password=${PASSWORD}
[pgbouncer]
listen_port = 5432
unix_socket_dir = ${folder.path}
auth_type = any
pool_mode = ${mode}
default_pool_size = ${poolSize}
max_client_conn = 500
`,
  );
  const isRoot = process.getuid?.() === 0;
  const child = spawn(
    PROGRAM,
    [...(isRoot ? ["--user", "postgres"] : []), file],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const ended = once(child, "close");
  await until("PgBouncer to start", () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended:\n${log}`);
    return log.includes("process up");
  });
  return {
    through: ({ url, ...place }) => ({
      ...place,
      url: url.replace(/@[^/]+/, `@${encodeURIComponent(folder.path)}`),
    }),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      child.kill("SIGKILL");
      await ended;
      folder[Symbol.dispose]();
    },
  };
}
