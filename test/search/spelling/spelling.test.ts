import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import type { Spelling } from "../../../src/search/spelling/spelling.ts";
import type { NameDictionary } from "../../../src/snapshot/names/name-index.ts";
import { check, same } from "../../support/pure/arbitrary/check.ts";
import {
  referenceCities,
  referenceNames,
  referencePeople,
  type SpelledProvider,
} from "../../support/pure/reference/reference-spelling.ts";
import { inventedNpi } from "../../support/pure/registry/invented-npi.ts";
import { rawRow } from "../../support/pure/registry/raw-row.ts";
import { sampleDirectory } from "../../support/pure/engine/sample-directory.ts";
import type { ParsedDirectory } from "../../support/pure/engine/parsed-directory.ts";

const ALL: readonly NameDictionary[] = ["last", "first", "word"];

function directoryOf(
  providers: readonly SpelledProvider[],
): Promise<ParsedDirectory> {
  return sampleDirectory({
    rows: providers.map(({ state, ...each }, index) =>
      rawRow({
        npi: inventedNpi(220_000_000 + index),
        entityType: each.organization === undefined ? "1" : "2",
        country: state === null ? "CA" : "US",
        state: state ?? "ON",
        ...each,
      }),
    ),
  });
}

/** As many providers of each last name as the table says. */
function lastNames(table: Readonly<Record<string, number>>): SpelledProvider[] {
  return Object.entries(table).flatMap(([last, count]) =>
    Array.from({ length: count }, () => ({
      last,
      city: "PEORIA",
      state: "IL",
    })),
  );
}

function inCity(
  city: string,
  state: string | null,
  count: number,
): SpelledProvider[] {
  return Array.from({ length: count }, () => ({ last: "MARTIN", city, state }));
}

function nameLines(
  spelling: Spelling,
  typed: string,
  dictionaries: readonly NameDictionary[] = ALL,
): string[] {
  return spelling
    .names(typed, dictionaries)
    .map(
      ({ edits, providers, providersWith: { first, last, word }, ...each }) => {
        assert.equal(providers, first + last + word);
        return `${each.word} ${edits} last ${last} first ${first} word ${word}`;
      },
    );
}

function peopleLines(
  spelling: Spelling,
  first: string,
  last: string,
): string[] {
  return spelling
    .people(first, last)
    .map(({ edits, providers }) => `${edits} ${providers}`);
}

function cityLines(
  spelling: Spelling,
  typed: string,
  state: string | null = null,
): string[] {
  return spelling
    .cities(typed, state)
    .map(({ edits, providers, states, word }) =>
      [
        `${word} ${edits} ${providers}:`,
        ...states.map((each) => `${each.state} ${each.providers}`),
      ].join(" "),
    );
}

/** Words of few letters, the same ones as names, words, and cities. */
const WORD = fc
  .array(fc.constantFrom(...Array.from("AABBCŁ株𠀀")), {
    minLength: 2,
    maxLength: 7,
  })
  .map((letters) => letters.join(""));

interface Group {
  readonly provider: SpelledProvider;
  readonly count: number;
}

/** Some words are common, most are rare: suggestions depend on how many times as many providers a word has. */
function arbitraryProviders(): fc.Arbitrary<SpelledProvider[]> {
  const pool = fc.array(WORD, { minLength: 4, maxLength: 14 });
  return pool.chain((words) => {
    const word = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...words) },
      WORD,
    );
    const phrase = fc
      .array(word, { minLength: 1, maxLength: 3 })
      .map((each) => each.join(" "));
    const place = {
      city: fc.oneof(
        { weight: 4, arbitrary: word },
        phrase,
        word.map((each) => `St. ${each}`),
      ),
      state: fc.constantFrom("IL", "MO", "MO", null),
    };
    const provider: fc.Arbitrary<SpelledProvider> = fc.oneof(
      fc.record({ last: fc.oneof(word, phrase), first: word, ...place }),
      fc.record({ organization: phrase, ...place }),
    );
    const group: fc.Arbitrary<Group> = fc.record({
      provider,
      count: fc.constantFrom(1, 1, 1, 2, 3, 10, 11, 30, 100, 150),
    });
    return fc
      .array(group, { minLength: 5, maxLength: 40, size: "max" })
      .map((groups) =>
        groups.flatMap(({ count, provider: each }) =>
          Array.from({ length: count }, () => each),
        ),
      );
  });
}

