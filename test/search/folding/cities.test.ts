import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { ByteInterner } from "../../../src/snapshot/bytes/byte-interner.ts";
import {
  Dictionary,
  draftDictionary,
} from "../../../src/snapshot/dictionary/dictionary.ts";
import { fullTest, rounds } from "../../support/pure/full-run.ts";
import {
  FULL,
  npiOf,
  person,
  SmallRegistry,
} from "../../support/pure/registry/small-registry.ts";
import type { ParsedDirectory } from "../../support/pure/engine/parsed-directory.ts";

const WEEK = new URL(
  "../../../../shared/data/registry/NPPES_Data_Dissemination_010124_010724_Weekly.zip",
  import.meta.url,
);
const PAGE = { limit: 100, page: 1 };

/** Spellings of one city each, in a state. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  MO: ["O FALLON", "O'FALLON", "OFALLON", "o’fallon", "O-FALLON"],
  ID: ["COEUR D ALENE", "COEUR D'ALENE", "COEUR DALENE", "Coeur D Alene"],
  VA: ["MC LEAN", "MCLEAN", "McLean"],
  PA: ["DU BOIS", "DUBOIS", "DuBois", "Du-Bois"],
  FL: ["PORT ST LUCIE", "PORT ST. LUCIE", "PORT SAINT LUCIE", "PORTSAINTLUCIE"],
};

const ROWS = Object.entries(SPELLINGS).flatMap(([state, cities], index) =>
  cities.map((city, at) =>
    person(index * 10 + at, { city, state, postalCode: `6060${at}` }),
  ),
);

/** Neighbors of those cities that are others. */
const OTHERS = ["O FALLO", "FALLON", "MC LEANSVILLE", "DU BOI", "SAINT LUCIE"];

async function directoryOf(registry: SmallRegistry): Promise<ParsedDirectory> {
  const others = OTHERS.map((city, at) => person(90 + at, { city }));
  await registry.import(FULL, [...ROWS, ...others]);
  return registry.directory();
}

suite("cities that differ only by spaces, apostrophes, and periods", () => {
  test("are one in searches, whichever is asked and published", async () => {
    using registry = new SmallRegistry();
    using directory = await directoryOf(registry);
    Object.entries(SPELLINGS).forEach(([state, cities], index) => {
      const all = cities.map((_, at) => npiOf(index * 10 + at)).sort();
      for (const city of cities) {
        const { entries, total } = directory.found({ ...PAGE, city });
        assert.deepEqual(entries.map(({ npi }) => npi).sort(), all, city);
        assert.equal(total, cities.length);
        const inState = directory.found({ ...PAGE, city, state });
        assert.equal(inState.total, cities.length);
        assert.equal(
          directory.search.total({ city, zip: "60601" }),
          1,
          `${city} with a ZIP`,
        );
      }
    });
    assert.equal(directory.search.total({ city: "FALLON" }), 1);
    assert.equal(directory.search.total({ city: "OFALL ON" }), 5);
  });

  test("are one in the registry's own API, in all sorts of addresses", async () => {
    using registry = new SmallRegistry();
    const mailed = {
      ...person(80, { city: "PEORIA" }),
      "Provider Business Mailing Address City Name": "MCLEAN",
      "Provider Business Mailing Address State Name": "VA",
      "Provider Business Mailing Address Country Code (If outside U.S.)": "US",
    };
    const abroad = { city: "MC LEAN", state: "ONTARIO", country: "CA" };
    await registry.import(FULL, [...ROWS, mailed, person(81, abroad)]);
    using directory = registry.directory();
    const total = (text: string, isPrefix: boolean): number =>
      directory.search.registryPage({
        place: {
          purpose: null,
          city: { text, isPrefix },
        },
        skip: 0,
        limit: 10,
      }).total;
    for (const text of ["McLean", "MC LEAN", "Mc'Lean"])
      assert.equal(total(text, false), 5, text);
    for (const text of ["McL", "MC L", "M'CL"])
      assert.equal(total(text, true), 5, text);
    assert.equal(total("O'F", true), 5);
    assert.equal(total("port st", true), 4);
  });

  test("are one for what users type, and none is a misspelling of another", async () => {
    using registry = new SmallRegistry();
    using directory = await directoryOf(registry);
    for (const typed of ["o'fallon mo", "OFallon, MO", "o fallon mo"]) {
      const { filters, total } = directory.explore.interpreter.interpret(typed);
      assert.deepEqual([filters.state, total], ["MO", 5], typed);
    }
    for (const typed of ["o'fal", "ofal", "o fal"])
      assert.deepEqual(
        directory.explore.suggester
          .suggest(typed)
          .filter(({ kind, total }) => kind === "place" && total === 5).length,
        1,
        typed,
      );
    assert.deepEqual(directory.explore.spelling.cities("OFALLON", null), []);
    assert.deepEqual(
      directory.explore.spelling
        .cities("OFALON", null)
        .map(({ edits, providers, word }) => `${word} ${edits} ${providers}`),
      ["OFALLON 1 5", "FALLON 2 1"],
    );
  });

  test("are in the order of their compared cities, with spaces", async () => {
    using registry = new SmallRegistry();
    const cities = ["MCLEAN", "MC LEAN", "MCA", "MC ZZ"];
    await registry.import(
      FULL,
      cities.map((city, at) => person(at, { city })),
    );
    using directory = registry.directory();
    assert.deepEqual(
      directory.found(PAGE).entries.map(({ npi }) => npi),
      [1, 3, 2, 0].map(npiOf),
    );
  });
});

