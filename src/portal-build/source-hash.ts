import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";

/** Everything that the built portal depends on. */
const SOURCES = [
  "src/portal/**",
  "src/portal-build/**",
  "src/site/**",
  "src/contract/**",
  "src/registry/**",
  "src/text/**",
  "docs/*.md",
  "docs/pictures/*.png",
  "tsconfig.json",
  "package-lock.json",
];

/** A hash of the portal's sources. Equal for equal checkouts. */
export function sourceHash(root: string): string {
  const hash = createHash("sha256");
  const paths = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((path) => statSync(join(root, path)).isFile())
    .map((path) => path.split(sep).join("/"))
    .sort();
  for (const path of paths) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex").slice(0, 20);
}
