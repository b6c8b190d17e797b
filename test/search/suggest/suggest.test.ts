import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import { Compile } from "typebox/schema";
import { MAX_INTERPRETED_CHARACTERS } from "../../../src/contract/parameters.ts";
import { SuggestAnswer } from "../../../src/contract/explorer/suggest.ts";
import type { InterpretedFilters } from "../../../src/contract/interpret.ts";
import { cityKey, fold, foldCity } from "../../../src/text/fold.ts";
import { check } from "../../support/pure/arbitrary/check.ts";
import { inventedDirectory } from "../interpret/invented-registry.ts";
import { readSentences } from "../../support/pure/sentence-table.ts";

/** Filters, whatever the case and the spelling of their texts. */
function folded(filters: InterpretedFilters): string {
  const { city } = filters;
  const compared = city === undefined ? {} : { city: cityKey(city) };
  return JSON.stringify({ ...filters, ...compared }).toUpperCase();
}

/** Initials may be typed without a space after them: M.D.Anderson. */
function joined(words: string): string {
  return words.replaceAll(" ", "");
}

const answerCheck = Compile(SuggestAnswer);

suite("suggestions while typing", async () => {
  const directory = await inventedDirectory();
  const of = (typed: string) => directory.explore.suggester.suggest(typed);
  const texts = (typed: string) => of(typed).map(({ text }) => text);
  const first = (typed: string) => of(typed)[0];
  /** The states that are suggested without a city. */
  const states = (typed: string) =>
    of(typed).flatMap(({ filters: { city, state } }) =>
      city === undefined && state !== undefined ? [state] : [],
    );

  test("specialties, names, organizations, and places mixed, the likeliest first", () => {
    assert.deepEqual(first("card"), {
      kind: "specialty",
      text: "cardiology",
      operation: "search",
      filters: { specialty: "cardiology", specialty_scope: "common" },
      total: directory.found({
        specialty: "cardiology",
        specialty_scope: "common",
        page: 1,
        limit: 1,
      }).total,
    });
    assert.deepEqual(
      new Set(of("ma").map(({ kind }) => kind)),
      new Set(["name", "place"]),
    );
    assert.ok(texts("mayo").includes("Mayo Clinic"));
    assert.equal(first("smi")?.text, "Smith");
    assert.equal(first("phila")?.text, "Philadelphia, PA");
  });

  test("what is before the last words counts too", () => {
    assert.deepEqual(first("cardiologist in chic"), {
      kind: "place",
      text: "cardiologist in Chicago, IL",
      operation: "search",
      filters: {
        specialty: "cardiologist",
        specialty_scope: "common",
        city: "chicago",
        state: "IL",
      },
      total: 5,
    });
    assert.equal(first("john smi")?.text, "John Smith");
    assert.equal(first("smith j")?.text, "Smith John");
    assert.deepEqual(first("john q smi"), {
      kind: "name",
      text: "John Q Smith",
      operation: "search",
      filters: { name: "john smith", middle_initial: "Q" },
      total: 3,
    });
    assert.deepEqual(first("john quincy smi")?.filters, {
      name: "john smith",
      middle_initial: "Q",
    });
    assert.deepEqual(first("john x smi")?.filters, { name: "john smith" });
    assert.deepEqual(first("smith, jo")?.filters, {
      last_name: "smith",
      first_name: "john",
      name_aliases: "true",
    });
    assert.equal(
      first("family doctor near 941")?.text,
      "family doctor near 94110",
    );
    assert.equal(first("family doctor near 941")?.operation, "nearby");
  });

  test("a credential after a name is no state, one after a city is", () => {
    for (const name of ["dr john q smith", "john smith", "jane doe,"])
      for (const credential of ["md", "pa", "do", "MD"])
        assert.deepEqual(states(`${name} ${credential}`), []);
    assert.equal(
      first("john smith baltimore md")?.text,
      "John Smith Baltimore, MD",
    );
    assert.ok(states("john smith maryl").includes("MD"));
    assert.ok(states("md").includes("MD"));
  });

  test("names of several words go on, and cities with their state", () => {
    assert.equal(first("maria de la c")?.text, "Maria De La Cruz");
    assert.equal(first("st lou")?.text, "Saint Louis, MO");
    assert.equal(first("saint lou")?.text, "Saint Louis, MO");
    assert.equal(first("springfield m")?.text, "Springfield, MO");
    assert.equal(first("clevel")?.text, "Cleveland, OH");
    assert.ok(texts("cleveland cl").includes("Cleveland Clinic"));
    assert.equal(first("o'br")?.text, "O'Brien");
  });

  test("a completion is in the case that is typed, its names and cities in natural capitals", () => {
    assert.equal(first("Cardiologist Chic")?.text, "Cardiologist Chicago, IL");
    assert.equal(first("JOHN SMI")?.text, "JOHN SMITH");
    assert.equal(first("CARDIOLOGIST CHIC")?.text, "CARDIOLOGIST CHICAGO, IL");
    for (const typed of ["JOHN smi", "John SMI", "john smi"])
      assert.equal(first(typed)?.text, "John Smith", typed);
    assert.ok(texts("S").includes("Smith"));
  });

  test("an NPI stays a number, known or not, and a ZIP has its city", () => {
    for (const npi of ["1234567893", "1999999984"])
      assert.deepEqual(of(`npi ${npi}`), [
        { kind: "npi", text: npi, operation: "lookup", filters: { npi } },
      ]);
    assert.deepEqual(of("1234567890"), []);
    assert.deepEqual(
      of("606").map(({ label, text }) => `${text} ${label}`),
      ["60601 CHICAGO, IL", "60611 CHICAGO, IL"],
    );
  });

  test("nothing, and what can't go on, has none", () => {
    for (const typed of ["", "   ", "smith,", "?", "word ".repeat(17)])
      assert.deepEqual(of(typed), [], typed);
    assert.deepEqual(texts("smith "), texts("smith"));
  });

  test("all of a text that is chosen is read as it says, and finds as many", async () => {
    const sentences = readSentences().map(({ typed }) => typed);
    const start = fc
      .tuple(fc.constantFrom(...sentences), fc.nat(40))
      .map(([typed, length]) => typed.slice(0, length));
    await check(1_500, start, async (typed) => {
      const data = of(typed);
      assert.ok(answerCheck.Check({ data }), typed);
      assert.equal(new Set(data.map(({ text }) => text)).size, data.length);
      for (const { filters, kind, operation, text, total } of data) {
        if (text.length > MAX_INTERPRETED_CHARACTERS) continue;
        const read = directory.explore.interpreter.interpret(text);
        assert.equal(read.operation, operation, text);
        assert.equal(folded(read.filters), folded(filters), text);
        if (total !== undefined) assert.equal(read.total, total, text);
        if (kind !== "npi" && kind !== "place")
          assert.ok(
            [fold, foldCity].some((by) =>
              joined(by(text)).startsWith(joined(by(typed))),
            ),
            `${typed}: ${text}`,
          );
      }
    });
  });
});