suite("suggestions for misspelled words", () => {
  test("are those that the reference finds, for names and cities", async () => {
    const asks = fc.array(
      fc.record({
        known: fc.nat(),
        word: WORD,
        dictionaries: fc.subarray([...ALL]),
        state: fc.constantFrom(null, "IL", "MO"),
      }),
      { minLength: 40, maxLength: 40 },
    );
    await check(
      40,
      fc.tuple(arbitraryProviders(), asks),
      async ([providers, asked]) => {
        using directory = await directoryOf(providers);
        const { spelling } = directory.explore;
        for (const { dictionaries, known, state, word } of asked) {
          const { city, first, last, organization } =
            providers[known % providers.length]!;
          const name = last ?? organization ?? "";
          for (const typed of [word, name, first ?? word])
            same(
              { typed, found: nameLines(spelling, typed, dictionaries) },
              { typed, found: referenceNames(providers, typed, dictionaries) },
            );
          for (const [one, two] of [
            [word, name],
            [first ?? word, word],
            [first ?? word, name],
          ] as const)
            same(
              { one, two, found: peopleLines(spelling, one, two) },
              { one, two, found: referencePeople(providers, one, two) },
            );
          for (const typed of [word, city.toUpperCase().replace(".", "")])
            same(
              { typed, found: cityLines(spelling, typed, state) },
              { typed, found: referenceCities(providers, typed, state) },
            );
        }
      },
      6,
    );
  });

  test("have ten times as many providers as the typed word", async () => {
    using directory = await directoryOf(
      lastNames({ SMITH: 30, SMIHT: 3, JONES: 29, JNOES: 3 }),
    );
    const { spelling } = directory.explore;
    assert.deepEqual(nameLines(spelling, "SMIHT"), [
      "SMITH 1 last 30 first 0 word 0",
    ]);
    assert.deepEqual(nameLines(spelling, "JNOES"), []);
    assert.deepEqual(nameLines(spelling, "SMITH"), []);
  });

  test("leave out words that are rare next to one that is as near or nearer", async () => {
    using directory = await directoryOf(
      lastNames({ MARTIN: 301, MARTEN: 3, MARTINN: 4, KARTEN: 1 }),
    );
    const found = (typed: string) =>
      directory.explore.spelling
        .names(typed)
        .map(({ edits, providers, word }) => `${word} ${edits} ${providers}`);
    assert.deepEqual(found("MARTAN"), ["MARTIN 1 301", "MARTINN 2 4"]);
    assert.deepEqual(found("KARTIN"), ["MARTIN 1 301", "MARTINN 2 4"]);
    // The common one is less near.
    assert.deepEqual(found("KARTON"), ["KARTEN 1 1", "MARTIN 2 301"]);
  });

  test("are the nearest first, then the most common, then those with the same first letter", async () => {
    using directory = await directoryOf(
      lastNames({
        BERRY: 5,
        ZERRI: 90,
        BARRY: 6,
        CERRY: 5,
        BORRY: 5,
        AERRY: 5,
      }),
    );
    const found = directory.explore.spelling.names("BERRI");
    assert.deepEqual(
      found.map(({ edits, word }) => `${word} ${edits}`),
      ["ZERRI 1", "BERRY 1", "BARRY 2", "BORRY 2", "AERRY 2"],
    );
  });

  test("count last names, first names, and words of organizations together", async () => {
    const place = { city: "PEORIA", state: "IL" };
    using directory = await directoryOf([
      { last: "MARTIN", first: "MARTIN", ...place },
      { last: "MARTIN", first: "ANNA", ...place },
      { organization: "MARTIN & MARTIN, LLC", ...place },
      { last: "MARTIN LOPEZ", first: "ANNA", ...place },
    ]);
    const { spelling } = directory.explore;
    assert.deepEqual(nameLines(spelling, "MARTIM"), [
      "MARTIN 1 last 2 first 1 word 1",
    ]);
    assert.deepEqual(nameLines(spelling, "MARTIM", ["first"]), [
      "MARTIN 1 last 0 first 1 word 0",
    ]);
    assert.deepEqual(nameLines(spelling, "MARTINLOPEZ", ["last"]), [
      "MARTIN LOPEZ 1 last 1 first 0 word 0",
    ]);
  });

  test("of cities have their states, and are only those of a state if it is given", async () => {
    using directory = await directoryOf([
      ...inCity("LOS ANGELES", "CA", 4),
      ...inCity("ST. LOUIS", "MO", 3),
      ...inCity("SAINT LOUIS", "MI", 1),
      ...inCity("SAINT LOUIS", "KY", 1),
      ...inCity("St Louis", null, 2),
    ]);
    const { spelling } = directory.explore;
    assert.deepEqual(cityLines(spelling, "LOS ANGELAS"), [
      "LOS ANGELES 1 4: CA 4",
    ]);
    assert.deepEqual(cityLines(spelling, "ST LOIUS"), [
      "SAINT LOUIS 1 7: MO 3 KY 1 MI 1",
    ]);
    assert.deepEqual(cityLines(spelling, "SAINT LOIUS", "mi"), [
      "SAINT LOUIS 1 1: MO 3 KY 1 MI 1",
    ]);
    assert.deepEqual(cityLines(spelling, "LOS ANGELAS", "MO"), []);
    assert.deepEqual(cityLines(spelling, "LOS ANGELAS", "ZZ"), []);
  });

  test("are none for one or two characters, and one edit away for three or four", async () => {
    using directory = await directoryOf(
      lastNames({ A: 50, LE: 50, LEE: 50, LONG: 50, 株式会: 50 }),
    );
    const words = (typed: string) =>
      directory.explore.spelling.names(typed).map(({ word }) => word);
    assert.deepEqual(words(""), []);
    assert.deepEqual(words("B"), []);
    assert.deepEqual(words("LA"), []);
    assert.deepEqual(words("LEA"), ["LE", "LEE"]);
    assert.deepEqual(words("LUNK"), []);
    assert.deepEqual(words("LOGN"), ["LONG"]);
    assert.deepEqual(words("LUNGS"), ["LONG"]);
    assert.deepEqual(words("株株会"), ["株式会"]);
  });

  test("are none for more than thirty characters, at once", async () => {
    const longest = "ABCDEFGHIJ".repeat(3);
    using directory = await directoryOf(lastNames({ [longest]: 1 }));
    const words = (typed: string) =>
      directory.explore.spelling.names(typed).map(({ word }) => word);
    assert.deepEqual(words(longest.slice(1)), [longest]);
    assert.deepEqual(words(`${longest.slice(1)}Z`), [longest]);
    assert.deepEqual(words(`${longest}Z`), []);
    assert.deepEqual(words("A".repeat(200)), []);
    const began = performance.now();
    assert.deepEqual(
      directory.explore.spelling.cities("A".repeat(200), null),
      [],
    );
    assert.deepEqual(words("A".repeat(1e8)), []);
    assert.ok(performance.now() - began < 1000);
  });

  test("are none in dictionaries without entries", async () => {
    using directory = await sampleDirectory({
      rows: [
        rawRow({
          npi: inventedNpi(220_000_000),
          deactivationDate: "06/30/2019",
        }),
      ],
    });
    assert.deepEqual(directory.explore.spelling.names("SMITH"), []);
    assert.deepEqual(directory.explore.spelling.cities("SMITH", null), []);
  });
});
