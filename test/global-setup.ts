/**
 * What `npm test` starts once for all test files (`--test-global-setup`); their addresses go to them by the
 * environment.
 */

import { execFileSync } from "node:child_process";
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { env, kill, pid } from "node:process";
import type { BrowserServer } from "playwright-core";
import { PROJECT } from "../src/build/built-folder.ts";
import { CHROMIUM_OF_RUN, launchChromiumServer } from "./portal/chromium.ts";
import { DEMO_OF_RUN, startDemo } from "./portal/portal-service.ts";
import {
  DEMO_FOLDER_OF_RUN,
  makeDemoFolder,
} from "./support/program/demo-folder.ts";
import {
  CLUSTER_OF_RUN,
  NO_POSTGRESQL,
  POSTGRESQL_OF_RUN,
  TestPostgresql,
} from "./support/postgresql/postgresql-server.ts";

/** A disk in memory, on which syncing a file and copying a database cost a fraction. */
const MEMORY_DISK = "/dev/shm";
/** More than the files of a run take at any time, in bytes. */
const MEMORY_BYTES = 4 * 2 ** 30;
const FOLDER = /^provider-directory-run-(\d+)$/;

const owned = new AsyncDisposableStack();

export async function globalSetup(): Promise<void> {
  // Pages and programs are tested as they are built.
  execFileSync(join(PROJECT, "bin/node"), ["src/build/build.ts"], {
    cwd: PROJECT,
    stdio: "inherit",
  });
  // Before TMPDIR changes: the browser is kept for later runs.
  const chromium = await launchChromiumServer();
  if (typeof chromium !== "string") owned.defer(() => chromium.close());
  const folder = folderInMemory();
  if (folder !== null) {
    owned.defer(() => rmSync(folder, { recursive: true, force: true }));
    env["TMPDIR"] = folder;
  }
  const settled = await Promise.allSettled([
    setUpPostgresql(),
    setUpDemoFolder(),
    // Each file that needs a browser says why there is none.
    typeof chromium === "string" ? null : setUpPortal(chromium),
  ]);
  const failed = settled.find((each) => each.status === "rejected");
  if (failed === undefined) return;
  // Node calls it only after a set-up that succeeded.
  await globalTeardown();
  throw failed.reason;
}

async function setUpPostgresql(): Promise<void> {
  if (NO_POSTGRESQL !== false) return;
  const postgresql = owned.use(await TestPostgresql.start());
  env[CLUSTER_OF_RUN] = await postgresql.keepCluster();
  env[POSTGRESQL_OF_RUN] = postgresql.folder;
}

async function setUpDemoFolder(): Promise<void> {
  env[DEMO_FOLDER_OF_RUN] = owned.use(await makeDemoFolder()).path;
}

async function setUpPortal(chromium: BrowserServer): Promise<void> {
  env[CHROMIUM_OF_RUN] = chromium.wsEndpoint();
  const demo = owned.use(await startDemo({ EXPLORER_BURST: "1000" }));
  env[DEMO_OF_RUN] = demo.url;
}

export async function globalTeardown(): Promise<void> {
  await owned.disposeAsync();
}

/** A folder for the temporary files of this run in memory; null if the machine has too little of it. */
function folderInMemory(): string | null {
  const folder = join(MEMORY_DISK, `provider-directory-run-${pid}`);
  try {
    removeAbandoned();
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    if (bavail * bsize < MEMORY_BYTES) return null;
    // PostgreSQL goes through it as another user.
    mkdirSync(folder, { mode: 0o755 });
    const program = join(folder, "program");
    writeFileSync(program, "", { mode: 0o755 });
    // Fails on a disk from which no program may be run.
    accessSync(program, constants.X_OK);
    return folder;
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return null;
  }
}

/** Removes what runs that were killed left in memory. */
function removeAbandoned(): void {
  for (const name of readdirSync(MEMORY_DISK)) {
    const [, owner] = FOLDER.exec(name) ?? [];
    if (owner !== undefined && !isRunning(Number(owner)))
      rmSync(join(MEMORY_DISK, name), { recursive: true, force: true });
  }
}

function isRunning(process: number): boolean {
  try {
    return kill(process, 0);
  } catch {
    return false;
  }
}
