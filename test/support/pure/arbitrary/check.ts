/** Property tests with readable failures. */

import assert from "node:assert/strict";
import * as fc from "fast-check";
import { rounds } from "../full-run.ts";

/** Shrinking a failure takes an import per step: after this time the smallest one found so far is reported. */
const TIME_LIMIT_MILLISECONDS = 75_000;

/**
 * Runs a property `fullRuns` times; outside the full run, a thirtieth or `quickRuns`. Throws the smallest difference
 * found and how to reproduce it: the whole counterexample is pages of numbers.
 */
export async function check<T>(
  fullRuns: number,
  arbitrary: fc.Arbitrary<T>,
  test: (value: T) => Promise<void>,
  quickRuns = Math.ceil(fullRuns / 30),
): Promise<void> {
  const property = fc.asyncProperty(arbitrary, test);
  const numRuns = rounds(fullRuns, quickRuns);
  const found = await fc.check(property, { numRuns, endOnFailure: true });
  if (!found.failed) return;
  const { counterexamplePath, seed } = found;
  const shrunk = await fc.check(property, {
    seed,
    path: counterexamplePath ?? "",
    interruptAfterTimeLimit: TIME_LIMIT_MILLISECONDS,
  });
  const { counterexamplePath: path, errorInstance } = shrunk.failed
    ? shrunk
    : found;
  const again = `{ seed: ${seed}, path: ${JSON.stringify(path)} }`;
  throw new Error(`${String(errorInstance)}\nAgain with ${again}`);
}

/** Both sides contain the query, so a difference shows it. */
export function same<T>(actual: T, expected: T): void {
  assert.deepEqual(actual, expected);
}
