/** The tests of `http` in one process: most of a short file's time is loading the program. */

import { globSync } from "node:fs";

const files = globSync("http/**/*.test.ts", { cwd: import.meta.dirname });
for (const file of files.sort()) await import(`./${file}`);
