import assert from "node:assert/strict";
import { test } from "node:test";
import { FILTER_NAMES, isScope } from "../../src/contract/filters.ts";
import { ASKED_FILTERS } from "../support/arbitrary/arbitrary-search.ts";
import { READINGS } from "../support/reference/reference-search.ts";

test("the reference reads every filter, and no other", () => {
  assert.deepEqual(Object.keys(READINGS).sort(), [...FILTER_NAMES].sort());
});

test("random queries use every filter", () => {
  const filters = FILTER_NAMES.filter((name) => !isScope(name));
  assert.deepEqual([...ASKED_FILTERS].sort(), filters.sort());
});
