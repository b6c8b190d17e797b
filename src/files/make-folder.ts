import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder and those that it lies in, if they are missing. Throws file system errors; ENOTSUP where no folder
 * can be created, as in `/proc`, at which Node's recursive mkdir never returns.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it.
    if (isFolder(path)) return;
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT"))
      throw error;
    throw Object.assign(
      new Error(`no folder can be created in ${parent}`, { cause: error }),
      { code: "ENOTSUP", syscall: "mkdir", path },
    );
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
