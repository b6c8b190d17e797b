/** The TypeScript files of the project, and what each imports, as paths from the root. */

import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

export const ROOT = join(import.meta.dirname, "..");
const IMPORT =
  /(?:^|[;}]|\s)(?:import|export)\s[^;"]*?\bfrom\s*"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"|^import\s*"(\.[^"]+)"/gm;
/** A file that runs in a thread or a process. */
const PROGRAM = /\bnew URL\(\s*"(\.[^"]+)",\s*import\.meta\.url/g;

export const FILES: readonly string[] = globSync(
  "{bin,src,test,bench,tools,packages/*/src}/**/*",
  { cwd: ROOT, withFileTypes: true },
)
  .filter((entry) => entry.isFile())
  .map((entry) =>
    posix.relative(ROOT, posix.join(entry.parentPath, entry.name)),
  )
  .sort();

/** Lists what each TypeScript file imports; code in comments counts too, and does no harm. */
export function importsOf({ withPrograms = false } = {}): Map<
  string,
  string[]
> {
  const known = new Set(FILES);
  return new Map(
    FILES.filter((path) => /\.tsx?$/.test(path)).map((path) => {
      const text = readFileSync(join(ROOT, path), "utf8");
      const found = [
        ...text.matchAll(IMPORT),
        ...(withPrograms ? text.matchAll(PROGRAM) : []),
      ];
      const targets = found
        .map(([, from, dynamic, bare]) =>
          posix.join(dirname(path), from ?? dynamic ?? bare ?? ""),
        )
        .filter((target) => known.has(target));
      return [path, [...new Set(targets)]] as const;
    }),
  );
}
