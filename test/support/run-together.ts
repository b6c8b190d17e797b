import { globSync } from "node:fs";
import { join } from "node:path";
import { IS_FULL } from "./full-run.ts";

const TESTS = join(import.meta.dirname, "..");

/**
 * Runs test files in this process, one after another. In a separate process, a short file spends most of its time
 * loading the program. Patterns are relative to `test`; what matches `onlyInFull` is left to the full run.
 */
export async function runTogether(
  patterns: readonly string[],
  { onlyInFull = [] }: { onlyInFull?: readonly string[] } = {},
): Promise<void> {
  const exclude = IS_FULL ? [] : onlyInFull;
  for (const file of globSync(patterns, { cwd: TESTS, exclude }).sort())
    await import(join(TESTS, file));
}
