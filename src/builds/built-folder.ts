import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  accessSync,
  constants,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolder } from "../files/make-folder.ts";
import { sourceHash, type Sources } from "./source-hash.ts";

/** The project's folder. */
export const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
/** Far longer than a build takes. */
const MAX_BUILD_MS = 120_000;
/** How many builds to keep: a service started before an upgrade still serves an older one. */
const KEPT = 3;
/** An unfinished build older than this was killed. */
const UNFINISHED_MS = 3_600_000;

const CHANGED = "The sources changed while they were built.";

/** Something that is built from sources, into a folder with files. */
export interface Build {
  /** Its folder in `dist`. */
  readonly name: string;
  /** The path of the program that builds it: `PROGRAM PROJECT OUTPUT`. Prints errors on standard error. */
  readonly program: string;
  readonly sources: Sources;
  /** A file that each build has. */
  readonly entry: string;
}

export interface BuildRequest {
  /** The project's folder. */
  readonly root?: string;
  /** Where to build if the project's folder can't be written, such as when root owns the installation. */
  readonly otherwise?: string;
  /** Called before a build, which takes a few seconds. */
  readonly onBuild: () => void;
  /** Aborts the build. */
  readonly signal: AbortSignal;
}

export type BuildOutcome =
  | { readonly outcome: "built"; readonly folder: string }
  /** None of these folders can be written. */
  | { readonly outcome: "unwritable"; readonly outputs: readonly string[] }
  /** The build's own error. */
  | { readonly outcome: "failed"; readonly reason: string };

/**
 * The folder of a build. Builds it first if it is missing or its sources have changed, in a separate process so that its
 * memory is freed. Each build is in a folder named for its sources, and is renamed into place when complete. If two
 * processes build the same at once, both use the build that finishes first.
 */
export async function builtFolder(
  { entry, name, program, sources }: Build,
  { root = PROJECT, otherwise, onBuild, signal }: BuildRequest,
): Promise<BuildOutcome> {
  try {
    const own = join(root, "dist", name);
    const outputs = otherwise === undefined ? [own] : [own, otherwise];
    const id = sourceHash(root, sources);
    const folder = outputs
      .map((output) => join(output, id))
      .find((each) => isReadable(join(each, entry)));
    if (folder !== undefined) return { outcome: "built", folder };
    const unfinished = emptyFolderIn(outputs);
    if (unfinished === null) return { outcome: "unwritable", outputs };
    onBuild();
    const problem =
      (await build(program, root, unfinished, signal)) ??
      (sourceHash(root, sources) === id ? null : CHANGED);
    if (problem !== null) {
      rmSync(unfinished, { recursive: true, force: true });
      return { outcome: "failed", reason: problem };
    }
    const output = dirname(unfinished);
    publish(unfinished, join(output, id), entry);
    removeOld(output);
    return { outcome: "built", folder: join(output, id) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { outcome: "failed", reason };
  }
}

/** True if a file of the build exists and this user may read it. */
function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** A new folder in the first of these that can be written; null if none can. */
function emptyFolderIn(outputs: readonly string[]): string | null {
  for (const output of outputs) {
    const path = join(output, `.${randomUUID()}`);
    try {
      makeFolder(path);
      return path;
    } catch {
      // The error says little: Node reports a read-only file system as ENOENT.
    }
  }
  return null;
}

/** The build's error, or null. */
function build(
  program: string,
  root: string,
  into: string,
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [
        "--disable-sigusr1",
        "--disable-warning=ExperimentalWarning",
        program,
        root,
        into,
      ],
      {
        // No environment variables, so that a build is the same everywhere.
        env: { NODE_ENV: "production" },
        stdio: ["ignore", "ignore", "pipe"],
        signal,
        timeout: MAX_BUILD_MS,
      },
    );
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    let fault: string | null = null;
    child.on("error", (error) => {
      fault = error.message;
    });
    child.on("close", (code, killedBy) => {
      const otherwise = killedBy ?? `exit code ${code}`;
      resolve(code === 0 ? null : (fault ?? (said.trim() || otherwise)));
    });
  });
}

function publish(unfinished: string, folder: string, entry: string): void {
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process finished the same build first.
    if (!isReadable(join(folder, entry))) throw error;
    rmSync(unfinished, { recursive: true });
  }
}

function removeOld(output: string): void {
  const builds = readdirSync(output)
    .map((name) => {
      const path = join(output, name);
      return { name, path, ageMs: ageOf(path) };
    })
    .sort((a, b) => a.ageMs - b.ageMs);
  const whole = builds.filter(({ name }) => !name.startsWith("."));
  const unfinished = builds.filter(
    ({ ageMs, name }) => name.startsWith(".") && ageMs > UNFINISHED_MS,
  );
  for (const { path } of [...whole.slice(KEPT), ...unfinished])
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Another user's builds can't be removed. That doesn't affect the new build.
    }
}

/** 0 if another process is removing it. */
function ageOf(path: string): number {
  const { mtimeMs = Date.now() } =
    statSync(path, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs;
}
