import { globSync } from "node:fs";
import { join } from "node:path";

const TESTS = join(import.meta.dirname, "..");

/**
 * Runs test files in this process, one after another. In a separate process, a short file spends most of its time
 * loading the program. Patterns are relative to `test`.
 */
export async function runTogether(
  ...patterns: readonly string[]
): Promise<void> {
  for (const file of globSync(patterns, { cwd: TESTS }).sort())
    await import(join(TESTS, file));
}