test("a dictionary finds all values that are equal or start alike without spaces", () => {
  const word = fc
    .array(fc.constantFrom("A", "B", " ", " ", "Ö", "'", "é", "株"), {
      minLength: 1,
      maxLength: 7,
    })
    .map((letters) => letters.join(""));
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 60, size: "max" }),
      word,
      fc.boolean(),
      (spellings, asked, isPrefix) => {
        const interner = new ByteInterner();
        for (const each of spellings)
          interner.intern(Buffer.from(each), 0, Buffer.byteLength(each));
        const dictionary = new Dictionary(draftDictionary(interner));
        const key = Buffer.from(asked.replaceAll(/[ 'é]/g, "")).toString();
        if (key === "") return;
        const numbers = Array.from(
          { length: dictionary.count },
          (_, index) => index + 1,
        ).filter((number) => {
          const value = dictionary.folded(number).replaceAll(" ", "");
          return isPrefix ? value.startsWith(key) : value === key;
        });
        const found = dictionary.withoutSpaces(Buffer.from(key), isPrefix);
        assert.deepEqual(
          found.flatMap(({ from, to }) =>
            Array.from({ length: to - from }, (_, index) => from + index),
          ),
          numbers,
        );
      },
    ),
    { numRuns: rounds(4_000) },
  );
});

fullTest(
  "every city of a real week finds all rows of it, however it is written",
  async (t) => {
    if (!existsSync(WEEK))
      return t.skip("the registry's weeks are not there (../shared)");
    using registry = new SmallRegistry();
    await registry.importPath(fileURLToPath(WEEK));
    using directory = registry.directory();
    const snapshot = registry.snapshot();
    const { cities, places } = snapshot;
    /** Documents of each city without spaces, and its spellings. */
    const known = new Map<string, { docs: number; spellings: Set<number> }>();
    for (let doc = 0; doc < snapshot.count; doc++) {
      const city = places.cityOf(doc, places.placeOf(doc), 0);
      if (city === 0) continue;
      const key = cities.folded(city).replaceAll(" ", "");
      const of = known.get(key) ?? { docs: 0, spellings: new Set() };
      of.docs++;
      of.spellings.add(city);
      known.set(key, of);
    }
    const several = [...known].filter(
      ([, { spellings }]) => spellings.size > 1,
    );
    assert.ok(several.length >= 5, String(several.length));
    for (const [key, { docs, spellings }] of known)
      for (const number of spellings)
        for (const city of [cities.spelling(number) ?? "", key])
          assert.equal(directory.search.total({ city }), docs, city);
  },
);
