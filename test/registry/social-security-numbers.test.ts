import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  NumberMask,
  maskText,
} from "../../src/registry/files/social-security-numbers.ts";
import { rounds } from "../support/pure/full-run.ts";
import { chunksOf } from "../support/pure/reference/read-csv.ts";

/** What a stream of these bytes becomes, in Latin-1. */
function masked(
  text: string,
  sizes: readonly number[] = [1 << 20],
): { text: string; count: number } {
  const mask = new NumberMask();
  const parts = Array.from(
    chunksOf(Buffer.from(text, "latin1"), sizes),
    (chunk) => Buffer.from(mask.push(chunk)),
  );
  parts.push(Buffer.from(mask.end()));
  return {
    text: Buffer.concat(parts).toString("latin1"),
    count: mask.count,
  };
}

/** Slowly, character by character: another way to say what a number is. */
function expected(text: string): { text: string; count: number } {
  const isDigit = (at: number) => /^[0-9]$/.test(text.charAt(at));
  const letters = Array.from({ length: text.length }, (_, at) =>
    text.charAt(at),
  );
  let count = 0;
  for (let at = 0; at + 11 <= text.length; at++) {
    const shape = letters
      .slice(at, at + 11)
      .map((_, place) => (isDigit(at + place) ? "d" : text.charAt(at + place)))
      .join("");
    // Numbers and single hyphens between them are one chain: it must have these three groups only.
    const isHyphen = (place: number) => text.charAt(place) === "-";
    const goesOn =
      isDigit(at - 1) ||
      isDigit(at + 11) ||
      (isHyphen(at - 1) && isDigit(at - 2)) ||
      (isHyphen(at + 11) && isDigit(at + 12));
    if (shape !== "ddd-dd-dddd" || goesOn) continue;
    count++;
    for (let place = at; place < at + 11; place++)
      if (isDigit(place)) letters[place] = "*";
  }
  return { text: letters.join(""), count };
}

test("values of the shape are masked, also within longer text; longer runs of digits or of groups are not", () => {
  for (const [text, becomes] of [
    ["123-45-6789", "***-**-****"],
    ["SSN:123-45-6789.", "SSN:***-**-****."],
    ["A123-45-6789B", "A***-**-****B"],
    ["123-45-6789 987-65-4321", "***-**-**** ***-**-****"],
    ["SSN-123-45-6789", "SSN-***-**-****"],
    ["123-45-6789-A", "***-**-****-A"],
    ["1--123-45-6789--1", "1--***-**-****--1"],
    ["1,-123-45-6789-,1", "1,-***-**-****-,1"],
    ["D420-421-52-5240", null],
    ["123-45-6789-1", null],
    ["1-123-45-6789", null],
    ["123-45-6789-987-65-4321", null],
    ["--123-45-6789--", "--***-**-****--"],
    ["\xe9123-45-6789\xe9", "\xe9***-**-****\xe9"],
    ["1123-45-6789", null],
    ["123-45-67890", null],
    ["12-45-6789", null],
    ["123-456-6789", null],
    ["123-45-678", null],
    ["123 45 6789", null],
    ["123456789", null],
    ["314-555-0100", null],
    ["60601-0001", null],
    ["123--45-6789", null],
    ['123"-45-6789', null],
  ] as const) {
    const count = becomes?.match(/\*{4}/g)?.length ?? 0;
    const value = { text: becomes ?? text, count };
    for (const sizes of [[100], [1], [3, 100], [10, 1, 100], [11, 1], [12, 1]])
      assert.deepEqual(masked(text, sizes), value);
    assert.equal(maskText(text), value.text);
  }
});

test("numbers are found at every border of chunks", () => {
  const text =
    'x,"123-45-6789",1123-45-6789,1-123-45-6789,123-45-6789-1,\n987-65-4321-';
  for (let first = 1; first <= text.length; first++)
    for (const then of [1, 2, 5, 11, 100])
      assert.deepEqual(masked(text, [first, then]), expected(text));
});

test("any text in any chunks becomes what the definition says", () => {
  const pieces = fc.constantFrom(
    ...'123-45-6789 123-45- 12-3 -45-6789 1 2 - , " \n \xe9 ---- 123-45-6789123-45-6789 789 1- -1'.split(
      " ",
    ),
  );
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 8 }),
      (texts, sizes) => {
        const text = texts.join("");
        assert.deepEqual(masked(text, sizes), expected(text));
        assert.equal(maskText(text), expected(text).text);
      },
    ),
    { numRuns: rounds(20_000, 2_000) },
  );
});

test("megabytes of near misses are read once", () => {
  for (const piece of ["-", "1-", "123-45-", "123-45-67890", "12-345-67-"]) {
    const text = piece.repeat(Math.ceil(2_000_000 / piece.length));
    const bytes = masked(text, [65_536]);
    assert.equal(bytes.text.length, text.length);
    assert.equal(bytes.text, maskText(text));
  }
  const run = "123-45-6789,".repeat(200_000);
  assert.deepEqual(masked(run, [65_537]), {
    text: "***-**-****,".repeat(200_000),
    count: 200_000,
  });
});
