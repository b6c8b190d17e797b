import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { InterpretedFilters } from "../../../src/contract/interpret.ts";
import { MAX_INTERPRETED_CHARACTERS } from "../../../src/contract/parameters.ts";
import { inventedDirectory, zipsOf } from "./invented-registry.ts";
import { problemOf, readSentences } from "../../support/pure/sentence-table.ts";

/** The sentences that are not understood as the table says. */
const FAILING: readonly string[] = [
  "ma boston ma",
  "cardiology associates of houston",
  "walgreens pharmacy on main st houston",
];
const MIN_SHARE = 0.97;

test("the sentences of the table are understood as it says, except those that are listed here", async () => {
  using directory = await inventedDirectory();
  const sentences = readSentences();
  assert.ok(sentences.length >= 400);
  const failing = sentences.filter((sentence) => {
    const { expected, typed } = sentence;
    // The service refuses longer texts.
    if (typed.length > MAX_INTERPRETED_CHARACTERS) return !expected.has("none");
    const answer = directory.explore.interpreter.interpret(typed);
    return problemOf(sentence, answer, zipsOf) !== null;
  });
  assert.deepEqual(
    failing.map(({ typed }) => typed),
    FAILING,
  );
  assert.ok(1 - failing.length / sentences.length >= MIN_SHARE);
});

test("what carries a wish that no filter has is named as dropped", async () => {
  using directory = await inventedDirectory();
  const dropped = (typed: string) =>
    directory.explore.interpreter
      .interpret(typed)
      .dropped.map(({ reason, text }) => `${text}: ${reason}`);
  assert.deepEqual(dropped("female gynecologist austin tx medicaid"), [
    "female: you can't search by gender",
    "medicaid: the registry doesn't list insurance",
  ]);
  assert.deepEqual(dropped("pharmacy near me"), [
    "near me: your location is unknown; add a city or a ZIP code",
  ]);
  assert.deepEqual(dropped("cardiologist near texas"), [
    "near: a state has no center; the whole state is searched",
  ]);
  for (const typed of ["nearby pharmacy", "near me"])
    assert.deepEqual(dropped(typed), [
      `${typed.split(" p")[0]}: your location is unknown; add a city or a ZIP code`,
    ]);
  assert.deepEqual(dropped("smith 312-555-0143 jr"), [
    "312-555-0143: a phone number; you can't search by it",
    "jr: a name suffix; most records lack it",
  ]);
  assert.deepEqual(dropped("cardiologist or dentist 60601 60611"), [
    "or: joins words",
    "dentist: you can search for only one specialty",
    "60611: you can search for only one ZIP code",
  ]);
  assert.deepEqual(dropped("117652258"), [
    "2258: the end of a ZIP code; if you meant an NPI, a digit is missing: it has 10",
  ]);
  assert.deepEqual(dropped("zip 117652258"), []);
});

test("an NPI with a wrong check digit has those that may be meant as alternatives", async () => {
  using directory = await inventedDirectory();
  const { alternatives, dropped, operation, total } =
    directory.explore.interpreter.interpret("npi 1234567839");
  assert.equal(operation, null);
  assert.equal(total, 0);
  assert.deepEqual(dropped, [
    {
      text: "npi 1234567839",
      reason: "an NPI with a wrong check digit; check the number for a typo",
    },
  ]);
  assert.deepEqual(alternatives, [
    { operation: "lookup", filters: { npi: "1234567893" }, total: 1 },
  ]);
});

