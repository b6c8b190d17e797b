/** Property tests whose failures can be read. */

import assert from "node:assert/strict";
import * as fc from "fast-check";
import { rounds } from "../full-run.ts";

/** A failure shrinks, each step with an import of its own: after this long the smallest found so far is reported. */
const TIME_LIMIT_MILLISECONDS = 75_000;

/**
 * Runs a property `fullRuns` times, fewer outside the full run. Throws the smallest difference found, and how to come
 * back to it: the whole counterexample is pages of numbers.
 */
export async function check<T>(
  fullRuns: number,
  arbitrary: fc.Arbitrary<T>,
  test: (value: T) => Promise<void>,
): Promise<void> {
  const numRuns = rounds(fullRuns);
  const property = fc.asyncProperty(arbitrary, test);
  const result = await fc.check(property, {
    numRuns,
    interruptAfterTimeLimit: TIME_LIMIT_MILLISECONDS,
  });
  if (!result.failed) {
    // A machine that is too slow for most of the runs has proven nothing.
    assert.ok(result.numRuns >= numRuns / 4, `only ${result.numRuns} runs`);
    return;
  }
  const { seed, counterexamplePath: path, errorInstance } = result;
  const again = `{ seed: ${seed}, path: ${JSON.stringify(path)} }`;
  throw new Error(`${String(errorInstance)}\nAgain with ${again}`);
}

/** The question stands in both, so that a difference shows what was asked. */
export function same<T>(actual: T, expected: T): void {
  assert.deepEqual(actual, expected);
}
