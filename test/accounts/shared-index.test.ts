import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  NOWHERE,
  SharedIndex,
} from "../../src/accounts/metering/shared-index.ts";
import {
  createGateMemory,
  viewCounts,
} from "../../src/accounts/metering/gate-memory.ts";

function indexOf(capacity: number): SharedIndex {
  const memory = createGateMemory({ accounts: capacity, keys: 1 });
  return new SharedIndex(viewCounts(memory).accounts);
}

test("ids get places from 0 on, keep them, and are found again", () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 31 - 1 }), {
    minLength: 1,
    maxLength: 300,
  });
  fc.assert(
    fc.property(ids, (distinct) => {
      const index = indexOf(distinct.length);
      for (const [place, id] of distinct.entries()) {
        assert.equal(index.find(id), NOWHERE);
        assert.equal(index.claim(id), place);
      }
      for (const [place, id] of distinct.entries()) {
        assert.equal(index.claim(id), place);
        assert.equal(index.find(id), place);
        assert.equal(index.idAt(place), id);
      }
      assert.equal(index.size, distinct.length);
    }),
  );
});

test("a full index refuses every further id, and keeps what it has", () => {
  const index = indexOf(3);
  for (const id of [7, 8, 9]) index.claim(id);
  for (let id = 10; id < 1_000; id++) assert.equal(index.claim(id), NOWHERE);
  assert.equal(index.claim(8), 1);
  assert.equal(index.size, 3);
});

test("an invalid id throws", () => {
  for (const id of [0, -1, 1.5, 2 ** 31, NaN]) {
    assert.throws(() => indexOf(3).claim(id), RangeError);
  }
});

test("an invalid capacity throws", () => {
  for (const accounts of [0, 1.5, 2 ** 26 + 1])
    assert.throws(() => createGateMemory({ accounts }), RangeError);
});
