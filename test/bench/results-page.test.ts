import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  duration,
  quantile,
  withResults,
  type Results,
} from "../../bench/peers/results-page.ts";

suite("the page of results", () => {
  test("has a section per size, the smallest first, with both figures of each class", () => {
    const page = withResults(
      withResults(null, resultsOf(2_000_000)),
      resultsOf(1000),
    );
    assert.deepEqual(headingsOf(page), [
      "## 1,000 providers",
      "## 2,000,000 providers",
    ]);
    assert.ok(
      page.includes("| look-up | 10 µs / 20 µs | 50 µs / 50 µs (1) |"),
      page,
    );
  });

  test("replaces the section of the same size and keeps the rest unchanged", () => {
    const before = withResults(
      withResults(null, resultsOf(2_000_000)),
      resultsOf(1000),
    );
    const after = withResults(before, {
      ...resultsOf(1000),
      date: new Date("2026-12-24T00:00:00Z"),
    });
    assert.equal(after, before.replace("2026-11-21", "2026-12-24"));
    assert.notEqual(after, before);
  });

  test("divides the median of the fastest peer by ours", () => {
    const results = resultsOf(1000);
    const page = withResults(null, {
      ...results,
      systems: [...results.systems, { ...system("C"), times: [[0.03, 0.03]] }],
    });
    assert.match(page, /\| look-up .* 3\.0 \|\n/);
  });
});

test("a quantile is the smallest value that enough values do not exceed", () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index);
  assert.equal(quantile(values, 0.5), 100);
  assert.equal(quantile(values, 0.99), 198);
  assert.equal(quantile([7], 0.99), 7);
});

test("a duration has the unit that puts it between 1 and 1,000", () => {
  const cases: [milliseconds: number, written: string][] = [
    [0.0004, "0.4 µs"],
    [0.0074, "7.4 µs"],
    [0.31, "310 µs"],
    [0.9996, "1.0 ms"],
    [12.4, "12 ms"],
    [999.6, "1.0 s"],
    [19_999, "20 s"],
    [20_000, "> 20 s"],
  ];
  for (const [milliseconds, written] of cases)
    assert.equal(duration(milliseconds), written);
});

function resultsOf(providers: number): Results {
  return {
    providers,
    date: new Date("2026-11-21T12:00:00Z"),
    machine: "a machine",
    readSeconds: 1,
    systems: [
      { ...system("ours"), times: [[0.02, 0.01]] },
      { ...system("B"), times: [[0.05]] },
    ],
    classes: [{ title: "look-up", questions: 2 }],
  };
}

function system(name: string) {
  return { name, loadSeconds: 1, bytesOnDisk: 1e6, bytesOfMemory: 2e6 };
}

function headingsOf(page: string): string[] {
  return page.split("\n").filter((line) => /^## .* providers$/.test(line));
}
