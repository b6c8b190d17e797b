import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import { nearEntries } from "../../../src/search/spelling/near-entries.ts";
import { ByteInterner } from "../../../src/snapshot/bytes/byte-interner.ts";
import {
  Dictionary,
  draftDictionary,
} from "../../../src/snapshot/dictionary/dictionary.ts";
import { fold } from "../../../src/text/fold.ts";
import { rounds } from "../../support/pure/full-run.ts";
import { editsBetween } from "../../support/pure/reference/reference-spelling.ts";

/** Few letters, so that words are near each other; of one to four bytes, some with the same first bytes. */
const LETTERS = Array.from("aAbBcC12 -ŦĦ株松𠀀𠀁𐐀");

function dictionaryOf(spellings: readonly string[]): Dictionary {
  const interner = new ByteInterner();
  for (const spelling of spellings) {
    const bytes = Buffer.from(spelling);
    interner.intern(bytes, 0, bytes.length);
  }
  return new Dictionary(draftDictionary(interner));
}

/** Folded words with their edits, and all numbers of their entries. */
function near(dictionary: Dictionary, typed: string, most: number): string[] {
  const characters = Int32Array.from(typed, (each) => each.codePointAt(0)!);
  return nearEntries(dictionary, characters, most).map(
    ({ edits, from, to }) =>
      `${dictionary.folded(from)} ${edits}: ${from} to ${to - 1}`,
  );
}

function referenceNear(
  dictionary: Dictionary,
  typed: string,
  most: number,
): string[] {
  const numbers = Array.from({ length: dictionary.count }, (_, i) => i + 1);
  return [...Map.groupBy(numbers, (number) => dictionary.folded(number))]
    .filter(([word]) => editsBetween(typed, word) <= most)
    .map(
      ([word, all]) =>
        `${word} ${editsBetween(typed, word)}: ${all[0]} to ${all.at(-1)}`,
    );
}

function arbitraryWord(maxLength: number): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength })
    .map((letters) => letters.join(""));
}

suite("the words of a dictionary near a typed word", () => {
  test("are those that a comparison with all finds, with all their spellings", () => {
    const spellings = fc.oneof(
      fc.array(arbitraryWord(5), { maxLength: 80 }),
      fc.array(arbitraryWord(12), { maxLength: 200, size: "max" }),
    );
    fc.assert(
      fc.property(
        spellings,
        fc.array(arbitraryWord(8), { minLength: 4, maxLength: 4 }),
        fc.nat(),
        fc.constantFrom(0, 1, 2, 3),
        (all, others, pick, most) => {
          const dictionary = dictionaryOf(all);
          const known = all.length > 0 ? [all[pick % all.length]!] : [];
          for (const each of [...known, ...others]) {
            const typed = fold(each);
            if (typed === "") continue;
            assert.deepEqual(
              near(dictionary, typed, most),
              referenceNear(dictionary, typed, most),
            );
          }
        },
      ),
      { numRuns: rounds(2000, 400) },
    );
  });

  test("are found with any edit, and with two that touch", () => {
    const dictionary = dictionaryOf(["SMITH"]);
    const one = ["SMITHE", "SMTH", "SMYTH", "SMIHT", "MSITH", "XSMITH", "MITH"];
    const two = ["SMI", "MITHS", "SMTIHX", "SSMITHH", "MSIHT", "IMSTH", "STH"];
    const three = ["SM", "SMALL", "MISTHX", "SMITHERS", "TSMIHX"];
    for (const [most, edits] of [one, two, three].entries())
      for (const typed of edits) {
        assert.deepEqual(near(dictionary, typed, most), [], typed);
        assert.deepEqual(near(dictionary, typed, most + 1), [
          `SMITH ${most + 1}: 1 to 1`,
        ]);
      }
  });

  test("count characters, not bytes", () => {
    const dictionary = dictionaryOf(["ŦUCZAK", "株式会社", "𠀀𠀀𠀀𠀀"]);
    assert.deepEqual(near(dictionary, "TUCZAK", 1), ["ŦUCZAK 1: 1 to 1"]);
    assert.deepEqual(near(dictionary, "株会式社", 1), ["株式会社 1: 2 to 2"]);
    assert.deepEqual(near(dictionary, "𠀀𠀁𠀀𠀀", 1), ["𠀀𠀀𠀀𠀀 1: 3 to 3"]);
  });

  test("are none in an empty dictionary", () => {
    assert.deepEqual(near(dictionaryOf([]), "SMITH", 2), []);
  });
});
