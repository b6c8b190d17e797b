import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sourceHash } from "./source-hash.ts";

const PROGRAM = fileURLToPath(new URL("./build.ts", import.meta.url));
const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
/** Far longer than a build takes. */
const LONGEST_MS = 120_000;
/** Builds that stay: a service that started before an upgrade still answers from an older one. */
const KEPT = 3;
/** What is older was left behind by a build that was killed. */
const UNFINISHED_MS = 3_600_000;

export interface BuildRequest {
  /** The project's folder. */
  readonly root?: string;
  /** Where builds are kept if the project's folder cannot be written, as where an installation belongs to root. */
  readonly otherwise?: string;
  /** Told before something is built, which takes some seconds. */
  readonly onBuild: () => void;
  /** Ends the build. */
  readonly signal: AbortSignal;
}

export type PortalBuild =
  | { readonly outcome: "built"; readonly folder: string }
  /** A sentence, and what the tools said. */
  | { readonly outcome: "failed"; readonly message: string };

/**
 * The folder of the built portal, which is built now where it is missing or its sources have changed: in a process of its
 * own, whose memory goes with it, and in a folder of its own, which then takes its name. Of two that build the same at
 * once one comes first, and both use that. Builds are in `dist/portal` of the project, each in a folder that is named for
 * its sources.
 */
export async function builtPortal({
  root = PROJECT,
  otherwise,
  onBuild,
  signal,
}: BuildRequest): Promise<PortalBuild> {
  try {
    const own = join(root, "dist", "portal");
    const outputs = otherwise === undefined ? [own] : [own, otherwise];
    const name = sourceHash(root);
    const folder = outputs.map((output) => join(output, name)).find(isReadable);
    if (folder !== undefined) return { outcome: "built", folder };
    onBuild();
    const unfinished = emptyFolderIn(outputs);
    const problem = await build(root, unfinished, signal);
    if (problem !== null) {
      rmSync(unfinished, { recursive: true, force: true });
      return failed(problem);
    }
    const output = dirname(unfinished);
    publish(unfinished, join(output, name));
    removeOld(output);
    return { outcome: "built", folder: join(output, name) };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/** Whether there is a build that this user may read. */
function isReadable(folder: string): boolean {
  try {
    accessSync(join(folder, "index.html"), constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * A new folder in the first of these that can be written. Throws the file system's error of the last: that of another says
 * little, as Node's for a file system that is read-only, ENOENT.
 */
function emptyFolderIn(outputs: readonly string[]): string {
  for (const [index, output] of outputs.entries()) {
    const path = join(output, `.${randomUUID()}`);
    try {
      mkdirSync(path, { recursive: true });
      return path;
    } catch (error) {
      if (index === outputs.length - 1) throw error;
    }
  }
  throw new Error("There is no folder to build in.");
}

/** What went wrong, null when nothing did. */
function build(
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
        PROGRAM,
        root,
        into,
      ],
      {
        // Nothing of the environment: a build is the same wherever it is made.
        env: { NODE_ENV: "production" },
        stdio: ["ignore", "ignore", "pipe"],
        signal,
        timeout: LONGEST_MS,
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

function publish(unfinished: string, folder: string): void {
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another start was faster.
    if (!isReadable(folder)) throw error;
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
      // What another user built stays. The new build is there all the same.
    }
}

/** 0 for one that another start removes at this moment. */
function ageOf(path: string): number {
  const { mtimeMs = Date.now() } =
    statSync(path, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs;
}

function failed(reason: string): PortalBuild {
  return {
    outcome: "failed",
    message: `The portal could not be built. The API is served without it. Fix this error and restart, or turn the portal off (PORTAL=off): ${reason}`,
  };
}
