import { createHash } from "node:crypto";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** What a build depends on. Paths are relative to the project's folder, with slashes. */
export interface Sources {
  /** All files below these. */
  readonly folders: readonly string[];
  /** Folders below them that don't count. */
  readonly except?: readonly string[];
  /** Names of files, or patterns. */
  readonly files: readonly string[];
}

/** A hash of a build's sources. Equal for equal checkouts. */
export function sourceHash(
  root: string,
  { except = [], files, folders }: Sources,
): string {
  const hash = createHash("sha256");
  const paths = [
    ...folders.flatMap((folder) => filesIn(root, folder)),
    ...files.flatMap((pattern) => globSync(pattern, { cwd: root })),
  ]
    .map((path) => path.split(sep).join("/"))
    .filter((path) => !except.some((folder) => path.startsWith(`${folder}/`)))
    .sort();
  for (const path of paths) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex").slice(0, 20);
}

function filesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), {
    recursive: true,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => relative(root, join(parentPath, name)));
}