test("a middle initial is a filter if someone has it, and the search without it is the first alternative", async () => {
  using directory = await inventedDirectory();
  const read = (typed: string) => {
    const { alternatives, dropped, filters, total } =
      directory.explore.interpreter.interpret(typed);
    return { filters, total, dropped, first: alternatives[0] };
  };
  const johns = directory.found({ name: "john smith", limit: 1, page: 1 });
  const without = {
    operation: "search",
    filters: { name: "john smith" },
    total: johns.total,
  };
  for (const typed of ["john q smith", "john quincy smith", "john smith q"])
    assert.deepEqual(read(typed), {
      filters: { name: "john smith", middle_initial: "Q" },
      total: 3,
      dropped: [],
      first: without,
    });
  assert.deepEqual(read("j q smith").filters, {
    first_name: "j",
    middle_initial: "Q",
    last_name: "smith",
  });
  const none = read("john x smith");
  assert.deepEqual(none.filters, { name: "john smith" });
  assert.deepEqual(none.dropped, [
    { text: "x", reason: "a middle initial; no one is found with it" },
  ]);
  assert.deepEqual(read("john q r smith").dropped, [
    { text: "r", reason: "you can search for only one middle initial" },
  ]);
});

test("nicknames are offered before corrections, for as many as they add", async () => {
  using directory = await inventedDirectory();
  const read = (typed: string) =>
    directory.explore.interpreter.interpret(typed);
  const bob = read("bob brown chicago il");
  assert.equal(bob.total, 0);
  assert.deepEqual(bob.alternatives.slice(0, 2), [
    {
      operation: "search",
      filters: {
        first_name: "bob",
        last_name: "brown",
        name_aliases: "true",
        city: "chicago",
        state: "IL",
      },
      total: 1,
    },
    {
      operation: "search",
      filters: { name: "bon brown", city: "chicago", state: "IL" },
      total: 1,
    },
  ]);
  for (const typed of ["bill r johnson", "dr bill johnson r"]) {
    const { alternatives, total } = read(typed);
    assert.equal(total, 1);
    assert.deepEqual(alternatives[0], {
      operation: "search",
      filters: {
        first_name: "bill",
        last_name: "johnson",
        name_aliases: "true",
        middle_initial: "R",
      },
      total: 1,
    });
  }
  for (const typed of ["robert brown", "john smith chicago"])
    assert.ok(
      read(typed).alternatives.every(({ filters }) => !filters.name_aliases),
    );
});

test("a name of several words that finds no one is offered with one word less", async () => {
  using directory = await inventedDirectory();
  const offered = (typed: string) =>
    directory.explore.interpreter
      .interpret(typed)
      .alternatives.map(({ filters }) => filters);
  assert.deepEqual(offered("maria elena garcia")[0], { name: "maria garcia" });
  assert.deepEqual(offered("elena maria garcia chicago")[0], {
    name: "maria garcia",
    city: "chicago",
  });
  // With two words, it would be another name.
  assert.ok(offered("elena garcia").every(({ name }) => name !== "garcia"));
});

/** Texts that find no one, with their filters and the first alternatives, the likeliest first. */
const LEADING: Readonly<
  Record<string, readonly [InterpretedFilters, ...InterpretedFilters[]]>
> = {
  "Jhon Smith": [
    { name: "Jhon Smith" },
    { name: "john smith" },
    { last_name: "Smith" },
    { first_name: "J", last_name: "Smith" },
  ],
  "Dr. Jhon Smiht": [
    { name: "Jhon Smiht" },
    { name: "john smith" },
    { last_name: "smith" },
    { first_name: "J", last_name: "smith" },
  ],
  "Dr. jane smith in Texas": [
    { name: "jane smith", state: "TX" },
    { last_name: "smith", state: "TX" },
    { first_name: "j", last_name: "smith", state: "TX" },
    { name: "jane smith" },
    { last_name: "smith" },
  ],
  "jhon smiht texas": [
    { name: "jhon smiht", state: "TX" },
    { name: "john smith", state: "TX" },
    { last_name: "smith", state: "TX" },
    { first_name: "j", last_name: "smith", state: "TX" },
    { name: "john smith" },
  ],
  "garcai texas": [
    { name: "garcai", state: "TX" },
    { name: "garcia", state: "TX" },
  ],
  smiht: [{ name: "smiht" }, { name: "smith" }],
  "smiht texas": [
    { name: "smiht", state: "TX" },
    { name: "smith", state: "TX" },
  ],
  "maria elena garcia in wyoming": [
    { name: "maria elena garcia", state: "WY" },
    { name: "maria garcia" },
  ],
  // After IN, an unknown word is a place.
  "john smith in juneau alaska": [
    { name: "john smith", city: "juneau", state: "AK" },
    { name: "john smith" },
  ],
  chicgao: [{ name: "chicgao" }, { city: "chicago" }],
};

