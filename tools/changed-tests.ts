/**
 * Prints the test files that reach what differs from the last commit, by their imports and the programs that they
 * start, one a line. What is not TypeScript is reached by the files that name it. Part of `npm test -- --changed`.
 */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { env } from "node:process";
import { importsOf, ROOT } from "./imports.ts";

/** What no import shows. */
const STARTED: Readonly<Record<string, string>> = {
  "test/support/program/program.ts": "src/cli/main.ts",
  "test/portal/portal-service.ts": "src/portal/main.tsx",
};
const TEST = env["TEST_FULL"] === "1" ? /\.(?:test|full)\.ts$/ : /\.test\.ts$/;

const imports = importsOf({ withPrograms: true });
const importers = new Map<string, string[]>();
for (const [path, targets] of imports)
  for (const target of [...targets, STARTED[path] ?? ""])
    importers.set(target, [...(importers.get(target) ?? []), path]);

const reached = new Set<string>();
for (const path of changedFiles())
  for (const first of /\.tsx?$/.test(path) ? [path] : naming(path))
    reach(first);
for (const path of [...reached].filter((each) => TEST.test(each)).sort())
  if (imports.has(path)) console.log(path);

function reach(path: string): void {
  if (reached.has(path)) return;
  reached.add(path);
  for (const importer of importers.get(path) ?? []) reach(importer);
}

/** Lists what differs from the last commit, new files and removed ones included. */
function changedFiles(): string[] {
  return [
    ["diff", "--name-only", "--no-renames", "HEAD"],
    ["ls-files", "--others", "--exclude-standard"],
  ]
    .flatMap((args) =>
      execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\n"),
    )
    .filter((path) => path !== "");
}

/** Lists the files whose text has the name of a file. */
function naming(path: string): string[] {
  return [...imports.keys()].filter((each) =>
    readFileSync(join(ROOT, each), "utf8").includes(basename(path)),
  );
}
