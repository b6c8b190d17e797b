/**
 * Checks what the linter cannot: no circle of imports, type-only and dynamic ones included, and no folder with more
 * than 20 files side by side. Prints each fault and exits with 1. Part of `npm run check`.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { exit } from "node:process";

const ROOT = join(import.meta.dirname, "..");
const MAX_FILES = 20;
const IMPORT =
  /(?:^|[;}]|\s)(?:import|export)\s[^;"]*?\bfrom\s*"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"|^import\s*"(\.[^"]+)"/gm;

const files = globSync("{bin,src,test,bench,tools}/**/*", {
  cwd: ROOT,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile())
  .map((entry) =>
    posix.relative(ROOT, posix.join(entry.parentPath, entry.name)),
  )
  .sort();

const faults = [...crowdedFolders(files), ...circles(importsOf(files))];
for (const fault of faults) console.error(fault);
exit(faults.length === 0 ? 0 : 1);

/** One sentence for each folder with too many files. */
function crowdedFolders(paths: readonly string[]): string[] {
  return [...Map.groupBy(paths, dirname)]
    .filter(([, inside]) => inside.length > MAX_FILES)
    .map(
      ([folder, inside]) =>
        `${folder} has ${inside.length} files side by side; split it, the most is ${MAX_FILES}.`,
    );
}

/** What each TypeScript file imports, as paths from the root; code in comments counts too, and does no harm. */
function importsOf(paths: readonly string[]): Map<string, string[]> {
  const known = new Set(paths);
  return new Map(
    paths
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => {
        const text = readFileSync(join(ROOT, path), "utf8");
        const targets = [...text.matchAll(IMPORT)]
          .map(([, from, dynamic, bare]) =>
            posix.join(dirname(path), from ?? dynamic ?? bare ?? ""),
          )
          .filter((target) => known.has(target));
        return [path, [...new Set(targets)]] as const;
      }),
  );
}

/** One sentence for each circle that a walk along the imports comes back by. */
function circles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  for (const path of imports.keys()) visit(path);
  return found;

  function visit(path: string): void {
    const begin = trail.indexOf(path);
    if (begin >= 0) {
      const circle = [...trail.slice(begin), path].join(" → ");
      found.push(`These files import each other in a circle: ${circle}.`);
      return;
    }
    if (done.has(path)) return;
    trail.push(path);
    for (const target of imports.get(path) ?? []) visit(target);
    trail.pop();
    done.add(path);
  }
}
