import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../src/registry-generator/random.ts";
import { Choice } from "../../src/registry-generator/choice.ts";

function counts(choice: Choice<number>, size: number, draws: number): number[] {
  const random = new Random();
  random.restart(1, 2, 3);
  const result = Array<number>(size).fill(0);
  for (let i = 0; i < draws; i++) result[choice.draw(random)]! += 1;
  return result;
}

function sequence(seed: number, stream: number, index: number): number[] {
  const random = new Random();
  random.restart(seed, stream, index);
  return Array.from({ length: 4 }, () => random.next());
}

test("each item is drawn in proportion to its weight, and never with weight 0", () => {
  const weights = [5, 0, 1, 3, 0.5, 0.5];
  const drawn = counts(
    new Choice([...weights.keys()], weights),
    weights.length,
    200_000,
  );
  weights.forEach((weight, index) => {
    assert.ok(
      Math.abs((drawn[index] ?? 0) / 20_000 - weight) < 0.08,
      drawn.join(" "),
    );
  });
  assert.equal(drawn[1], 0);
});

test("one weight is always drawn", () => {
  assert.deepEqual(counts(new Choice([0], [7]), 1, 10), [10]);
});

test("weights that are all 0 are refused", () => {
  assert.throws(() => new Choice([0, 1], [0, 0]));
  assert.throws(() => new Choice([], []));
});

test("a random sequence is a function of its three numbers", () => {
  assert.deepEqual(sequence(1, 2, 3), sequence(1, 2, 3));
  const others = [
    sequence(2, 2, 3),
    sequence(1, 3, 3),
    sequence(1, 2, 4),
    sequence(3, 2, 1),
  ];
  for (const other of others) assert.notDeepEqual(other, sequence(1, 2, 3));
});
