import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import { Compile } from "typebox/schema";
import {
  InterpretAnswer,
  type InterpretedFilters,
  type InterpretedOperation,
} from "../../../src/contract/interpret.ts";
import {
  MAX_INTERPRETED_CHARACTERS,
  NearbyParameters,
  SearchParameters,
} from "../../../src/contract/parameters.ts";
import { MAX_ALTERNATIVES } from "../../../src/contract/filters.ts";
import { checkNpi } from "../../../src/registry/npi.ts";
import { fold, foldCity, words } from "../../../src/text/fold.ts";
import { check } from "../../support/pure/arbitrary/check.ts";
import type { ParsedDirectory } from "../../support/pure/engine/parsed-directory.ts";
import { inventedDirectory } from "./invented-registry.ts";
import { longForm, valueOf } from "../../../src/search/interpret/lexicon.ts";
import { readWords } from "../../../src/search/interpret/sentence.ts";
import { readSentences } from "../../support/pure/sentence-table.ts";

/** The filters that have the words that were typed. */
const WORD_FILTERS = [
  "name",
  "first_name",
  "last_name",
  "organization",
  "specialty",
  "city",
] as const;
const answerCheck = Compile(InterpretAnswer);
const searchCheck = Compile(SearchParameters);
const nearbyCheck = Compile(NearbyParameters);
const PAGE = { page: 1, limit: 100 };

/** Words of the table, and anything else, with anything between them. */
function arbitraryText(): fc.Arbitrary<string> {
  const known = [
    ...new Set(readSentences().flatMap(({ typed }) => typed.split(" "))),
  ].filter((word) => word.length < 30);
  const word = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
    { weight: 1, arbitrary: fc.stringMatching(/^[0-9#().-]{1,12}$/) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("llc", "inc", "clinic", "in", "tx"),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom("city: ", "name=", "near", "207RC0000X"),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "x".repeat(60),
        "y".repeat(120),
        "zürich".repeat(20),
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom("1234567893", "1234567890") },
  );
  const between = fc.constantFrom(" ", " ", " ", ", ", "-", "/", "\t", "");
  return fc
    .array(fc.tuple(word, between), { maxLength: 45 })
    .map((parts) =>
      parts.flat().join("").slice(0, MAX_INTERPRETED_CHARACTERS).toWellFormed(),
    );
}

/** The words of a text that a filter has. Professions and short forms of cities become other words. */
function sentWords(
  filter: (typeof WORD_FILTERS)[number],
  text: string,
): string[] {
  const folded = fold(text);
  if (filter === "city") {
    const long = longForm(folded)?.city ?? valueOf(folded, "pair");
    return words(foldCity(long ?? text));
  }
  if (filter !== "specialty")
    // SMITH of "Smith's office", J and SMITH of "J.Smith", JOHN and SMITH of "John.Smith".
    return words(
      fold(
        text.replaceAll(
          /['’]s\b|(?<=\b[a-z]\.)(?=[a-z])|(?<=\p{L}\.)(?=\p{L}['’]?\p{L})/giu,
          " ",
        ),
      ),
    );
  // PA-C, OTR/L.
  const credential = folded.replace(/ [ACFLPRS]$/, "").replace("P A", "PA");
  const known = valueOf(credential, "credential") || credential;
  // A plural is sent as a singular.
  return words(fold(known).replace(/ (?:DR|DOC)$/, " DOCTOR")).map((word) =>
    word.replace(/(?:IE)?S$/, ""),
  );
}

/** True if no symbol of the text is a word that is understood with those around it, as 🄐 is. */
function isApart(typed: string): boolean {
  const starts = readWords(typed).map(({ start }) => start);
  return new Set(starts).size === starts.length;
}

function totalOf(
  directory: ParsedDirectory,
  operation: InterpretedOperation | null,
  filters: InterpretedFilters,
): number {
  if (operation === null) {
    assert.deepEqual(filters, {});
    return 0;
  }
  if (operation === "lookup") {
    const { npi = "", ...others } = filters;
    assert.deepEqual(others, {});
    assert.equal(checkNpi(npi), "ok");
    return directory.recordOf(npi) === null ? 0 : 1;
  }
  if (operation === "search") {
    const query = { ...filters, ...PAGE };
    assert.ok(searchCheck.Check(query), JSON.stringify(query));
    return directory.found(query).total;
  }
  const query = { radius: 25, ...filters, ...PAGE };
  assert.ok(nearbyCheck.Check(query), JSON.stringify(query));
  // Around a place that the text doesn't name.
  if (query.zip === undefined) return 0;
  const center = directory.nearby.centroid(query.zip ?? "");
  assert.ok(center !== null);
  return directory.nearby.first({ ...query, center }, 1).total;
}

