/**
 * `npm run build`, which `npm ci` runs: builds the portal's pages, and the program as few files, which load in a
 * fraction of the time of its 1,500 modules. Each build is in a folder named for its sources and is renamed into place
 * when complete, so a service that is running or starting isn't disturbed.
 */
import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import {
  builtFolder,
  folderOf,
  PROJECT,
  sourceHash,
  type BuildPart,
} from "./built-folder.ts";
import { buildPortal } from "./portal/build-portal.ts";
import { buildProgram } from "./build-program.ts";

/**
 * The number of builds of a part to keep: a service that was started before an upgrade still loads files of an older
 * one.
 */
const KEPT = 3;
/** An unfinished build older than this was killed. */
const UNFINISHED_MS = 3_600_000;
const MAX_MESSAGE_LENGTH = 1_000;

const BUILDERS: Readonly<
  Record<BuildPart, (root: string, output: string) => Promise<void>>
> = { portal: buildPortal, program: buildProgram };

try {
  for (const part of ["portal", "program"] as const)
    if (builtFolder(part) === null) await buildPart(part);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(
    `The build failed: ${stripVTControlCharacters(message).slice(0, MAX_MESSAGE_LENGTH)}`,
  );
  process.exitCode = 1;
}

async function buildPart(part: BuildPart): Promise<void> {
  const hash = sourceHash(part, PROJECT);
  const started = performance.now();
  const parts = join(PROJECT, "dist", part);
  const unfinished = join(parts, `.${randomUUID()}`);
  mkdirSync(unfinished, { recursive: true });
  try {
    await BUILDERS[part](PROJECT, unfinished);
    if (sourceHash(part, PROJECT) !== hash)
      throw new Error("The sources changed while they were built.");
    publish(unfinished, folderOf(part, hash, PROJECT));
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  removeOld(parts);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`Built the ${part} in ${seconds} seconds.`);
}

function publish(unfinished: string, folder: string): void {
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process may have finished the same build first.
    if (!existsSync(folder)) throw error;
  }
}

function removeOld(parts: string): void {
  const builds = readdirSync(parts)
    .map((name) => {
      const path = join(parts, name);
      return { name, path, ageMs: ageOf(path) };
    })
    .sort((a, b) => a.ageMs - b.ageMs);
  const whole = builds.filter(({ name }) => !name.startsWith("."));
  const unfinished = builds.filter(
    ({ ageMs, name }) => name.startsWith(".") && ageMs > UNFINISHED_MS,
  );
  for (const { path } of [...whole.slice(KEPT), ...unfinished])
    rmSync(path, { recursive: true, force: true });
}

/** Returns 0 if another process is removing it. */
function ageOf(path: string): number {
  const { mtimeMs = Date.now() } =
    statSync(path, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs;
}
