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
