import assert from "node:assert/strict";
import { test } from "node:test";
import {
  formatBytes,
  formatCount,
  formatSeconds,
  formatTime,
} from "../../src/cli/output/format.ts";

test("numbers have separated thousands", () => {
  assert.deepEqual([0, 999, 1_000, 9_812_345].map(formatCount), [
    "0",
    "999",
    "1,000",
    "9,812,345",
  ]);
});

test("sizes have the unit that makes them short", () => {
  const sizes = [
    0, 999, 1_000, 9_940, 9_960, 999_400, 999_600, 912_000_000, 1_240_000_000,
    5e15,
  ];
  assert.deepEqual(sizes.map(formatBytes), [
    "0 bytes",
    "999 bytes",
    "1.0 kB",
    "9.9 kB",
    "10 kB",
    "999 kB",
    "1.0 MB",
    "912 MB",
    "1.2 GB",
    "5000 TB",
  ]);
});

test("durations have the units that matter", () => {
  const spans = [0.04, 9.94, 9.96, 59.4, 59.6, 185, 3_599.4, 3_720];
  assert.deepEqual(spans.map(formatSeconds), [
    "0.0 s",
    "9.9 s",
    "10 s",
    "59 s",
    "1 min 00 s",
    "3 min 05 s",
    "59 min 59 s",
    "1 h 02 min",
  ]);
});

test("times are in UTC and say so", () => {
  assert.equal(
    formatTime(Date.UTC(2026, 10, 20, 12, 30, 5, 999)),
    "2026-11-20 12:30:05 UTC",
  );
});