test("a name that finds no one leads to the last name there, the name elsewhere, and like ones", async () => {
  using directory = await inventedDirectory();
  const { interpreter } = directory.explore;
  const found = (filters: InterpretedFilters) =>
    directory.found({ ...filters, limit: 1, page: 1 }).total;
  for (const [typed, [read, ...offered]] of Object.entries(LEADING)) {
    const { alternatives, filters, total } = interpreter.interpret(typed);
    assert.deepEqual(filters, read, typed);
    assert.equal(total, 0, typed);
    assert.deepEqual(
      alternatives.slice(0, offered.length),
      offered.map((each) => ({
        operation: "search",
        filters: each,
        total: found(each),
      })),
      typed,
    );
    // The explorer gets the same of the search, and nothing twice.
    const shown = interpreter.alternatives(
      { operation: "search", filters },
      {},
    );
    assert.deepEqual(shown.alternatives, alternatives, typed);
    const states = shown.without.filter(({ parameters }) =>
      parameters.includes("state"),
    );
    assert.deepEqual(states, [], typed);
  }
});

test("a misspelled specialty is corrected before its place is known", async () => {
  using directory = await inventedDirectory();
  const { alternatives, filters, total } =
    directory.explore.interpreter.interpret("pediatrition near me");
  assert.deepEqual(filters, { name: "pediatrition" });
  assert.equal(total, 0);
  assert.deepEqual(alternatives, [
    {
      operation: "nearby",
      filters: { specialty: "pediatrician", specialty_scope: "common" },
      total: 0,
    },
  ]);
});

/** Texts whose first readings find no one, or others than were meant, and the alternative that is right. */
const MEANT: Readonly<Record<string, InterpretedFilters>> = {
  "physician asistant dallas": {
    city: "dallas",
    specialty: "physician assistant",
    specialty_scope: "common",
  },
  "dentist in salt lke city": {
    city: "salt lake city",
    specialty: "dentist",
    specialty_scope: "common",
  },
  "san jse, ca": { city: "san jose", state: "CA" },
  "eugene texas": { city: "eugene" },
  "john smith, eugene, texas": { name: "john smith" },
  "jane doe dentist": { name: "jane doe" },
  "maria elena rosa garcia": { name: "maria garcia" },
  "maria garcia-smith": { name: "maria garcia" },
};

test("what is meant is an alternative if the text is misspelled, or says too much", async () => {
  using directory = await inventedDirectory();
  for (const [typed, meant] of Object.entries(MEANT)) {
    const { alternatives } = directory.explore.interpreter.interpret(typed);
    const found = alternatives.slice(0, 3).map(({ filters }) => filters);
    assert.ok(
      found.some((each) => isDeepStrictEqual(each, meant)),
      `${typed}: ${JSON.stringify(found)}`,
    );
  }
});

test("no alternative has the same words as another one", async () => {
  using directory = await inventedDirectory();
  const { alternatives } =
    directory.explore.interpreter.interpret("smith jhon");
  const names = new Set(alternatives.map(({ filters }) => filters.name));
  assert.ok(names.has("john smith"));
  assert.ok(!names.has("smith john"));
});

test("other senses of ambiguous words are alternatives", async () => {
  using directory = await inventedDirectory();
  const others = (typed: string) =>
    directory.explore.interpreter
      .interpret(typed)
      .alternatives.map(({ filters }) => filters);
  assert.deepEqual(others("jackson"), [{ city: "jackson" }]);
  assert.deepEqual(others("washington"), [
    { city: "washington" },
    { name: "washington" },
  ]);
  assert.deepEqual(others("LA"), [{ state: "LA" }]);
  assert.deepEqual(others("pa"), [{ state: "PA" }]);
});
