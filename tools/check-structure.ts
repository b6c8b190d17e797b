/**
 * Checks what the linter cannot: no circle of imports, type-only and dynamic ones included, no folder with more than 20
 * files side by side, and no room (a folder of `src`, a package, or `test`) with more lines than `budget.json` gives it. Prints
 * each fault and exits with 1. Part of `npm run check`.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exit } from "node:process";
import budget from "./budget.json" with { type: "json" };
import { FILES, importsOf, ROOT } from "./imports.ts";

const MAX_FILES = 20;
/** What people write: code, styles, and tables. */
const WRITTEN = /\.(?:as|css|csv|ts|tsx)$/;

const faults = [
  ...crowdedFolders(FILES),
  ...roomsOverBudget(FILES),
  ...circles(importsOf()),
];
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

/** One sentence for each room with more lines than its budget, or without one. */
function roomsOverBudget(paths: readonly string[]): string[] {
  const rooms = Map.groupBy(
    paths.filter((path) => WRITTEN.test(path)),
    (path) => /^(?:(?:src|packages)\/[^/]+|test)(?=\/)/.exec(path)?.[0] ?? "",
  );
  rooms.delete("");
  const budgets = new Map(Object.entries(budget));
  return [...rooms].flatMap(([room, files]) => {
    const most = budgets.get(room) ?? 0;
    const lines = files
      .map((file) => readFileSync(join(ROOT, file), "utf8"))
      .reduce((sum, text) => sum + text.split("\n").length - 1, 0);
    return lines <= most
      ? []
      : `${room} has ${lines} lines, and its budget is ${most}: make it smaller, or raise the budget as CONTRIBUTING.md says.`;
  });
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
