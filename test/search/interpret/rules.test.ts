import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { fixedSpans } from "../../../src/search/interpret/fixed-spans.ts";
import { readNumbers } from "../../../src/search/interpret/numbers.ts";
import { readWords } from "../../../src/search/interpret/sentence.ts";
import type { SpanKind } from "../../../src/search/interpret/span.ts";

/** The texts that have a fixed form of a kind, the longest of each start, with the filters that they set. */
function spansIn(typed: string, kind: SpanKind): [string, object][] {
  const words = readWords(typed);
  return fixedSpans(words)
    .filter((span) => span.kind === kind)
    .map(({ filters = {}, from, to }) => [
      typed.slice(words[from]!.start, words[to - 1]!.end),
      filters,
    ]);
}

function textsIn(typed: string, kind: SpanKind): string[] {
  return spansIn(typed, kind).map(([text]) => text);
}

suite("the forms that need no data", () => {
  test("numbers: NPIs, phones, emails, web addresses, dates, and markup", () => {
    const valid = { npi: "1234567893", isValid: true };
    for (const typed of [
      "1234567893",
      "npi: 1234567893",
      "808401234567893",
      "123-456-7893 npi 123-456-7893",
      "１２３４５６７８９３",
    ])
      assert.deepEqual(readNumbers(typed).npi, valid, typed);
    assert.deepEqual(readNumbers("1234567890").npi, {
      npi: "1234567890",
      isValid: false,
    });
    for (const typed of [
      "312-555-0143",
      "(312) 555-0143",
      "3125550143",
      "2125550143",
      "a@example.com",
      "https://example.com/1",
      "01/02/1970",
      "<b>",
    ]) {
      const { notes, npi, remaining } = readNumbers(typed);
      assert.equal(npi, null, typed);
      assert.equal(remaining.trim(), "", typed);
      assert.equal(remaining.length, typed.length);
      assert.equal(notes.length, 1);
    }
  });

  test("distances: with a unit, at most 500 miles", () => {
    assert.deepEqual(spansIn("within 10 miles of dover", "radius")[0], [
      "within 10 miles of",
      { radius: 10 },
    ]);
    assert.deepEqual(spansIn("dentist 2.5 mi", "radius"), [
      ["2.5 mi", { radius: 2.5 }],
    ]);
    assert.equal(
      textsIn("in a five mile radius of x", "radius")[0],
      "in a five mile radius of",
    );
    assert.deepEqual(spansIn("9999 miles", "radius")[0]?.[1], { radius: 500 });
    assert.deepEqual(textsIn("10 dentists", "radius"), []);
    assert.deepEqual(textsIn("0 miles", "radius"), []);
    assert.deepEqual(textsIn("0 miles", "drop"), ["0 miles"]);
  });

  test("what is near: a place, or the user", () => {
    assert.deepEqual(textsIn("pharmacy near me", "near"), ["near me"]);
    assert.deepEqual(textsIn("pharmacy near dover", "near"), ["near"]);
    assert.deepEqual(textsIn("closest dentist", "near"), ["closest"]);
  });

  test("addresses: house numbers with their streets, suites, and boxes", () => {
    for (const [typed, street] of [
      ["123 main st springfield", "123 main st"],
      ["500 oak ave suite 200 boston", "500 oak ave suite 200"],
      ["45 st john st portland", "45 st john st"],
      ["200 peachtree st ne atlanta", "200 peachtree st ne"],
      ["po box 12 dover", "po box 12"],
    ] as const)
      assert.equal(textsIn(typed, "drop")[0], street);
    assert.deepEqual(textsIn("123 dr smith", "drop"), []);
    assert.deepEqual(textsIn("123 main, st louis", "drop"), []);
  });

  test("ZIPs: five digits, with four more, or fewer after the word", () => {
    for (const typed of ["60601", "60601-1234", "606011234", "zip code 60601"])
      assert.deepEqual(spansIn(typed, "zip")[0], [typed, { zip: "60601" }]);
    assert.deepEqual(spansIn("zip 2115", "zip"), [
      ["zip 2115", { zip: "02115" }],
    ]);
    assert.deepEqual(textsIn("2115", "zip"), []);
  });

  test("names of fields, with a sign after them or of two words", () => {
    assert.deepEqual(textsIn("last name smith", "drop"), ["last name"]);
    assert.deepEqual(textsIn("city: dover", "join"), ["city"]);
    assert.deepEqual(textsIn("city dover", "join"), []);
    assert.deepEqual(spansIn("taxonomy 207RC0000X", "specialty")[0], [
      "taxonomy 207RC0000X",
      { taxonomy: "207RC0000X" },
    ]);
  });
});
