import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { FOLDING } from "../../src/text/foldings.ts";
import { ByteInterner } from "../../src/snapshot/bytes/byte-interner.ts";
import {
  Dictionary,
  draftDictionary,
} from "../../src/snapshot/dictionary/dictionary.ts";
import { mergeDictionary } from "../../src/snapshot/dictionary/merged-dictionary.ts";
import {
  FULL,
  npiOf,
  people,
  person,
  SmallRegistry,
} from "../support/registry/small-registry.ts";

const WEEK = "npidata_pfile_20261109-20261115.csv";

const spelling = fc.constantFrom(
  "ST LOUIS",
  "SAINT LOUIS",
  "Saint Louis",
  "St. Louis",
  "SAINT",
  "SAINT LOUIS PARK",
  "/",
  "ZÜRICH",
  "ZURICH",
  "A",
);
const spellings = fc.uniqueArray(spelling);

describe("a dictionary with added spellings", () => {
  it("equals the dictionary of all spellings, and maps the numbers of both", () => {
    fc.assert(
      fc.property(spellings, spellings, (held, added) => {
        const before = dictionaryOf(held);
        const draft = draftOf(added);
        const merged = mergeDictionary(before, draft);
        const now = new Dictionary(merged);
        const all = dictionaryOf([...new Set([...held, ...added])]);
        assert.deepEqual(texts(now), texts(all));
        assert.deepEqual(
          texts(before),
          Array.from(merged.fromBase.subarray(1), (number) =>
            now.spelling(number),
          ),
        );
        assert.deepEqual(
          added,
          added.map((_, id) => now.spelling(merged.numbers[id + 1]!)),
        );
      }),
    );
  });
});

describe("merging a week", () => {
  it("leaves every other provider's city spelled as it was, when a city gets new spellings", async () => {
    using registry = new SmallRegistry();
    const where = { state: "MO", postalCode: "63110" };
    const cities = ["SAINT LOUIS", "Saint Louis", "St. Louis", "ST LOUIS"];
    await registry.import(FULL, [
      person(1, { city: cities[1]!, ...where }),
      person(2, { city: cities[3]!, ...where }),
      person(3, { city: cities[1]!, ...where, postalCode: "63111" }),
      ...people(60).slice(5),
    ]);
    await registry.import(WEEK, [
      person(4, { city: cities[0]!, ...where }),
      person(5, { city: cities[2]!, ...where }),
    ]);
    const directory = registry.directory();
    const cityOf = (number: number) =>
      directory.recordOf(npiOf(number))?.practice_address?.city;
    assert.deepEqual([1, 2, 3, 4, 5].map(cityOf), [
      cities[1],
      cities[3],
      cities[1],
      cities[0],
      cities[2],
    ]);
    const { total } = directory.found({
      city: "st louis",
      limit: 25,
      page: 1,
    });
    assert.equal(total, 5);
    assert.deepEqual(registry.faults(), []);
  });
});

function draftOf(values: readonly string[]) {
  const interner = new ByteInterner();
  for (const value of values) {
    const bytes = Buffer.from(value);
    interner.intern(bytes, 0, bytes.length);
  }
  return draftDictionary(interner, FOLDING, FOLDING.foldCityBytes);
}

function dictionaryOf(values: readonly string[]): Dictionary {
  const { bytes, offsets } = draftOf(values);
  return new Dictionary({ bytes, offsets });
}

function texts(dictionary: Dictionary): (string | null)[] {
  return Array.from({ length: dictionary.count }, (_, index) =>
    dictionary.spelling(index + 1),
  );
}
