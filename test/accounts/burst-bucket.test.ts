import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { takeToken } from "../../src/accounts/metering/burst-bucket.ts";
import type { BurstState } from "../../src/accounts/metering/gate.ts";
import { START_MS } from "../support/app/accounts-installation.ts";

function bucket(burst: number): (nowMs: number) => BurstState {
  const cells = new BigInt64Array(new SharedArrayBuffer(8));
  return (nowMs) => takeToken(cells, 0, burst, nowMs);
}

test("a bucket gives its size at once, then refuses", () => {
  const take = bucket(10);
  for (let left = 9; left > 0; left--) {
    assert.deepEqual(take(START_MS), {
      allowed: true,
      remaining: left,
      retryAfterSeconds: 0,
      resetSeconds: 1,
    });
  }
  assert.deepEqual(take(START_MS), {
    allowed: true,
    remaining: 0,
    retryAfterSeconds: 1,
    resetSeconds: 1,
  });
  for (let time = 0; time < 5; time++) {
    assert.deepEqual(take(START_MS), {
      allowed: false,
      remaining: 0,
      retryAfterSeconds: 1,
      resetSeconds: 1,
    });
  }
});

test("a bucket refills evenly: a tenth of a second gives a bucket of ten one token", () => {
  const take = bucket(10);
  for (let time = 0; time < 10; time++) take(START_MS);
  assert.equal(take(START_MS + 99).allowed, false);
  assert.equal(take(START_MS + 100).allowed, true);
  assert.equal(take(START_MS + 100).allowed, false);
  assert.equal(take(START_MS + 199).allowed, false);
  assert.equal(take(START_MS + 300).remaining, 1);
});

test("a bucket may hold more than it refills in a second", () => {
  const cells = new BigInt64Array(new SharedArrayBuffer(8));
  const take = (nowMs: number) => takeToken(cells, 0, 10, nowMs, 30);
  for (let left = 29; left >= 0; left--)
    assert.equal(take(START_MS).remaining, left);
  assert.deepEqual(take(START_MS), {
    allowed: false,
    remaining: 0,
    retryAfterSeconds: 1,
    resetSeconds: 3,
  });
  for (let time = 0; time < 10; time++)
    assert.equal(take(START_MS + 1_000).allowed, true);
  assert.equal(take(START_MS + 1_000).allowed, false);
});

test("a bucket is full again after a second, and never exceeds its size", () => {
  for (const laterMs of [1_000, 60_000, 400 * 86_400_000]) {
    const take = bucket(50);
    for (let time = 0; time < 50; time++) take(START_MS);
    let given = 0;
    while (take(START_MS + laterMs).allowed) given++;
    assert.equal(given, 50);
  }
});

test("a clock that was set back costs one refill at most", () => {
  const take = bucket(10);
  for (let time = 0; time < 10; time++) take(START_MS);
  const backMs = START_MS - 3_600_000;
  assert.equal(take(backMs).allowed, false);
  assert.equal(take(backMs + 1_000).allowed, true);
});

test("a bucket of any size gives its size at once", () => {
  for (const burst of [1, 3, 7, 333, 12_345, 100_000]) {
    const take = bucket(burst);
    for (let time = 0; time < burst; time++) {
      assert.equal(take(START_MS).allowed, true, `${time} of ${burst}`);
    }
    assert.equal(take(START_MS).allowed, false);
  }
});

test("a bucket gives the same as a naive one, at any pace", () => {
  const paces = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 });
  fc.assert(
    fc.property(fc.constantFrom(1, 2, 5, 10, 50), paces, (burst, waits) => {
      const take = bucket(burst);
      let nowMs = START_MS;
      // Thousandths of a token, which these bursts gain in whole numbers each millisecond.
      let level = burst * 1_000;
      for (const waitMs of waits) {
        nowMs += waitMs;
        level = Math.min(level + waitMs * burst, burst * 1_000);
        const state = take(nowMs);
        assert.equal(state.allowed, level >= 1_000);
        if (state.allowed) level -= 1_000;
        assert.equal(state.remaining, Math.floor(level / 1_000));
        assert.equal(
          state.resetSeconds,
          Math.ceil((burst * 1_000 - level) / burst / 1_000),
        );
      }
    }),
  );
});
