import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Draft } from "../../../src/search/interpret/draft.ts";
import { dropAddresses } from "../../../src/search/interpret/rules/addresses.ts";
import { readDistance } from "../../../src/search/interpret/rules/distance.ts";
import { readNumbers } from "../../../src/search/interpret/rules/numbers.ts";
import {
  dropFillers,
  dropTitles,
  readKind,
} from "../../../src/search/interpret/rules/phrases.ts";
import {
  dropNumbers,
  readZips,
} from "../../../src/search/interpret/rules/zips.ts";
import { readWords } from "../../../src/search/interpret/sentence.ts";
import { REASONS } from "../../../src/search/interpret/words/reasons.ts";

/** A text after some rules: the filters, the words that are free, and what was dropped with which reason. */
function after(
  typed: string,
  ...rules: readonly ((draft: Draft) => void)[]
): {
  readonly filters: object;
  readonly free: string;
  readonly dropped: Readonly<Record<string, string>>;
} {
  const draft = new Draft(readWords(typed));
  for (const rule of rules) rule(draft);
  const dropped = draft.notes.flatMap(({ end, reason, start }) =>
    reason === undefined ? [] : [[typed.slice(start, end), reason] as const],
  );
  return {
    filters: draft.filters,
    free: draft
      .free()
      .map((at) => draft.words[at]!.text)
      .join(" "),
    dropped: Object.fromEntries(dropped),
  };
}

function distanceIn(typed: string) {
  return after(typed, readDistance);
}

function withoutAddress(typed: string): string {
  return after(typed, dropAddresses).free;
}

function zipIn(typed: string) {
  return after(typed, readZips, dropNumbers);
}

function phrasesIn(typed: string) {
  return after(typed, dropFillers, dropTitles, readKind);
}

suite("the rules that need no data", () => {
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
      const { notes, npi, rest } = readNumbers(typed);
      assert.equal(npi, null, typed);
      assert.equal(rest.trim(), "", typed);
      assert.equal(rest.length, typed.length);
      assert.equal(notes.length, 1);
    }
  });

  test("distances: with a unit, at most 500 miles, and only one", () => {
    assert.deepEqual(distanceIn("within 10 miles of dover").filters, {
      radius: 10,
    });
    assert.deepEqual(distanceIn("dentist 2.5 mi").filters, { radius: 2.5 });
    assert.deepEqual(distanceIn("in a five mile radius of x").free, "x");
    assert.deepEqual(distanceIn("9999 miles").filters, { radius: 500 });
    assert.deepEqual(distanceIn("10 dentists").filters, {});
    assert.deepEqual(distanceIn("5 miles 10 miles").dropped, {
      "10 miles": REASONS.oneDistance,
    });
    assert.deepEqual(distanceIn("0 miles").dropped, {
      "0 miles": REASONS.radius,
    });
    assert.deepEqual(distanceIn("pharmacy near me"), {
      filters: {},
      free: "pharmacy",
      dropped: {},
    });
  });

  test("addresses: house numbers with their streets, suites, and boxes", () => {
    assert.equal(withoutAddress("123 main st springfield"), "springfield");
    assert.equal(withoutAddress("500 oak ave suite 200 boston"), "boston");
    assert.equal(withoutAddress("45 st john st portland"), "portland");
    assert.equal(withoutAddress("200 peachtree st ne atlanta"), "atlanta");
    assert.equal(withoutAddress("po box 12 dover"), "dover");
    assert.equal(withoutAddress("123 dr smith"), "123 dr smith");
    assert.equal(withoutAddress("123 main, st louis"), "123 main st louis");
  });

  test("ZIPs: five digits, with four more, or fewer after the word", () => {
    for (const typed of ["60601", "60601-1234", "606011234", "zip code 60601"])
      assert.deepEqual(zipIn(typed).filters, { zip: "60601" }, typed);
    assert.deepEqual(zipIn("zip 2115").filters, { zip: "02115" });
    assert.deepEqual(zipIn("2115 60601 60611").dropped, {
      2115: REASONS.number,
      60611: REASONS.oneZip,
    });
  });

  test("fillers, titles, and kinds: dropped, but not from names", () => {
    assert.deepEqual(phrasesIn("please find dr smith").free, "smith");
    assert.deepEqual(phrasesIn("psychologist for anxiety").dropped, {
      "for anxiety": REASONS.condition,
    });
    assert.equal(phrasesIn("dr want").free, "want");
    assert.equal(phrasesIn("I smith").free, "smith");
    assert.equal(phrasesIn("john I smith").free, "john I smith");
    assert.equal(phrasesIn("dr in boston").free, "dr in boston");
    assert.deepEqual(phrasesIn("organizations boston").filters, {
      entity_type: "organization",
    });
    assert.deepEqual(phrasesIn("boston people").filters, {});
  });
});