/** A part of what was typed. */
interface Part {
  readonly text: string;
}

/** True if a text has the parts of both lists, each list in its order, and no other word. */
function isMadeOf(
  typed: string,
  one: readonly Part[],
  other: readonly Part[],
): boolean {
  if (one.length + other.length === 0) return words(fold(typed)).length === 0;
  return startsWithPart(typed, one, other) || startsWithPart(typed, other, one);
}

function startsWithPart(
  typed: string,
  [first, ...rest]: readonly Part[],
  other: readonly Part[],
): boolean {
  if (first === undefined) return false;
  const at = typed.indexOf(first.text);
  return (
    at >= 0 &&
    words(fold(typed.slice(0, at))).length === 0 &&
    isMadeOf(typed.slice(at + first.text.length), rest, other)
  );
}

suite("any text", () => {
  test("becomes filters that their operation takes, with the totals that it finds", async () => {
    using directory = await inventedDirectory();
    const assertFound = (typed: string): void => {
      const data = directory.explore.interpreter.interpret(typed);
      assert.ok(answerCheck.Check({ data, meta: { source: "" } }));
      const { alternatives, filters, operation, total } = data;
      assert.equal(total, totalOf(directory, operation, filters), typed);
      assert.ok(alternatives.length <= MAX_ALTERNATIVES);
      const isPlaceMissing = operation === "nearby" && !filters.zip;
      for (const each of alternatives) {
        assert.equal(each.total > 0, !isPlaceMissing);
        assert.equal(
          each.total,
          totalOf(directory, each.operation, each.filters),
          typed,
        );
      }
    };
    // A legal form is left out of a name only if a word is left.
    for (const typed of [
      "& llc",
      "﹠, inc",
      "﹠",
      "dr &",
      "& md llc",
      "llc md",
      "llc inc",
    ])
      assertFound(typed);
    // The initial of a first name whose first letter is two code units.
    assertFound("Johnson, \u{10107} ");
    // A specialty is offered around the ZIP code, without the state.
    assertFound("chicgo 19104 az");
    // Each of the covers that are followed leaves out a word.
    const long = "x".repeat(60);
    assertFound(`maira individual john ${long} M.D.Anderson MD ${long}`);
    await check(4_000, arbitraryText(), async (typed) => assertFound(typed));
  });

  test("is accounted for: every word is understood or dropped", async () => {
    using directory = await inventedDirectory();
    const assertAccounted = (typed: string): void => {
      const { dropped, understood } =
        directory.explore.interpreter.interpret(typed);
      assert.ok(isMadeOf(typed, understood, dropped), typed);
    };
    // Two parts are one text, which starts within an earlier part too.
    assertAccounted("NPI1234567893 1234567893 1234567893");
    await check(4_000, arbitraryText(), async (typed) =>
      assertAccounted(typed),
    );
  });

  test("has each word of a name, an organization, a specialty, or a city in that filter, or says why not", async () => {
    using directory = await inventedDirectory();
    const sentences = readSentences()
      .map(({ typed }) => typed)
      .filter((typed) => typed.length <= MAX_INTERPRETED_CHARACTERS);
    const problems = (typed: string): string[] => {
      const { filters, understood } =
        directory.explore.interpreter.interpret(typed);
      return understood.flatMap(({ filter, text }) =>
        WORD_FILTERS.filter((each) => each === filter).flatMap((each) => {
          const sent = sentWords(each, filters[each] ?? "");
          return sentWords(each, text).filter((word) => !sent.includes(word));
        }),
      );
    };
    const others = ["john, M.D.Anderson", "pain 3125550143 doctor"];
    for (const typed of [...sentences, ...others])
      assert.deepEqual(problems(typed), [], typed);
    await check(4_000, arbitraryText().filter(isApart), async (typed) => {
      assert.deepEqual(problems(typed), [], typed);
    });
  });
});
