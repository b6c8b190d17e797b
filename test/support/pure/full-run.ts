/** The switch between `npm test` and `npm run test:full`, which sets `TEST_FULL` and adds the files `*.full.ts`. */

import { env } from "node:process";
import { test, type TestContext, type TestOptions } from "node:test";

/** True if this is the full run. */
export const IS_FULL = env["TEST_FULL"] === "1";

/** True in the run before a release, which repeats random cases ten times as often (RELEASING.md). */
const IS_RELEASE = env["TEST_RELEASE"] === "1";

/** How many rounds of a long test of the full run are run. */
export function releaseRounds(rounds: number): number {
  return IS_RELEASE ? 10 * rounds : rounds;
}

/** How many rounds of a long test run: all in the full run, a quarter or `quick` in the other. */
export function rounds(full: number, quick = Math.ceil(full / 4)): number {
  return IS_FULL ? full : quick;
}

/** The cases of a long test that run: all in the full run, every fourth in the other. */
export function cases<T>(all: readonly T[]): readonly T[] {
  return IS_FULL ? all : all.filter((_, index) => index % 4 === 0);
}

/** A test of the full run only. */
export function fullTest(
  name: string,
  body: (t: TestContext) => Promise<void> | void,
  options: TestOptions = {},
): void {
  if (IS_FULL) void test(name, options, body);
}
