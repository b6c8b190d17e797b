import { createHash } from "node:crypto";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/** The parts of a build: the pages, and the program as few files. */
export type BuildPart = "portal" | "program";

/** The sources of each part: paths in `src` by pattern, and other files by glob. */
const SOURCES: Readonly<
  Record<BuildPart, { folders: RegExp; files: readonly string[] }>
> = {
  portal: {
    folders: /^src\/(?:build|contract|portal|registry|site|text)\//,
    files: ["docs/*.md", "docs/pictures/*.png"],
  },
  program: { folders: /^src\/(?!portal\/)/, files: ["package.json"] },
};
const SOURCES_OF_BOTH = ["package-lock.json", "tsconfig.json"];

/**
 * Returns the folder of a part that `npm run build` made of these sources; null if it is missing or stale, as after a
 * change of the sources. Only the project's folder is searched: a service whose user may not change the program's files
 * must not run others.
 */
export function builtFolder(part: BuildPart, root = PROJECT): string | null {
  const folder = folderOf(part, sourceHash(part, root), root);
  return existsSync(folder) ? folder : null;
}

/** Returns where the build of sources with this hash is. */
export function folderOf(part: BuildPart, hash: string, root: string): string {
  return join(root, "dist", part, hash);
}

/** Hashes all that a part is made of. Equal checkouts have equal hashes. */
export function sourceHash(part: BuildPart, root: string): string {
  const hash = createHash("sha256");
  for (const path of sourcesOf(part, root).sort()) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex").slice(0, 20);
}

/** Lists the sources of a part, relative to the root, with slashes. */
function sourcesOf(part: BuildPart, root: string): string[] {
  const { files, folders } = SOURCES[part];
  const inFolders = readdirSync(join(root, "src"), {
    recursive: true,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => relative(root, join(parentPath, name)))
    .map((path) => path.split(sep).join("/"))
    .filter((path) => folders.test(path));
  const others = [...files, ...SOURCES_OF_BOTH].flatMap((pattern) =>
    globSync(pattern, { cwd: root }),
  );
  return [...inFolders, ...others];
}
