/**
 * Checks what the linter cannot: no circle of imports, type-only and dynamic ones included, and no folder with more
 * than 20 files side by side. Prints each fault and exits with 1. Part of `npm run check`.
 */
import { dirname } from "node:path";
import { exit } from "node:process";
import { FILES, importsOf } from "./imports.ts";

const MAX_FILES = 20;

const faults = [...crowdedFolders(FILES), ...circles(importsOf())];
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
